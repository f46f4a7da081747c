import Backends
import Basics
import Database
import FileStores
import Synchronization
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

  /// Reads of a store in the order in which they begin. Each waits at the gate, or that of `held` alone.
  private final class Reads: StoreWrapper {
    let base: any FileStore
    private let gate: Gate
    private let held: String?
    private let begun = Mutex<[String]>([])

    init(_ base: any FileStore, _ gate: Gate, holding held: String? = nil) {
      (self.base, self.gate, self.held) = (base, gate, held)
    }

    var paths: [String] { begun.withLock { $0 } }

    func call<Answer: Sendable>(
      _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer {
      if call.name == .read {
        begun.withLock { $0.append("\(call.path)") }
        if held == nil || held == "\(call.path)" { await gate.wait() }
      }
      return try await body()
    }
  }

  /// Forty notes of which the last by name is the oldest; every fourth has the word.
  private func fortyNotes() async throws -> MemoryStore {
    let seconds = Atomic<Int64>(1000)
    let memory = MemoryStore(now: { Timestamp(seconds: seconds.wrappingAdd(1, ordering: .relaxed).newValue) })
    for number in (10..<50).reversed() {
      let text = number % 4 == 0 ? "a lighthouse" : "a pier"
      _ = try await memory.put(DataSource(text.utf8), at: try StorePath("\(number).md"), mode: .create)
    }
    return memory
  }

  @Test func `unread texts are read sixteen at once, newest first, each with one request`() async throws {
    let gate = Gate()
    let reads = Reads(try await fortyNotes(), gate)
    let world = try CopyWorld(reads)
    let process = try world.start()
    _ = try await process.names()
    _ = world.server.takeCalls()
    let progress = Mutex<[Int]>([])
    let search = Task {
      try await process.notes.search(for: "lighthouse") { done, total in
        progress.withLock { $0.append(total - done) }
      }
    }
    await gate.arrivals(16)
    #expect(Set(reads.paths) == Set((10..<26).map { "\($0).md" }))
    gate.open()
    #expect(try await search.value.found.count == 10)
    let calls = world.server.takeCalls()
    #expect(calls[.read] == 40 && calls[.entry] == nil, "\(calls)")
    #expect(progress.withLock { $0.sorted() } == Array(0...40))
  }

  @Test func `nothing is read ahead while a search reads, and what it has read is not read again`() async throws {
    let gate = Gate()
    let reads = Reads(try await fortyNotes(), gate)
    let world = try CopyWorld(reads)
    let process = try world.start()
    _ = try await process.names()
    let search = Task { try await process.notes.search(for: "lighthouse") }
    await gate.arrivals(16)
    try await process.copy.keepTexts()
    #expect(reads.paths.count == 16)
    gate.open()
    #expect(try await search.value.found.count == 10)
    await process.copy.lines.wait(for: "persist")
    try await process.copy.keepTexts()
    #expect(reads.paths.count == 40)
  }

  @Test func `each hit is reported as soon as its text is there, and a cancelled search reads no more`() async throws {
    let (gate, all) = (Gate(), Gate())
    let memory = try await fortyNotes()
    // The oldest note, which does not have the word.
    let world = try CopyWorld(Reads(memory, gate, holding: "49.md"))
    let process = try world.start()
    _ = try await process.names()
    let found = Mutex<[String]>([])
    let search = Task {
      try await process.notes.search(
        for: NoteQuery(plain: "lighthouse"),
        found: { note in
          let count = found.withLock { found in
            found.append("\(note.entry.path)")
            return found.count
          }
          if count == 10 { all.open() }
        })
    }
    // All hits are there while the search still waits for its last text.
    await all.wait()
    await gate.arrivals(1)
    gate.open()
    #expect(try await search.value.found.map { "\($0.entry.path)" } == found.withLock { $0.sorted() })

    let closed = Gate()
    let reads = Reads(memory, closed)
    let other = try CopyWorld(reads)
    let second = try other.start()
    _ = try await second.names()
    let cancelled = Task { await kind { _ = try await second.notes.search(for: "lighthouse") } }
    await closed.arrivals(16)
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled)
    #expect(reads.paths.count == 16)
  }

  @Test func `a note that has changed since its listing is searched as it is now`() async throws {
    let world = try CopyWorld()
    try await world.put("a pier", at: "a.md")
    let process = try world.start()
    _ = try await process.names()
    try await world.put("a lighthouse", at: "a.md")
    let search = try await process.notes.search(for: "lighthouse")
    #expect(search.found.map { "\($0.entry.path)" } == ["a.md"] && search.failures.isEmpty)
  }

  @Test func `a large text that was read once is not fetched again for its revision`() async throws {
    let world = try CopyWorld()
    try await world.put(String(repeating: "a long walk\n", count: 200_000) + "to the lighthouse", at: "long.md")
    let process = try world.start()
    _ = try await process.names()
    try await process.copy.keepTexts()
    // It is not read ahead of the member.
    #expect(world.server.takeCalls()[.read] == nil)
    for round in 1...2 {
      let search = try await process.notes.search(for: "lighthouse")
      #expect(search.found.map(\.lines.first?.number) == [200_001])
      await process.copy.lines.wait(for: "persist")
      #expect(world.server.takeCalls()[.read] == (round == 1 ? 1 : nil))
    }
    #expect(await process.notes.hasCopied(try StorePath("long.md")))
    try await world.put("short now", at: "long.md")
    try await process.copy.refresh()
    #expect(!(await process.notes.hasCopied(try StorePath("long.md"))))
    #expect(!(await process.notes.hasCopied(try StorePath("nowhere.md"))))
    #expect(try await process.notes.search(for: "lighthouse").found.isEmpty)
  }
}
