import Backends
import Database
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Texts that are nowhere else: whatever happens, they are in the club, wait, or are drafts.
@Suite struct KeepingTests {
  private let world: NotesWorld
  private let path: StorePath

  init() throws {
    world = try NotesWorld()
    path = try StorePath("log.md")
  }

  private func kinds(_ service: NotesService) async throws -> [WaitingText.Kind] {
    try await service.waiting().map(\.kind)
  }

  @Test(arguments: [
    (StoreError.Kind.offline, WaitingText.Kind.toSend), (.server, .toSend), (.rateLimited, .toSend),
    (.notSignedIn, .toSend), (.notPermitted, .toSend), (.quota, .toSend), (.notFound, .toSend),
    (.unsupported, .toSend), (.badInput, .draft), (.badName, .draft), (.tooLarge, .draft), (.conflict, .draft),
  ])
  func `a text from a pipe waits for what is missing now, and is a draft for what the store refuses`(
    error: StoreError.Kind, kind: WaitingText.Kind
  ) async throws {
    let service = try world.service()
    for text in ["one", "two"] {
      world.store.beforePut { path throws(StoreError) in throw StoreError(error, "No.", path: path) }
      let kept = try await service.save(
        try StorePath("\(text).md"), base: nil, text: bytes(text), draft: nil, isOnlyCopy: true
      ).kept
      #expect(kept?.error.kind == error)
    }
    #expect(try await kinds(service) == [kind, kind])
    // A draft is never sent by itself.
    world.store.beforePut(nil)
    try await service.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.names == (kind == .draft ? [] : ["one.md", "two.md"]))
    for text in try await service.waiting() { _ = try await service.send(text) }
    #expect(try await world.names == ["one.md", "two.md"])
    #expect(try await world.text("one.md") == "one")
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `a refused text that becomes a draft has its base, so that sending it overwrites nothing`() async throws {
    let seen = try await world.put("seen\n", at: "log.md")
    try await world.put("theirs\n", at: "log.md")
    let service = try world.service()
    let conflict = try #require(
      try await service.save(path, base: seen.revision, text: bytes("mine\n"), draft: nil, isOnlyCopy: true).conflict)
    try await service.keepAsDraft(conflict.save)
    let draft = try #require(try await service.waiting().first)
    #expect(draft.kind == .draft && draft.base == seen.revision)
    #expect(try await service.text(of: draft.id) == bytes("mine\n"))
    let again = try #require(try await service.send(draft).conflict)
    #expect(again.mine == bytes("mine\n") && again.theirs == bytes("theirs\n"))
    #expect(try await world.text("log.md") == "theirs\n")
  }

  @Test func `the same refused text is one draft, however often it is tried`() async throws {
    let service = try world.service()
    for _ in 0..<3 {
      world.store.beforePut { _ throws(StoreError) in throw StoreError(.tooLarge, "Too large.") }
      _ = try await service.save(path, base: nil, text: bytes("mine"), draft: nil, isOnlyCopy: true)
    }
    #expect(try await kinds(service) == [.draft])
  }

  @Test func `a text that was kept before the store was asked waits, or is a draft`() async throws {
    let service = try world.service()
    try await service.keep(bytes("one"), for: try StorePath("1.md"), base: nil, after: StoreError(.notSignedIn, "No."))
    try await service.keep(bytes("two"), for: try StorePath("2.md"), base: nil, after: StoreError(.badInput, "No."))
    #expect(try await kinds(service) == [.toSend, .draft])
  }

  @Test func `cancelling ends the wait for the store at once, and the text is kept`() async throws {
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in await door.pass() }
    let service = try world.service()
    let path = path
    let waiting = Task {
      try await service.save(path, base: nil, text: bytes("mine"), draft: nil, isOnlyCopy: true)
    }
    await door.arrivals(1)
    waiting.cancel()
    let kept = try #require(try await waiting.value.kept)
    #expect(kept.error.kind == .cancelled)
    #expect(try world.outbox.text(ofSave: kept.id)?.bytes == bytes("mine"))
    door.open()
    await service.sending.wait(for: path)
    #expect(try await world.text("log.md") == "mine")
  }

  // MARK: - A removed note

  @Test func `removing a note makes drafts of its waiting texts, and none brings it back`() async throws {
    let entry = try await world.put("old\n", at: "log.md")
    world.store.beforePut { _ throws(StoreError) in throw StoreError(.notPermitted, "Read-only.") }
    let service = try world.service()
    _ = try await service.save(path, base: entry.revision, text: bytes("newest\n"), draft: nil, isOnlyCopy: true)
    _ = try await service.append(bytes("added\n"), to: path, seen: entry.revision)
    world.store.beforePut(nil)
    _ = try await service.trash(path)
    #expect(try await kinds(service) == [.draft, .draft])
    try await service.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.names == [])
    var texts: Set<String> = []
    for text in try await service.waiting() {
      texts.insert(String(decoding: try await service.text(of: text.id), as: UTF8.self))
    }
    #expect(texts == ["newest\n", "added\n"])
  }

  @Test func `an addition does not make a note again that someone else removed, and is a draft`() async throws {
    let entry = try await world.put("one\n", at: "log.md")
    world.store.fail(StoreError(.offline, "Away."))
    let service = try world.service()
    _ = try await service.append(bytes("two\n"), to: path, seen: entry.revision)
    world.store.fail(nil)
    try await world.memory.delete(path, ifRevision: nil)
    var told: [StoreError] = []
    try await service.sendAll(conflicts: false) { _, outcome in if let kept = outcome.kept { told.append(kept.error) } }
    #expect(told.map(\.kind) == [.conflict])
    #expect(try await world.names == [])
    #expect(try await kinds(service) == [.draft])
    let draft = try #require(try await service.waiting().first)
    #expect(try await service.send(draft).saved != nil)
    #expect(try await world.text("log.md") == "two\n")
  }

  // MARK: - Nobody's and another's

  private func service(key: String, strays: String = "~/Club\nnobody") throws -> NotesService {
    let world = world
    let club = Club(
      name: "home", place: "~/Club", key: key, strays: strays, memberName: { "ann" }, store: world.store,
      photosFolder: try StorePath("photos"))
    let drafts = DraftJournal(
      club: club, outbox: world.outbox, basesDirectory: world.bases, pool: world.pool,
      onFailure: { [failures = world.failures] in failures.add($0) })
    return NotesService(
      club: club, outbox: world.outbox, drafts: drafts,
      folderAt: { [pool = world.pool] path throws(StoreError) in try FolderStore(root: path, pool: pool) },
      editsDirectory: world.edits)
  }

  @Test func `what waits for one account is neither shown to another one nor sent by it`() async throws {
    world.store.fail(StoreError(.offline, "Away."))
    let ann = try service(key: "~/Club\naccount ann")
    _ = try await ann.save(path, base: nil, text: bytes("secret"), draft: nil, isOnlyCopy: true)
    world.store.fail(nil)
    let eve = try service(key: "~/Club\naccount eve")
    #expect(try await eve.waiting().isEmpty)
    try await eve.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.names == [])
    #expect(try await ann.waiting().count == 1)
    try await ann.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("log.md") == "secret")
  }

  @Test func `a text of nobody is a draft that every account sees, and only the member sends`() async throws {
    world.store.fail(StoreError(.notSignedIn, "No."))
    let nobody = try service(key: "~/Club\nnobody")
    _ = try await nobody.save(path, base: nil, text: bytes("mine"), draft: nil, isOnlyCopy: true)
    #expect(try await kinds(nobody) == [.draft])
    world.store.fail(nil)
    let ann = try service(key: "~/Club\naccount ann")
    try await ann.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.names == [])
    let draft = try #require(try await ann.waiting().first)
    #expect(draft.kind == .draft)
    #expect(try await ann.send(draft).saved != nil)
    #expect(try await world.text("log.md") == "mine")
    #expect(try await nobody.waiting().isEmpty)
  }

  // MARK: - Sent by itself

  @Test func `a newer text over the same revision takes the place of one that waits`() async throws {
    let seen = try await world.put("seen\n", at: "log.md")
    let service = try world.service()
    world.store.beforePut { path throws(StoreError) in throw StoreError(.server, "No.", path: path) }
    _ = try await service.save(path, base: seen.revision, text: bytes("one\n"), draft: nil, isOnlyCopy: true)
    world.store.beforePut(nil)
    _ = try await service.save(path, base: seen.revision, text: bytes("two\n"), draft: nil, isOnlyCopy: true)
    await service.dropReplaced(path, over: seen.revision)
    #expect(try await kinds(service) == [.discarded])
    #expect(try await service.own(path) == nil)
    #expect(try await world.text("log.md") == "two\n")
  }

  @Test func `the pauses between tries grow, up to a quarter of an hour`() {
    let pauses = (0..<9).map { NotesService.secondsBeforeRetry(refusals: $0) }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 640, 900, 900])
  }

  @Test func `a refused text is tried again when it is due, and its refusal is reported once`() async throws {
    let clock = ManualTime()
    world.store.beforePut { _ throws(StoreError) in throw StoreError(.quota, "Full.") }
    let drafts = try world.journal()
    let service = NotesService(
      club: try world.club(), outbox: world.outbox, drafts: drafts,
      folderAt: { [pool = world.pool] path throws(StoreError) in try FolderStore(root: path, pool: pool) },
      editsDirectory: world.edits, now: { clock.now })
    _ = try await service.save(path, base: nil, text: bytes("mine"), draft: nil, isOnlyCopy: true)
    func round() async throws -> [Int] {
      let before = world.store.puts.count
      var told = 0
      try await service.sendAll(conflicts: false, onlyDue: true) { _, _ in told += 1 }
      return [world.store.puts.count - before, told]
    }
    let later = Timestamp(seconds: clock.now.seconds + 10_000)
    #expect(try await !service.hasToSend(before: later))
    #expect(try await round() == [0, 0])
    clock.add(10)
    #expect(try await service.hasToSend(before: later))
    // It is due; what it waits for is not the time.
    #expect(await service.pauseBeforeSending(longest: .seconds(60)) == .seconds(60))
    #expect(try await round() == [1, 0])
    #expect(try await round() == [0, 0])
    #expect(await service.pauseBeforeSending(longest: .seconds(60)) == .seconds(20))
    clock.add(20)
    // Another reason is news.
    world.store.beforePut { _ throws(StoreError) in throw StoreError(.notPermitted, "Read-only.") }
    #expect(try await round() == [1, 1])
    // The member's request needs no due time.
    world.store.beforePut(nil)
    try await service.sendAll(conflicts: false) { _, _ in }
    #expect(try await world.text("log.md") == "mine")
  }
}

/// A time that a test sets.
private final class ManualTime: Sendable {
  private let seconds = Mutex<Int64>(1_000_000)

  var now: Timestamp { seconds.withLock { Timestamp(seconds: $0) } }

  func add(_ more: Int64) { seconds.withLock { $0 += more } }
}
