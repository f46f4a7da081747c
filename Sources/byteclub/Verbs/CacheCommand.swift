import ArgumentParser
import Database
import ClubServices
import FileStores
import JSON

/// `byteclub cache`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Delete cached files, which byteclub makes again when needed.",
    discussion: Examples.text(["byteclub cache clear": "small pictures, and what is known of the clubs' files"]),
    subcommands: [CacheClear.self])
}

/// `byteclub cache clear`.
struct CacheClear: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Delete the small pictures and the catalogue; both are made again when needed.",
    discussion: Examples.text(["byteclub cache clear": "drafts and notes are not touched"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let files = try await session.open.thumbnails.clear()
    let catalogue = session.open.catalogue
    let entries = try await session.setup.pool.run { () throws(StoreError) in try catalogue.clear() }
    return Answer(
      [Record(.members(["thumbnails": .number(files), "entries": .number(entries)]), line: nil)],
      notice: "Deleted \(files) small pictures and \(entries) entries of the catalogue.")
  }
}
