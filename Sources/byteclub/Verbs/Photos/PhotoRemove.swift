import ArgumentParser
import ClubServices
import FileStores

/// `byteclub photo rm`.
struct PhotoRemove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Put photos into the trash.",
    discussion: Examples.text(["byteclub photo rm blurred.jpg": "byteclub trash restore gets it back"]))

  @Argument(help: "The photos.") var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await Several.perform(names) { name throws(StoreError) in
      let there = try await PhotoName.entry(name, session.open.club)
      let file = try await session.open.photos.trash(there.path)
      session.notice("Put \"\(name)\" into the trash.")
      return Record(.trashed(file), line: nil)
    }
  }
}
