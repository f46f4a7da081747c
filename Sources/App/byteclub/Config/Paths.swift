/// XDG Base Directory Specification, version 0.8; relative values of its variables are ignored.
struct Paths: Sendable {
  /// nil if `HOME` is not set.
  let home: String?
  let configDirectory: String
  let configFile: String
  /// The directory of clubs in files of their own (`DropIn`), whatever config file is named.
  var dropIns: String { configDirectory + "/clubs.d" }
  var themes: String { configDirectory + "/themes" }
  /// A config file that a flag or a variable names must exist.
  let configIsNamed: Bool
  /// Data that must not be lost.
  let data: String
  /// Data that can be recreated.
  let cache: String
  let state: String
  let runtime: String

  var outboxFile: String { data + "/outbox.sqlite" }
  var basesDirectory: String { data + "/bases" }
  /// Changed copies of pictures until their uploads end.
  var uploadsDirectory: String { data + "/uploads" }
  /// Copies that are open in another editor.
  var editsDirectory: String { data + "/edits" }
  var tokensDirectory: String { data + "/tokens" }
  /// Invitations that are being redeemed.
  var joinsDirectory: String { data + "/joins" }
  var catalogueFile: String { cache + "/catalogue.sqlite" }
  /// The local copies of clubs behind a network.
  var copiesFile: String { cache + "/copies.sqlite" }
  var logFile: String { state + "/log" }

  /// - Throws: if a directory depends on `HOME` and that is not set.
  init(_ environment: Environment, config: String? = nil) throws(ConfigFault) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? Paths.trimmed($0) : nil }
    self.home = home
    func directory(_ variable: String, _ fallback: String) throws(ConfigFault) -> String {
      if let value = environment[variable], value.hasPrefix("/") { return Paths.trimmed(value) + "/byteclub" }
      guard let home else {
        throw ConfigFault(
          "Your home directory is unknown: HOME is not set. Set HOME, or set \(variable) to "
            + "an absolute path.")
      }
      return home + "/" + fallback + "/byteclub"
    }
    configDirectory = try directory("XDG_CONFIG_HOME", ".config")
    data = try directory("XDG_DATA_HOME", ".local/share")
    cache = try directory("XDG_CACHE_HOME", ".cache")
    state = try directory("XDG_STATE_HOME", ".local/state")
    if let value = environment["XDG_RUNTIME_DIR"], value.hasPrefix("/") {
      runtime = Paths.trimmed(value) + "/byteclub"
    } else {
      runtime = data + "/run"
    }
    let named = config ?? environment["BYTECLUB_CONFIG"]
    configIsNamed = named != nil
    configFile =
      try named.map { name throws(ConfigFault) in try Paths.expanding(name, home: home) }
      ?? configDirectory + "/config.json"
  }

  /// Expands a leading `~`.
  /// - Throws: if there is no home, or the path names another user's home.
  func expanding(_ path: String) throws(ConfigFault) -> String {
    try Paths.expanding(path, home: home)
  }

  /// With `~` for the home directory, for messages.
  func abbreviating(_ path: String) -> String {
    guard let home, home != "/" else { return path }
    if path == home { return "~" }
    return path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }

  private static func expanding(_ path: String, home: String?) throws(ConfigFault) -> String {
    guard path.hasPrefix("~") else { return path }
    guard path == "~" || path.hasPrefix("~/") else {
      throw ConfigFault("\"\(path)\" names another member's home. Write the directory in full.")
    }
    guard let home else {
      throw ConfigFault("\"\(path)\" begins with ~, but the variable HOME is not set. Write the directory in full.")
    }
    return path == "~" ? home : trimmed(home) + path.dropFirst()
  }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
