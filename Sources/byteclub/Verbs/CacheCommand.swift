import ArgumentParser
import Database
import ClubServices
import FileStores
import JSON
import TextUI

/// `byteclub cache`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Delete cached files, which byteclub makes again when needed.",
    discussion: Examples.text(["byteclub cache clear": "viewed photos, small pictures and the catalogue"]),
    subcommands: [CacheClear.self])
}

/// `byteclub cache clear`.
struct CacheClear: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Delete viewed photos, small pictures and the catalogue.",
    discussion: Examples.text(["byteclub cache clear": "drafts and notes stay"])
      + "\n\nbyteclub downloads or makes them again when needed.")

  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let photos = try await session.open.photoCache.clear()
    let files = try await session.open.thumbnails.clear()
    let catalogue = session.open.catalogue
    let entries = try await session.setup.pool.run { () throws(StoreError) in try catalogue.clear() }
    return Answer(
      [
        Record(
          .members([
            "photos": .number(photos.photos), "photoBytes": .number(photos.bytes), "thumbnails": .number(files),
            "entries": .number(entries),
          ]), line: nil)
      ],
      notice: "Deleted \(Self.count(photos.photos, "photo", "photos")) (\(ByteCount.text(photos.bytes))), "
        + "\(Self.count(files, "small picture", "small pictures")) and "
        + "\(Self.count(entries, "entry", "entries")) of the catalogue.")
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
