import Backends
import FileStores

struct ClubChoice: Sendable {
  /// In the config. For `--folder`, the directory's name, unless the config has a club there.
  let name: String
  let kind: any StoreKind
  let store: StoreDescription
  /// Absolute; nil for a club that is not a local directory.
  let directory: String?
  let place: String
  let commands: ClubCommands
  /// Without any setting, the club is made on first start.
  let isFirstStart: Bool

  /// - Throws: if the named club is not in the config, or there are several and none is named.
  init(_ report: ConfigReport, options: StartOptions, paths: Paths, stores: StoreRegistry) throws(ConfigFault) {
    let config = report.config
    let file = options.config.map { _ in paths.abbreviating(LocalDirectory.absolute(paths.configFile)) }
    if let folder = options.folder {
      let directory = LocalDirectory.absolute(try paths.expanding(folder))
      store = stores.directory(directory)
      isFirstStart = false
      let known = config.clubNames.first { name in
        guard let place = try? ClubChoice.place(of: name, config, paths, stores), case .directory(let full) = place
        else { return false }
        return LocalDirectory.absolute(full) == directory
      }
      name = known ?? directory.split(separator: "/").last.map(String.init) ?? directory
      commands =
        known.map { ClubCommands(club: $0, config: file) }
        ?? ClubCommands(folder: paths.abbreviating(directory), config: file)
    } else {
      name = try ClubChoice.name(report)
      commands = ClubCommands(club: name, config: file)
      isFirstStart = !report.hasFile && !report.hasDropIns && name == "home"
      store = try config.store(of: name, try ClubChoice.kind(of: name, config, stores), paths)
    }
    kind = try ClubChoice.kind(store.kind, stores)
    switch kind.place(of: store) {
    case .directory(let path): (directory, place) = (path, paths.abbreviating(path))
    case .elsewhere(let words): (directory, place) = (nil, words)
    }
    try checkAlone(config, paths, stores)
  }

  /// - Throws: if another club of the config has the same sign-in, and so the same texts and copies.
  private func checkAlone(_ config: Config, _ paths: Paths, _ stores: StoreRegistry) throws(ConfigFault) {
    guard directory == nil, case .tokens? = try? kind.signIn(to: store) else { return }
    for other in config.clubNames where other != name {
      guard config.storeKind(of: other) == kind.name,
        try ClubChoice.place(of: other, config, paths, stores).words == place
      else { continue }
      throw ConfigFault(
        "The clubs \"\(name)\" and \"\(other)\" are the same place, \(place): byteclub cannot tell their sign-ins and "
          + "their texts apart. If they are two clubs or two accounts there, set \"clubs.\(name).account\" to a word of your "
          + "own, such as \"\(name)\". Otherwise remove one of them from the config.")
    }
  }

  /// - Throws: for a path in an unknown home directory.
  static func place(
    of club: String, _ config: Config, _ paths: Paths, _ stores: StoreRegistry
  ) throws(ConfigFault) -> StorePlace {
    let kind = try kind(of: club, config, stores)
    return kind.place(of: try config.store(of: club, kind, paths))
  }

  private static func kind(
    of club: String, _ config: Config, _ stores: StoreRegistry
  ) throws(ConfigFault) -> any StoreKind {
    try kind(config.storeKind(of: club) ?? stores.kinds[0].name, stores)
  }

  private static func kind(_ name: String, _ stores: StoreRegistry) throws(ConfigFault) -> any StoreKind {
    do {
      return try stores.kind(name)
    } catch {
      throw ConfigFault(error.description)
    }
  }

  /// The clubs, if none of them is the default: commands need a name, and the app shows the list. Otherwise nil.
  static func undecided(_ report: ConfigReport, _ options: StartOptions = StartOptions()) -> [String]? {
    let names = report.config.clubNames
    let isDecided = options.folder != nil || report.config.club != nil || names.contains("home")
    return names.count > 1 && !isDecided ? names : nil
  }

  static func sentence(undecided names: [String]) -> String {
    "There are several clubs (\(names.joined(separator: ", "))), and none is the default: byteclub shows the list, and "
      + "commands need --club NAME or the setting \"club\"."
  }

  private static func name(_ report: ConfigReport) throws(ConfigFault) -> String {
    let (config, names) = (report.config, report.config.clubNames)
    guard let wanted = config.club else {
      if names.count == 1 { return names[0] }
      if names.contains("home") { return "home" }
      if names.isEmpty {
        throw ConfigFault("There is no usable club.\n" + report.brokenDropIns.map(\.fault).joined(separator: "\n"))
      }
      throw ConfigFault(
        "The config has several clubs (\(names.joined(separator: ", "))). Choose one with --club NAME, or set \"club\" in "
          + "the config.")
    }
    if names.contains(wanted) { return wanted }
    if let broken = report.brokenDropIns.first(where: { $0.club == wanted }) { throw ConfigFault(broken.fault) }
    let near = NearestWord.to(wanted, in: names).map { " Did you mean \"\($0)\"?" } ?? ""
    throw ConfigFault(
      "The config has no club \"\(wanted)\".\(near) The clubs are: \(names.joined(separator: ", ")).")
  }
}
