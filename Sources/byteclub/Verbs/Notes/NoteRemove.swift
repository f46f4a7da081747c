import ArgumentParser
import ClubServices
import FileStores

/// `byteclub note rm`.
struct NoteRemove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Put notes into the trash.",
    discussion: Examples.text([
      "byteclub note rm Draft": "put it into the trash",
      "byteclub trash restore Draft.md": "get it back",
    ]))

  @Argument(help: "The notes.") var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await Several.perform(names) { name throws(StoreError) in
      let there = try await NoteName.entry(name, in: session.store)
      let file = try await session.open.notes.trash(there.path)
      session.notice("Put \"\(file.origin)\" into the trash.")
      return Record(.trashed(file), line: nil)
    }
  }
}
