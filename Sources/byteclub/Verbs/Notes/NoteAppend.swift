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
      + "\n\nThe text begins on a new line. A missing note is made; its name gets .md when it has no "
      + "ending. When someone else changes the note in the meantime, byteclub adds the text to the newer version. While the server "
      + "is away, the text is kept on this machine, the exit code is 6, and byteclub adds it later.")

  @Argument(help: "The note.") var name: String
  @Argument(help: "The text; - or nothing is standard input.") var text: String = "-"
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await NoteTarget.find(name, session)
    let addition = text == "-" ? try await TextInput.read(text, session) : Array("\(text)\n".utf8)
    guard !addition.isEmpty else { return Answer([], notice: "The text is empty; \"\(target.path)\" is unchanged.") }
    let notes = session.open.notes
    if case .unknown(let path, let error) = target {
      _ = try await notes.postpone(addition, for: path, base: nil, isAddition: true)
      throw error.ofKept(path)
    }
    switch try await notes.append(addition, to: target.path) {
    case .saved(let entry):
      return Answer([Record(.file(entry), line: nil)], notice: "Added to \"\(entry.path)\".\(entry.lossSentence)")
    case .kept(_, let error): throw error.ofKept(target.path)
    case .conflict, .deleted:
      throw StoreError(
        .conflict, "Someone else changed \"\(target.path)\" in the meantime.", remedy: "Try again.", path: target.path)
    }
  }
}
