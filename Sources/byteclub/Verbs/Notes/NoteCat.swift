import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub note cat`.
struct NoteCat: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print a note, byte by byte as it is.",
    discussion: Examples.text([
      "byteclub note cat Welcome.md": "print it",
      "byteclub note cat Welcome": "you may leave out the ending .md",
      "byteclub note cat Welcome --json": "its text and revision in one document",
    ]))

  @Argument(help: "The note.") var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let path = try await NoteName.entry(name, in: session.store).path
    let output = session.output
    guard session.isJSON else {
      _ = try await session.store.read(path, from: 0, ifRevision: nil) { chunk throws(StoreError) in
        output.bytes(chunk)
        if output.readerIsGone { throw .cancelled("Printing \"\(path)\"", path: path) }
      }
      return Answer()
    }
    let (bytes, entry) = try await session.store.readAll(path, limit: NotesService.mostNoteBytes)
    guard let text = String(validating: bytes, as: UTF8.self), case .object(let members) = JSONValue.file(entry) else {
      throw StoreError(
        .badInput, "\"\(path)\" is not UTF-8, so JSON cannot hold it.", remedy: "Leave out --json.", path: path)
    }
    return Answer([
      Record(.object(members + [JSONMember("text", .string(text))]), line: nil)
    ])
  }
}
