import ArgumentParser
import Basics
import Database
import ClubServices
import FileStores
import JSON
import TextUI

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Delete cached files, which byteclub makes again when needed.",
    discussion: Examples.text(["byteclub cache clear": "viewed photos, small pictures, the catalogue and local copies"]
    ),
    subcommands: [CacheClear.self])
}

struct CacheClear: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Delete viewed photos, small pictures, the catalogue and local copies.",
    discussion: Examples.text(["byteclub cache clear": "drafts, notes and what waits to be sent stay"])
      + "\n\nbyteclub downloads or makes them again when needed.")

  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let photos = try await session.open.photoCache.clear()
    let files = try await session.open.thumbnails.clear()
    let catalogue = session.open.catalogue
    let entries = try await session.setup.pool.run { () throws(StoreError) in try catalogue.clear() }
    let copies = LocalCopyDatabase(openingLater: session.setup.paths.copiesFile)
    try await session.setup.pool.run { () throws(StoreError) in try copies.clear() }
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
