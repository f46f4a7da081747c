import ArgumentParser
import Backends
import Basics
import ClubServices
import FileStores
import JSON
import TextUI

struct ClubExportVerb: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy all of the club's files into a directory.",
    discussion: Examples.text([
      "byteclub club export ~/club-copy": "notes and photos, with their folders",
      "byteclub club export --replace ~/club-copy": "every night: new and changed files",
    ])
      + "\n\nbyteclub does not download files again that the directory already has with the same content: an interrupted export "
      + "goes on. A file with other content stays and is listed, unless you add --replace. Nothing is removed; with --replace, "
      + "a file in the place of a folder gets another name, and a folder in the place of a file. "
      + "Links and devices in a club's folder are named and left out. "
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
    var answer = outcome.answer(
      [JSONMember("path", .string(target.path))], to: session.setup.paths.abbreviating(target.path))
    let waiting = try await session.open.notes.unsent().count
    if waiting > 0 {
      answer.notices.append(
        "\(waiting == 1 ? "A text of yours waits" : "\(waiting) texts of yours wait") to be sent and "
          + "\(waiting == 1 ? "is" : "are") not among the files. To see what waits: byteclub draft ls")
    }
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
    try await make(word, pool)
    let path = await pool.run { LocalDirectory.absolute(word) }
    let store = try FolderStore(root: path, pool: pool, isFollowed: false, keepsVersions: false)
    return ExportDirectory(path: path, store: store)
  }

  static func make(_ directory: String, _ pool: BlockingPool) async throws(StoreError) {
    let code = await pool.run { LocalDirectory.make(directory) }
    guard code == 0 else {
      throw StoreError(
        .notPermitted, "byteclub cannot make the directory \(directory): \(SystemError.text(code)).",
        remedy: "Name another directory.")
    }
  }
}

struct ClubCopyVerb: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy all of a club's files into another club, whatever their stores are.",
    discussion: Examples.text([
      "byteclub club copy home bucket": "from one club of the config to another",
      "byteclub club copy --dry-run home bucket": "list the files that would be copied",
      "byteclub club copy --replace cloud ~/backup": "a directory, by a path with a slash",
    ])
      + "\n\nFiles that are there with the same content stay, so an interrupted copy goes on. A file with other content stays and "
      + "is listed, unless you add --replace. Nothing is removed. Each file that reaches a club behind a network is compared "
      + "by its hash: by the server, or by byteclub, which reads the file back if the store does not tell a hash.")

  @Argument(help: "The club to copy, by its name, or a directory.", completion: .directory) var from: String
  @Argument(help: "The club to copy to, by its name, or a directory.", completion: .directory) var to: String
  @Flag(name: .long, help: "Replace files that differ.") var replace = false
  @Flag(name: .long, help: "List the files that would be copied, and copy none.") var dryRun = false
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let (source, target) = (try ClubSide(from, shared.start), try ClubSide(to, shared.start))
    guard source.identity != target.identity else {
      throw StoreError(.badInput, "\"\(from)\" and \"\(to)\" are the same club.", remedy: "Name another club.")
    }
    let remote = target.setup.route == nil ? source : target
    return try await WaitTeller.during(remote.setup.choice.place, output) { (teller) throws(StoreError) in
      let inner = try await target.isInside(source)
      guard !inner, try await !source.isInside(target) else {
        throw StoreError(
          .badInput, "\(inner ? to : from) is inside \(inner ? from : to).", remedy: "Name a directory outside of it.")
      }
      if !dryRun { try await target.makeDirectory() }
      let store = try source.setup.openStore(observer: { teller.take($0) })
      // A directory that does not exist has no files, and nothing is made for a list.
      let goal = dryRun && target.isMissing ? nil : try target.setup.openStore(observer: { teller.take($0) })
      guard !dryRun, let goal else {
        return preview(try await ClubExport.preview(of: store, to: goal, replaces: replace), target)
      }
      let copy = ClubExport(from: store, to: goal, pool: target.setup.pool, verifies: target.setup.route != nil)
      let printer = ExportPrinter(reporting.style(output, isJSON: shared.json), output)
      defer { printer.finish() }
      let outcome = try await copy.run(replaces: replace) { printer.tell($0) }
      target.setup.log.info("club copy", ["from": source.setup.choice.place, "to": target.setup.choice.place])
      return outcome.answer(
        [
          JSONMember("from", .string(source.setup.choice.place)), JSONMember("to", .string(target.setup.choice.place)),
        ],
        to: target.setup.choice.place)
    }
  }

  private func preview(_ preview: ClubExport.Preview, _ target: ClubSide) -> Answer {
    var answer = Answer(
      preview.files.map { entry, isReplacing in
        Record(
          .members([
            "path": .string("\(entry.path)"), "size": entry.size.map { .number($0) }, "replaces": .bool(isReplacing),
          ]),
          line: "\(isReplacing ? "replace" : "copy   ")  \(TerminalText.filtered(entry.path.bytes))")
      },
      notice: ClubExport.Outcome.sentence(
        preview.files.count, preview.bytes, kept: preview.kept, "would be copied to \(target.setup.choice.place)")
        + ClubExport.sentences(preview.aside, "would be"))
    answer.failures = preview.failures
    answer.notices += ClubExport.Outcome.sentences(leftOut: preview.leftOut)
    return answer
  }
}

/// One side of a copy.
private struct ClubSide {
  let setup: ClubSetup
  var identity: String { setup.choice.kind.identity(of: setup.choice.store) }

  /// A word with a slash is a directory, any other word the name of a club.
  init(_ word: String, _ options: StartOptions) throws {
    var options = options
    (options.club, options.folder) = PathText.hasSlash(word) ? (nil, word) : (word, nil)
    setup = try ClubSetup(options)
  }

  /// True if both are directories, and this one is below the other.
  func isInside(_ other: ClubSide) async throws(StoreError) -> Bool {
    guard let own = setup.choice.directory, let outer = other.setup.choice.directory else { return false }
    return await setup.pool.run { (LocalDirectory.resolved(own) + "/").hasPrefix(LocalDirectory.resolved(outer) + "/") }
  }

  var isMissing: Bool { setup.choice.directory.map { !LocalDirectory.holdsAnything($0) } ?? false }

  func makeDirectory() async throws(StoreError) {
    if let directory = setup.choice.directory { try await ExportDirectory.make(directory, setup.pool) }
  }
}

extension ClubExport {
  /// Sentences after a space, such as ` The folder "sub" is now "sub (1)": the club has a file there.`
  fileprivate static func sentences(_ aside: [Move], _ verb: String) -> String {
    aside.map { move in
      let change = "\"\(move.from)\" \(verb) \"\(move.to)\""
      return move.isFolder
        ? " The folder \(change): the club has a file there." : " The file \(change): the club has a folder there."
    }.joined()
  }
}

extension ClubExport.Outcome {
  fileprivate func answer(_ places: [JSONMember], to place: String) -> Answer {
    var answer = Answer(
      [
        Record(
          .object(
            places + [
              JSONMember("written", .number(written.files)), JSONMember("bytes", .number(written.bytes)),
              JSONMember("kept", .number(kept)),
              JSONMember("leftOut", .array(leftOut.map { .string("\($0)") })),
            ]), line: nil)
      ],
      notice: Self.sentence(written.files, written.bytes, kept: kept, "copied to \(place)")
        + ClubExport.sentences(aside, "is now"))
    answer.notices += Self.sentences(leftOut: leftOut)
    answer.failures = failures
    return answer
  }

  fileprivate static func sentences(leftOut paths: [StorePath]) -> [String] {
    paths.map { "\"\($0)\" is a link or a device, and byteclub copies only files." }
  }

  /// "2 files (12 B) copied to ~/copy, 1 was there already."
  fileprivate static func sentence(_ files: Int, _ bytes: UInt64, kept: Int, _ done: String) -> String {
    "\(files) \(files == 1 ? "file" : "files") (\(ByteCount.text(bytes))) \(done)"
      + (kept > 0 ? ", \(kept) \(kept == 1 ? "was" : "were") there already." : ".")
  }
}
