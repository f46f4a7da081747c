import ArgumentParser
import FileStores
import Transfers

/// `byteclub note put`.
struct NotePut: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Write a note from a file or from standard input.",
    discussion: Examples.text([
      "byteclub note put Answer answer.md": "from a file",
      "date | byteclub note put Log": "from standard input",
      "byteclub note put Log log.md --if-rev REV": "only over this revision",
    ])
      + "\n\nA note that is there is replaced only when nobody has changed it since the command began; otherwise the "
      + "exit code is 5 and nothing is written. A new note whose name has no ending gets .md.")

  @Argument(help: "The note.") var name: String
  @Argument(help: "The file; - or nothing is standard input.", completion: .file()) var file: String = "-"
  @Option(name: .customLong("if-rev"), help: ArgumentHelp("Write only when this revision is there.", valueName: "rev"))
  var revision: String?
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let (path, mode) = try await target(session.store)
    let entry = try await session.store.put(try await source(session), at: path, mode: mode)
    return Answer([Record(.file(entry), line: nil)], notice: "Saved \"\(entry.path)\".")
  }

  private func target(_ store: any FileStore) async throws(StoreError) -> (StorePath, WriteMode) {
    do throws(StoreError) {
      let there = try await NoteName.entry(name, in: store)
      if let revision { return (there.path, .replace(Revision(revision))) }
      return (there.path, there.revision.map { .replace($0) } ?? .overwrite)
    } catch {
      guard error.kind == .notFound else { throw error }
      let path = try NoteName.newPath(name)
      return (path, revision.map { .replace(Revision($0)) } ?? .create)
    }
  }

  private func source(_ session: Session) async throws(StoreError) -> any ByteSource {
    guard file == "-" else { return try await FileSource(path: file, pool: session.setup.pool) }
    if StandardInput.isTerminal { session.notice("Type the note. Ctrl-D at the beginning of a line ends it.") }
    return DataSource(try await StandardInput.read(session.setup.pool))
  }
}
