import ArgumentParser
import Backends
import Basics
import ClubServices
import FileStores
import JSON
import TextUI

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

struct ClubList: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the clubs of the config.",
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
        let gap = String(repeating: " ", count: width - TerminalText.columns(name) + 2)
        return Record(
          .members([
            "name": .string(name), "store": config.storeKind(of: name).map { .string($0) }, "place": .string(words),
            "path": path.map { .string($0) }, "selected": .bool(name == chosen),
          ]),
          line: (name == chosen ? "* " : "  ") + name + gap + words)
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

struct ClubExportVerb: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy all of the club's files into a directory.",
    discussion: Examples.text([
      "byteclub club export ~/club-copy": "notes and photos, with their folders",
      "byteclub club export --replace ~/club-copy": "every night: new and changed files",
    ])
      + "\n\nbyteclub does not download files again that the directory already has with the same content: an interrupted export "
      + "goes on. A file with other content stays and is listed, unless you add --replace. Nothing is removed. "
      + "Saves that wait on this machine to be sent are not in the club yet, and not among the files.")

  @Argument(help: "The directory; byteclub makes it when needed.", completion: .directory) var directory: String
  @Flag(name: .long, help: "Replace files that differ from the club's.") var replace = false
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await ExportDirectory.open(directory, session.setup)
    let printer = ExportPrinter(reporting.style(session.output, isJSON: session.isJSON), session.output)
    let outcome: ClubExport.Outcome
    do throws(StoreError) {
      let export = ClubExport(from: session.store, to: target.store, pool: session.setup.pool)
      outcome = try await export.run(replaces: replace) { printer.tell($0) }
    } catch {
      printer.finish()
      throw error
    }
    printer.finish()
    let (files, bytes) = (outcome.written.files, outcome.written.bytes)
    var answer = Answer(
      [
        Record(
          .members([
            "path": .string(target.path), "written": .number(files), "bytes": .number(bytes),
            "kept": .number(outcome.kept),
          ]), line: nil)
      ],
      notice: "\(files) \(files == 1 ? "file" : "files") (\(ByteCount.text(bytes))) copied to "
        + session.setup.paths.abbreviating(target.path)
        + (outcome.kept > 0 ? ", \(outcome.kept) \(outcome.kept == 1 ? "was" : "were") there already." : "."))
    answer.failures = outcome.failures
    return answer
  }
}

struct ExportDirectory {
  /// Absolute.
  let path: String
  let store: any FileStore

  /// - Throws: `badInput` if the directory is inside the club's own; errors of opening or making it.
  static func open(_ word: String, _ setup: ClubSetup) async throws(StoreError) -> ExportDirectory {
    let pool = setup.pool
    if let club = setup.choice.directory {
      let (path, own) = await pool.run { (LocalDirectory.resolved(word), LocalDirectory.resolved(club)) }
      guard !(path + "/").hasPrefix(own + "/") else {
        throw StoreError(
          .badInput, "\(word) is inside the club.", remedy: "Name a directory outside \(setup.choice.place)."
        )
      }
    }
    let code = await pool.run { LocalDirectory.make(word) }
    guard code == 0 else {
      throw StoreError(
        .notPermitted, "byteclub cannot make the directory \(word): \(SystemError.text(code)).",
        remedy: "Name another directory.")
    }
    let path = await pool.run { LocalDirectory.absolute(word) }
    let store = try FolderStore(root: path, pool: pool, isFollowed: false, keepsVersions: false)
    return ExportDirectory(path: path, store: store)
  }
}
