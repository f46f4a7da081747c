import JSON

/// Where byteclub keeps its files (XDG Base Directory Specification, version 0.8: a relative value of one of its
/// variables is ignored).
struct Paths: Sendable {
  /// The user's home; nil when `HOME` is not set.
  let home: String?
  /// The directory of the config file.
  let configDirectory: String
  /// The config file.
  let configFile: String
  /// Whether the config file was named by a flag or a variable: it must then be there.
  let configIsNamed: Bool
  /// What must not be lost.
  let data: String
  /// What can be made again.
  let cache: String
  /// Logs.
  let state: String
  /// Sockets and locks.
  let runtime: String

  /// The drafts and unsent saves.
  var outboxFile: String { data + "/outbox.sqlite" }
  /// The texts that drafts began with.
  var basesDirectory: String { data + "/bases" }
  /// Copies that another editor has open.
  var editsDirectory: String { data + "/edits" }
  /// What `byteclub login` has kept.
  var tokensDirectory: String { data + "/tokens" }
  /// What is known of the club's files.
  var catalogueFile: String { cache + "/catalogue.sqlite" }
  /// The newest log.
  var logFile: String { state + "/log" }

  /// Reads the variables. `config` is what `--config` said.
  /// - Throws: when a directory depends on `HOME` and that is not set.
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

  /// A path with a leading `~` replaced by the home directory.
  /// - Throws: when it begins with `~` and there is no home, or it names another user's home.
  func expanding(_ path: String) throws(ConfigFault) -> String {
    try Paths.expanding(path, home: home)
  }

  /// A path for people: the home directory as `~`.
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
