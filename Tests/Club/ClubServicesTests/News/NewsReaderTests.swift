import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Gives each file and version of a store an author.
struct AuthoredStore: StoreAround {
  let base: any FileStore
  let author: String

  init(_ base: any FileStore, author: String) { (self.base, self.author) = (base, author) }

  var capabilities: Capabilities { wrapped(base.capabilities) }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    func authored(_ entry: FileEntry) -> FileEntry {
      FileEntry(
        path: entry.path, kind: entry.kind, size: entry.size, modified: entry.modified, revision: entry.revision,
        member: author)
    }
    let answer = try await body()
    let written: (any Sendable)? =
      switch answer {
      case let versions as [FileEntry]: versions.map(authored)
      case let page as ListPage:
        ListPage(
          entries: page.entries.map(authored), isWhole: page.isWhole, next: page.next, changes: page.changes,
          unreadable: page.unreadable)
      default: nil
      }
    return written as? Answer ?? answer
  }
}

@Suite struct NewsReaderTests {
  private let world: NotesWorld
  private let catalogue: CatalogueDatabase

  init() throws {
    world = try NotesWorld()
    catalogue = try CatalogueDatabase(path: ":memory:")
  }

  private func reader() throws -> NewsReader { NewsReader(try world.service(), catalogue) }

  private static func words(_ look: NewsReader.Look) -> Set<String> {
    Set(look.items.map { "\($0.action) \($0.happening.thing)" })
  }

  @Test func `notes and remarks in folders that come into view are not reported, and later ones are`() async throws {
    try await world.put("a", at: "a.md")
    for path in ["trips/b.md", "walk.md"] { try await world.put("b", at: path) }
    try await world.put(Self.talk, at: "trips/b.md.talk.md")
    let club = try world.club()
    // As an earlier version has begun.
    let cursor = NewsCursor(club: club.key, catalogue: catalogue)
    let (files, _) = try world.service().sorted(try await world.service().allFiles(.full))
    try cursor.begin(
      files.map(\.file).filter { $0.path.parent.isRoot }.compactMap { NewsCursor.Mark($0) }, withFolders: false)
    #expect(try await reader().look().items.isEmpty)
    try await world.put("c", at: "trips/c.md")
    try await world.put(Self.talk + "- **ray** 2026-11-26 18:05Z bbbbbbbb: Or by boat.\n", at: "trips/b.md.talk.md")
    let look = try await reader().look()
    #expect(Set(look.items.map { "\($0.happening.thing)" }) == ["trips/b.md", "trips/c.md"] && look.items.count == 2)
  }

  private static let talk = """
    # Remarks on walk.md

    - **ray** 2026-11-26 18:04Z aaaaaaaa: Low tide only.

    """

  @Test func `the first look counts everything as reported, and only what comes later is news`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(Self.talk, at: "walk.md.talk.md")
    let first = try await reader().look()
    #expect(first.isFirst && first.items.isEmpty)
    #expect(try await Self.words(reader().look()).isEmpty)
    try await world.put("b", at: "walk.md")
    try await world.put("c", at: "new.md")
    try await world.put("no picture", at: "photos/pier.jpg")
    try await world.put("Low tide", at: "photos/pier.jpg.md")
    let look = try await reader().look()
    #expect(!look.isFirst)
    #expect(
      Self.words(look) == ["changed walk.md", "added new.md", "added photos/pier.jpg", "caption photos/pier.jpg"])
  }

  @Test func `a look marks nothing, and what is marked is reported no more`() async throws {
    _ = try await reader().look()
    try await world.put("a", at: "walk.md")
    let look = try await reader().look()
    #expect(Self.words(look) == ["added walk.md"])
    #expect(try await Self.words(reader().look()) == ["added walk.md"])
    try await reader().mark(look.items.map(\.mark) + look.rest)
    #expect(try await Self.words(reader().look()).isEmpty)
    try await world.put("b", at: "walk.md")
    #expect(try await Self.words(reader().look()) == ["changed walk.md"])
  }

  @Test func `a remark that waited for the network is news, however early its time is`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(Self.talk, at: "walk.md.talk.md")
    _ = try await reader().look()
    try await world.put(
      Self.talk + "- **eve** 2020-01-01 00:00Z bbbbbbbb: Written on the train.\n", at: "walk.md.talk.md")
    let look = try await reader().look()
    #expect(look.items.map(\.happening.kind) == [.remark("Written on the train.")])
    #expect(look.items.map(\.happening.member) == ["eve"])
    try await reader().mark(look.items.map(\.mark) + look.rest)
    #expect(try await reader().look().items.isEmpty)
  }

  @Test func `own remarks are no news`() async throws {
    try await world.put("a", at: "walk.md")
    _ = try await reader().look()
    // The member of the club is ann.
    try await world.put(
      Self.talk + "- **ann** 2026-11-26 18:05Z bbbbbbbb: At half tide, too.\n", at: "walk.md.talk.md")
    #expect(try await reader().look().items.map(\.happening.member) == ["ray"])
  }

  @Test(arguments: [("ann", 0), ("eve", 1)])
  func `a remark under this member's name is news if another one brought it`(row: (author: String, count: Int))
    async throws
  {
    let service = try world.service(store: AuthoredStore(world.memory, author: row.author))
    let reader = NewsReader(service, catalogue)
    try await world.put("a", at: "walk.md")
    _ = try await reader.look()
    try await world.put("# Remarks on walk.md\n\n- **ann** 2026-11-26 18:05Z bbbbbbbb: Mine.\n", at: "walk.md.talk.md")
    let items = try await reader.look().items
    #expect(items.map(\.happening.claim) == Array(repeating: "ann? brought by eve", count: row.count))
    var early: [Happening] = []
    let all = try await service.happenings { early = $0 }
    let claims = [early, all].map { $0.first { $0.kind == .remark("Mine.") }?.claim }
    #expect(claims == (row.count == 0 ? ["ann", "ann"] : ["ann", "ann? brought by eve"]))
  }

  @Test func `own writes are no news, also in a store that names no members`() async throws {
    _ = try await reader().look()
    let news = NewsService(club: try world.club().key, catalogue: catalogue, pool: world.pool)
    let store = SeenStore(world.memory, news: news, waits: true)
    _ = try await store.put(DataSource("a".utf8), at: try StorePath("own.md"), mode: .create)
    try await world.put("b", at: "other.md")
    #expect(try await Self.words(reader().look()) == ["added other.md"])
  }

  @Test func `the command and the app take no news from each other`() async throws {
    let news = NewsService(club: try world.club().key, catalogue: catalogue, pool: world.pool)
    _ = await news.marks(ofAll: [], in: .notes)
    _ = try await reader().look()
    let file = try await world.put("a", at: "walk.md")
    // The app shows it.
    await news.see([file])
    let look = try await reader().look()
    #expect(Self.words(look) == ["added walk.md"])
    try await reader().mark(look.items.map(\.mark))
    let other = try await world.put("b", at: "other.md")
    try await reader().mark(try await reader().look().items.map(\.mark))
    #expect(await news.compare([file, other], in: .notes).keys.map { "\($0)" } == ["other.md"])
  }

  @Test func `each account has a cursor of its own`() async throws {
    _ = try await reader().look()
    let other = NewsCursor(club: "~/Club\naccount:2", catalogue: catalogue)
    #expect(try !other.hasBegun())
    #expect(try NewsCursor(club: try world.club().key, catalogue: catalogue).hasBegun())
  }

  @Test func `a time asks for all that came after it, reported or not, and marks no remark before it`() async throws {
    let file = try await world.put("a", at: "walk.md")
    let time = try #require(file.modified)
    try await world.put(Self.talk, at: "walk.md.talk.md")
    #expect(try await reader().look(since: Timestamp(seconds: time.seconds - 60)).isFirst == false)
    _ = try await reader().look()
    let look = try await reader().look(since: Timestamp(seconds: 0))
    #expect(Self.words(look) == ["changed walk.md", "remark walk.md"])
    #expect(try await reader().look(since: Timestamp(seconds: time.seconds + 3600)).items.isEmpty)
    #expect(look.rest.isEmpty)
  }
}
