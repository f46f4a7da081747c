import ArgumentParser

/// `byteclub club`.
struct ClubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "club",
    abstract: "List the clubs of the config, and make a club's folder.",
    discussion: Examples.text([
      "byteclub club ls": "the clubs; * marks the one that is opened",
      "byteclub club init --folder ~/Garage": "make a directory a club",
    ]),
    subcommands: [ClubList.self, ClubInit.self])
}
