import ArgumentParser
import ClubServices
import FileStores

/// `byteclub note mv`.
struct NoteMove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Rename a note.",
    discussion: Examples.text([
      "byteclub note mv Draft.md Answer.md": "a taken name is an error, nothing is replaced",
      "byteclub note mv Draft.md Answer": "the same: the note keeps its ending",
    ]))

  @Argument(help: "The note.") var name: String
  @Argument(help: "Its new name.") var newName: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let there = try await NoteName.entry(name, in: session.store)
    let entry = try await session.open.notes.rename(there.path, to: newName)
    return Answer([Record(.file(entry), line: nil)], notice: "Renamed \"\(there.path)\" to \"\(entry.path)\".")
  }
}
