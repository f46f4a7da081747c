import ArgumentParser
import ClubServices
import FileStores

/// `byteclub note append`.
struct NoteAppend: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Add text at the end of a note.",
    discussion: Examples.text([
      "date | byteclub note append Log": "from standard input",
      "byteclub note append Log \"Rain at the pier\"": "from the command line",
      "byteclub note append Log - < day.md": "from a file",
    ])
      + "\n\nThe addition begins on a line of its own. A note that is not there is made; its name gets .md when it has no "
      + "ending. When somebody else changes the note in the meantime, the text is added to the newer one. While the server "
      + "is away, the text is kept on this machine, the exit code is 6, and byteclub adds it later.")

  @Argument(help: "The note.") var name: String
  @Argument(help: "The text; - or nothing is standard input.") var text: String = "-"
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await NoteTarget.find(name, session)
    let addition = text == "-" ? try await TextInput.read(text, session) : Array("\(text)\n".utf8)
    guard !addition.isEmpty else { return Answer([], notice: "Nothing to add to \"\(target.path)\".") }
    let notes = session.open.notes
    if case .unknown(let path, let error) = target {
      _ = try await notes.postpone(addition, for: path, base: nil, isAddition: true)
      throw error.ofKept(path)
    }
    switch try await notes.append(addition, to: target.path) {
    case .saved(let entry): return Answer([Record(.file(entry), line: nil)], notice: "Added to \"\(entry.path)\".")
    case .kept(_, let error): throw error.ofKept(target.path)
    case .conflict, .deleted:
      throw StoreError(
        .conflict, "\"\(target.path)\" changed in the meantime.", remedy: "Try again.", path: target.path)
    }
  }
}
