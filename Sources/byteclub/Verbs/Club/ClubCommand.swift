import ArgumentParser

/// `byteclub club`.
struct ClubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "club",
    abstract: "List the clubs of the config, make a club's folder, copy a club.",
    discussion: Examples.text([
      "byteclub club ls": "the clubs; * marks the one that is opened",
      "byteclub club init --folder ~/Garage": "make a club in a directory",
      "byteclub club export ~/club-copy": "copy all of a club's files",
    ]),
    subcommands: [ClubList.self, ClubInit.self, ClubExportVerb.self])
}
