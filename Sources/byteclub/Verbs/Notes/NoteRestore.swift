import ArgumentParser
import ClubServices
import FileStores

/// `byteclub note restore`.
struct NoteRestore: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make an older version of a note the newest again.",
    discussion: Examples.text([
      "byteclub note history Welcome": "shows the revisions",
      "byteclub note restore Welcome REV": "restore one of them",
    ])
      + "\n\nThe current text stays in the history. When someone else changes the note in the meantime, nothing is restored and "
      + "the exit code is 5.")

  @Argument(help: "The note.") var name: String
  @Argument(help: ArgumentHelp("The revision, as `note history` shows it.", valueName: "rev")) var revision: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let wanted = Revision(revision)
    let found = try await NoteName.withHistory(name, in: session.store) { (path) async throws(StoreError) in
      try await notes.history(of: path, limit: 1)
    }
    let entry = try await notes.restore(wanted, of: found.path, over: found.there?.revision)
    return Answer([Record(.file(entry), line: nil)], notice: "Restored \"\(entry.path)\".")
  }
}
