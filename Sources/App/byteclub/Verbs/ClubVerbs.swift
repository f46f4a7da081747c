import ArgumentParser
import Backends
import Basics
import FileStores
import JSON

struct ClubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "club",
    abstract: "List the clubs, add one, invite a friend, make a club's folder, copy a club, leave one.",
    discussion: Examples.text([
      "byteclub club ls": "the clubs; * marks the one that is opened",
      "byteclub club init --folder ~/Garage": "make a club in a directory",
      "byteclub club add webdav --set url=cloud.example.org --set user=ann": "add a club at a Nextcloud",
      "byteclub club invite cloud": "a line by which a friend adds it, too",
      "byteclub club export ~/club-copy": "copy all of a club's files",
      "byteclub club copy home bucket": "copy a club to another store",
      "byteclub club leave garage": "leave a club that you joined",
    ]),
    subcommands: [
      ClubList.self, ClubInit.self, ClubAdd.self, ClubInvite.self, ClubExportVerb.self, ClubCopyVerb.self,
      ClubLeave.self,
    ])
}

struct ClubList: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the clubs of the config and those that you joined.",
    discussion: Examples.text(["byteclub club ls": "* marks the one that is opened"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    try ClubList.answer(shared.start, .process)
  }

  static func answer(
    _ options: StartOptions, _ environment: Environment, _ stores: StoreRegistry = .standard
  ) throws(ConfigFault) -> Answer {
    let paths = try Paths(environment, config: options.config)
    let report = try ClubSetup.report(paths, options, environment, stores)
    let config = try report.checked()
    // The list helps even if it is unclear which club opens.
    let chosen = try? ClubChoice(report, options: options, paths: paths, stores: stores).name
    let width = config.clubNames.map { TerminalText.columns($0) }.max() ?? 0
    return Answer(
      try config.clubNames.map { name throws(ConfigFault) in
        let place = try ClubChoice.place(of: name, config, paths, stores)
        var path: String?
        if case .directory(let directory) = place { path = directory }
        let words = paths.abbreviating(place.words)
        return Record(
          .members([
            "name": .string(name), "store": config.storeKind(of: name).map { .string($0) }, "place": .string(words),
            "path": path.map { .string($0) }, "selected": .bool(name == chosen),
          ]),
          line: (name == chosen ? "* " : "  ") + TerminalText.padded(name, width + 2) + words)
      })
  }
}

struct ClubInit: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a club's folder and its photos folder.",
    discussion: Examples.text([
      "byteclub club init": "the club of the config",
      "byteclub club init --folder ~/Garage": "a directory",
    ])
      + "\n\nExisting files stay as they are.")

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    try await WaitTeller.during(setup.choice.place, output) { (teller) throws(StoreError) in
      try await setup.makeClub(observer: { teller.take($0) })
    }
    setup.log.info("club init", ["place": setup.choice.place])
    return Answer(
      [
        Record(
          .members(["name": .string(setup.choice.name), "path": .string(setup.choice.directory ?? setup.choice.place)]),
          line: nil)
      ],
      notice: "The club's folder is \(setup.choice.place), its photos are in \(setup.config.photosFolder).")
  }
}
