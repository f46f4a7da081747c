import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Searching a club behind a network in its local copy.
@Suite struct CopySearchTests {
  @Test func `a command's search asks for changes first, and says how old the copy is when the server is away`()
    async throws
  {
    let world = try CopyWorld()
    try await world.put("one lighthouse", at: "a.md")
    try await world.visit()
    try await world.put("another lighthouse", at: "b.md")
    let online = try world.start(.checked)
    #expect(try await online.notes.search(for: "lighthouse").found.map { "\($0.entry.path)" } == ["a.md", "b.md"])
    #expect(online.copy.servedFrom == nil)
    try await online.copy.keepTexts()
    await online.copy.lines.wait(for: "persist")
    world.server.isAway = true
    let away = try world.start(.checked)
    let search = try await away.notes.search(for: "lighthouse")
    #expect(search.found.map { "\($0.entry.path)" } == ["a.md", "b.md"] && search.failures.isEmpty)
    #expect(away.copy.servedFrom != nil)
  }

  @Test func `a search while the server is away fails for what the copy has not kept, and for nothing else`()
    async throws
  {
    let world = try CopyWorld()
    try await world.put("one lighthouse", at: "a.md")
    try await world.put("picture", at: "photos/pier.jpg")
    try await world.put("the lighthouse at noon", at: "photos/pier.jpg.md")
    func photos(_ process: CopyWorld.Process) throws -> PhotosService {
      let cache = "\(world.folder)/cache"
      return PhotosService(
        club: Club(
          name: "lab", place: "https://club", memberName: { "ann" }, store: process.store,
          photosFolder: try StorePath("photos"), copy: process.copy),
        thumbnails: ThumbnailCache(
          directory: cache, catalogue: try CatalogueDatabase(path: ":memory:"), limitBytes: 1 << 20, pool: world.pool),
        transfers: OrderBook(), storeWord: "memory:", pool: world.pool, decoder: InProcessDecoder(pool: world.pool))
    }
    let first = try world.start()
    _ = try await first.names()
    _ = try await photos(first).search(for: "noon")
    await first.copy.lines.wait(for: "persist")
    try await first.copy.keepTexts()
    await first.copy.lines.wait(for: "persist")
    try await world.put("a new lighthouse", at: "new.md")
    try await first.copy.refresh()
    await first.copy.lines.wait(for: "persist")
    world.server.isAway = true
    let away = try world.start(.checked)
    let found = try await photos(away).search(for: "noon")
    #expect(found.found.map { "\($0.entry.path)" } == ["photos/pier.jpg"] && found.failure == nil)
    let notes = try await away.notes.search(for: "lighthouse")
    #expect(notes.found.map { "\($0.entry.path)" } == ["a.md"])
    #expect(notes.failures.map(\.kind) == [.offline])
  }
}
