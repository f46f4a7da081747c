import Database
import FileStores
import Synchronization
import Testing

@testable import ClubServices

/// A note that waits to be sent is shown as its member left it, not as the club has it.
@Suite struct OwnTextTests {
  private let world: NotesWorld
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    path = try StorePath("a.md")
  }

  private func kept(_ text: String, over base: Revision?, _ service: NotesService) async throws {
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await service.save(path, base: base, text: bytes(text), draft: nil).kept != nil)
    world.store.fail(nil)
  }

  private func shown(_ service: NotesService) async throws -> String {
    let beginning = try await service.beginning(of: path, limit: 100)
    let own = try await service.own(path)
    #expect(beginning.isOwn == (own != nil) && own.map { $0.bytes == beginning.bytes } ?? true)
    return String(decoding: beginning.bytes, as: UTF8.self)
  }

  @Test func `a changed note and a new one are mine until the club has them`() async throws {
    let service = try world.service()
    let entry = try await world.put("theirs", at: "a.md")
    #expect(try await shown(service) == "theirs" && service.outbox.exists)
    try await kept("mine", over: entry.revision, service)
    #expect(try await shown(service) == "mine")
    let own = try #require(try await service.own(path))
    #expect(own.entry.revision == entry.revision && own.entry.size == 4 && !own.isConflict)
    try await service.sendAll(conflicts: false) { _, _ in }
    #expect(try await service.own(path) == nil)
    #expect(try await world.text("a.md") == "mine")
  }

  @Test func `a new note that waits is listed with its size, and a text that waits replaces the size of the club's`()
    async throws
  {
    let service = try world.service()
    let there = try await world.put("theirs, and long", at: "a.md")
    try await kept("mine", over: there.revision, service)
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.create(named: "new", text: bytes("a new note"))
    _ = try await service.append(bytes("more"), to: try StorePath("log.md"))
    _ = try await service.save(try StorePath("photos/pier.jpg.md"), base: nil, text: bytes("Low tide"), draft: nil)
    let listed = await service.withOwn([there]).sorted { $0.path < $1.path }
    #expect(listed.map { "\($0.path) \($0.size ?? 0)" } == ["a.md 4", "log.md 4", "new.md 10"])
    #expect(try await service.own(try StorePath("photos/pier.jpg.md"))?.bytes == bytes("Low tide"))
  }

  @Test func `a search has the words of texts that wait, and not those that they replace`() async throws {
    let service = try world.service()
    let entry = try await world.put("an old door", at: "a.md")
    try await world.put("a door", at: "b.md")
    try await world.put("a list", at: "log.md")
    try await kept("a new window", over: entry.revision, service)
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.create(named: "new", text: bytes("a window, too"))
    _ = try await service.append(bytes("and a door"), to: try StorePath("log.md"))
    world.store.fail(nil)
    let matched = Mutex<[String: String]>([:])
    func found(_ words: String) async throws -> [String] {
      let all = try await service.search(for: words)
      #expect(all.failures.isEmpty && all.total == 4)
      let texts = try await service.texts(
        with: words,
        matched: { entry, text in matched.withLock { $0["\(entry.path)"] = String(decoding: text, as: UTF8.self) } })
      #expect(texts.found.map(\.entry.path) == all.found.map(\.entry.path))
      return all.found.map { "\($0.entry.path)" }
    }
    #expect(try await found("door") == ["b.md", "log.md"])
    #expect(try await found("window") == ["a.md", "new.md"])
    #expect(matched.withLock { $0["a.md"] } == "a new window")
    try await service.sendAll(conflicts: false) { _, _ in }
    #expect(try await found("door") == ["b.md", "log.md"])
  }

  @Test func `additions that wait are shown behind the club's text, or behind mine`() async throws {
    let service = try world.service()
    let entry = try await world.put("line 1", at: "a.md")
    world.store.fail(StoreError(.offline, "Away."))
    for line in ["line 2\n", "line 3\n"] { _ = try await service.append(bytes(line), to: path) }
    #expect(try await shown(service) == "line 1\nline 2\nline 3\n")
    #expect(await service.withOwn([entry]).map(\.size) == [6])
    try await kept("mine\n", over: entry.revision, service)
    #expect(try await shown(service) == "mine\n")
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.append(bytes("line 4\n"), to: path)
    #expect(try await shown(service) == "mine\nline 4\n")
  }

  @Test func `an addition that has arrived, though its answer was lost, is not shown twice`() async throws {
    let service = try world.service()
    try await world.put("line 1\n", at: "a.md")
    world.store.afterPut { _ async throws(StoreError) in throw StoreError(.offline, "Away.") }
    #expect(try await service.append(bytes("line 2\n"), to: path).kept != nil)
    #expect(try await world.text("a.md") == "line 1\nline 2\n")
    #expect(try await shown(service) == "line 1\nline 2\n")
  }

  @Test func `a conflict shows mine and says so`() async throws {
    let service = try world.service()
    let entry = try await world.put("base", at: "a.md")
    try await world.put("theirs", at: "a.md")
    #expect(
      try await service.save(path, base: entry.revision, text: bytes("mine"), draft: nil).conflict != nil)
    #expect(try await shown(service) == "mine")
    #expect(try await service.own(path)?.isConflict == true)
  }

  @Test func `a note that is away and a long text of mine are read from here`() async throws {
    let service = try world.service()
    try await kept(String(repeating: "é", count: 80), over: nil, service)
    let beginning = try await service.beginning(of: path, limit: 5)
    #expect(String(decoding: beginning.bytes, as: UTF8.self) == "éé" && beginning.isCut && beginning.isOwn)
  }
}
