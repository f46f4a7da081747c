import ArgumentParser
import ClubServices
import FileStores

/// `byteclub trash restore`.
struct TrashRestore: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put files back where they were.",
    discussion: Examples.text([
      "byteclub trash restore Answer.md": "the newest of that name",
      "byteclub trash restore photos/garage.jpg": "a photo",
    ]))

  @Argument(help: "The files, as trash ls names them; or their ids.") var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await Several.perform(names) { name throws(StoreError) in
      let trashed = try await session.open.notes.trashed()
      guard
        let file = trashed.first(where: { $0.id == name || $0.origin.bytes.elementsEqual(name.utf8) })
          ?? trashed.first(where: { $0.origin.name.elementsEqual(name.utf8) })
      else {
        throw StoreError(
          .notFound, "There is no \"\(name)\" in the trash.", remedy: "See what is there with: byteclub trash ls")
      }
      let entry = try await session.open.notes.restore(file.id)
      session.notice("Put \"\(entry.path)\" back.")
      return Record(.file(entry), line: nil)
    }
  }
}
