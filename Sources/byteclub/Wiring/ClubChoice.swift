import Backends

/// Which club is meant, and where its files are. Nothing has been looked at yet.
struct ClubChoice: Sendable, Equatable {
  /// Its name in the config. For `--folder`, the directory's name, unless the config has a club there.
  let name: String
  /// The kind of its store.
  let storeKind: String
  /// The directory, in full; nil for a club that is no directory of this machine.
  let directory: String?
  /// Where it is, for people.
  let place: String
  /// What a member types to mend it.
  let commands: ClubCommands
  /// Whether nobody has said anything yet: the club is then made on first start.
  let isFirstStart: Bool

  /// Chooses.
  /// - Throws: when the club that is asked for is not in the config, or there are several and none is named.
  init(_ report: ConfigReport, options: StartOptions, paths: Paths) throws(ConfigFault) {
    let config = report.config
    if let folder = options.folder {
      let directory = LocalDirectory.absolute(try paths.expanding(folder))
      self.directory = directory
      place = paths.abbreviating(directory)
      storeKind = "folder"
      isFirstStart = false
      let known = config.clubNames.first { name in
        guard let path = config.text("clubs.\(name).path"), let full = try? paths.expanding(path) else { return false }
        return LocalDirectory.absolute(full) == directory
      }
      name = known ?? directory.split(separator: "/").last.map(String.init) ?? directory
      commands = known.map { ClubCommands(club: $0) } ?? ClubCommands(folder: place)
      return
    }
    name = try ClubChoice.name(config)
    commands = ClubCommands(club: name)
    storeKind = config.text("clubs.\(name).store") ?? "folder"
    isFirstStart = !report.hasFile && name == "home"
    guard storeKind == "folder" else {
      directory = nil
      let server = config.text("clubs.\(name).server") ?? "Dropbox"
      place = config.text("clubs.\(name).folder").map { "\($0) at \(server)" } ?? server
      return
    }
    let path = try paths.expanding(config.text("clubs.\(name).path") ?? "~/ByteClub")
    directory = path
    place = paths.abbreviating(path)
  }

  private static func name(_ config: Config) throws(ConfigFault) -> String {
    let names = config.clubNames
    guard let wanted = config.club else {
      if names.count == 1 { return names[0] }
      if names.contains("home") { return "home" }
      throw ConfigFault(
        "There are several clubs (\(names.joined(separator: ", "))). Say which with --club NAME, or set \"club\" in "
          + "the config.")
    }
    if names.contains(wanted) { return wanted }
    let near = NearestWord.to(wanted, in: names).map { " Did you mean \"\($0)\"?" } ?? ""
    throw ConfigFault(
      "There is no club \"\(wanted)\" in the config.\(near) The clubs are: \(names.joined(separator: ", ")).")
  }
}
