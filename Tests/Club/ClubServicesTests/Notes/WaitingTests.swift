import Backends
import Database
import FileStores
import Foundation
import TestKit
import Testing

@testable import ClubServices

@Suite struct WaitingTests {
  private let world: NotesWorld
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    path = try StorePath("a.md")
  }

  /// Types a text into a new draft that begins with `start`, and presses Done.
  private func done(
    _ text: String, from start: String, base: Revision?, _ service: NotesService
  ) async throws -> SaveOutcome {
    let draft = service.drafts.begin(path, title: "", base: base, text: bytes(start))
    service.drafts.record(
      [DraftEdit(offset: 0, removed: start.utf8.count, inserted: bytes(text))], in: draft)
    await service.drafts.flush()
    return try await service.save(path, base: base, text: bytes(text), draft: draft)
  }

  @Test(arguments: [StoreError.Kind.quota, .notSignedIn, .notPermitted, .offline, .server])
  func `three failed saves and a good one leave nothing to ask`(kind: StoreError.Kind) async throws {
    let entry = try await world.put("t0", at: "a.md")
    var service: NotesService? = try world.service()
    world.store.fail(StoreError(kind, "No."))
    for (start, text) in [("t0", "t1"), ("t1", "t2"), ("t2", "t3")] {
      let first = try #require(service)
      #expect(try await done(text, from: start, base: entry.revision, first).kept != nil)
      #expect(try await first.waiting().map(\.kind) == [.toSend])
    }
    world.store.fail(nil)
    if let service { #expect(try await done("t4", from: "t3", base: entry.revision, service).saved != nil) }
    #expect(try await service?.waiting() == [])
    await NotesWorld.end(&service)
    #expect(try await world.text("a.md") == "t4")
    let next = try world.service()
    #expect(try await next.waiting() == [])
    #expect(try await next.drafts.orphans().isEmpty)
    #expect(try world.outbox.saves(club: "~/Club").isEmpty)
  }

  @Test func `failed saves of one note are one text for the next start, which sends it`() async throws {
    let entry = try await world.put("t0", at: "a.md")
    var service: NotesService? = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    for (start, text) in [("t0", "t1"), ("t1", "t2"), ("t2", "t3")] {
      let first = try #require(service)
      #expect(try await done(text, from: start, base: entry.revision, first).kept != nil)
    }
    await NotesWorld.end(&service)
    let next = try world.service()
    let texts = try await next.waiting()
    #expect(texts.map(\.kind) == [.toSend] && texts.map(\.firstLine) == [bytes("t3")])
    #expect(texts.first?.path == path && texts.first?.base == entry.revision)
    world.store.fail(nil)
    var told: [String] = []
    try await next.sendAll(conflicts: true) { path, outcome in told.append("\(path) \(outcome.saved != nil)") }
    #expect(told == ["a.md true"])
    #expect(try await world.text("a.md") == "t3")
    #expect(try await next.waiting() == [])
  }

  @Test func `a command sends what others left, not what it has kept itself a moment ago`() async throws {
    #expect(try await world.service().hasToSend(before: .now()) == false)
    let entry = try await world.put("t0", at: "a.md")
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await done("t1", from: "t0", base: entry.revision, service).kept != nil)
    world.store.fail(nil)
    let kept = try #require(try await service.waiting().first).changed
    #expect(try await service.hasToSend(before: kept) == false)
    var told: [StorePath] = []
    try await service.sendAll(conflicts: false, before: kept) { path, _ in told.append(path) }
    #expect(told == [])
    let later = Timestamp(nanoseconds: kept.nanoseconds + 1)
    #expect(try await service.hasToSend(before: later))
    try await service.sendAll(conflicts: false, before: later) { path, _ in told.append(path) }
    #expect(told == [path])
    #expect(try await world.text("a.md") == "t1")
  }

  @Test func `a text whose answer was lost is no conflict with the newer one`() async throws {
    let entry = try await world.put("t0", at: "a.md")
    let service = try world.service()
    world.store.afterPut { _ async throws(StoreError) in throw StoreError(.offline, "The line broke.") }
    #expect(try await done("t1", from: "t0", base: entry.revision, service).kept != nil)
    #expect(try await world.text("a.md") == "t1")
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await done("t2", from: "t1", base: entry.revision, service).kept != nil)
    world.store.fail(nil)
    world.store.afterPut(nil)
    #expect(try await done("t3", from: "t2", base: entry.revision, service).saved != nil)
    #expect(try await world.text("a.md") == "t3")
    #expect(try await service.waiting() == [])
  }

  @Test func `a text that someone else wrote is a conflict after any number of tries`() async throws {
    let entry = try await world.put("t0", at: "a.md")
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await done("t1", from: "t0", base: entry.revision, service).kept != nil)
    #expect(try await done("t2", from: "t1", base: entry.revision, service).kept != nil)
    world.store.fail(nil)
    try await world.put("theirs", at: "a.md")
    #expect(try await done("t3", from: "t2", base: entry.revision, service).conflict?.theirs == bytes("theirs"))
    #expect(try await service.waiting().map(\.kind) == [.conflict])
    var tried = 0
    try await service.sendAll(conflicts: false) { _, _ in tried += 1 }
    #expect(tried == 0, "only a round that includes conflicts asks about one")
    try await service.sendAll(conflicts: true) { _, outcome in tried += outcome.conflict == nil ? 0 : 1 }
    #expect(tried == 1)
    #expect(try await world.text("a.md") == "theirs")
  }

  @Test func `saves that fail one behind the other are one`() async throws {
    let entry = try await world.put("t0", at: "a.md")
    let service = try world.service()
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in
      await door.pass()
      throw StoreError(.offline, "Away.")
    }
    let first = service.save(path, base: entry.revision, baseHash: bytes("t0").hashed, text: bytes("t1"), draft: "d1")
    await door.arrivals(1)
    let second = service.save(path, base: entry.revision, baseHash: bytes("t1").hashed, text: bytes("t2"), draft: "d2")
    await service.keeping.wait(for: path)
    door.open()
    #expect(try await first.value.get().kept != nil)
    #expect(try await second.value.get().kept != nil)
    let texts = try await service.waiting()
    #expect(texts.map(\.firstLine) == [bytes("t2")])
  }

  @Test func `what an earlier version left behind for each try becomes one`() async throws {
    let entry = try await world.put("t0", at: "a.md")
    var journal: DraftJournal? = try world.journal()
    var made: [String] = []
    for (start, text) in [("t0", "t1"), ("t1", "t2")] {
      let draft = try #require(journal?.begin(path, title: "", base: entry.revision, text: bytes(start)))
      journal?.record([DraftEdit(offset: 0, removed: 2, inserted: bytes(text))], in: draft)
      made.append(draft)
      await journal?.flush()
      // Under paths of their own, so that the second does not take the first one's place as it would now.
      let save = SaveRecord(
        club: "~/Club", path: try StorePath("\(draft).md"), base: entry.revision, baseHash: bytes(start).hashed,
        draft: draft, text: bytes(text), created: Timestamp(seconds: 1), owner: "")
      let id = try world.outbox.addSave(save, text: bytes(text)).id
      var moved = try #require(try world.outbox.save(id))
      moved.path = path
      _ = try world.outbox.updateSave(moved)
    }
    await NotesWorld.end(&journal)
    #expect(try world.outbox.saves(club: "~/Club").count == 2)
    let service = try world.service()
    #expect(try await service.waiting().map(\.firstLine) == [bytes("t2")])
    #expect(try world.outbox.drafts(club: "~/Club").isEmpty)
    try await service.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("a.md") == "t2")
  }

  @Test func `text typed into a draft after its save was kept survives the sending`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in
      await door.pass()
      throw StoreError(.offline, "Away.")
    }
    let service = try world.service()
    let draft = service.drafts.begin(path, title: "", base: entry.revision, text: bytes("old"))
    service.drafts.record([DraftEdit(offset: 3, removed: 0, inserted: bytes(" new"))], in: draft)
    let save = service.save(path, base: entry.revision, baseHash: nil, text: bytes("old new"), draft: draft)
    await door.arrivals(1)
    service.drafts.record([DraftEdit(offset: 7, removed: 0, inserted: bytes("er"))], in: draft)
    door.open()
    #expect(try await save.value.get().kept != nil)
    world.store.fail(nil)
    #expect(try await service.waiting().map(\.kind) == [.toSend, .draft])
    try await service.sendAll(conflicts: false) { _, _ in }
    let rest = try await service.waiting()
    #expect(rest.map(\.firstLine) == [bytes("old newer")])
    #expect(rest.first?.base == (try await world.memory.entry(at: path).revision))
  }

  @Test func `kinds are in order, and each text can be read`() async throws {
    let entry = try await world.put("t0", at: "a.md")
    let service = try world.service()
    let draft = service.drafts.begin(nil, title: "later", base: nil, text: [])
    service.drafts.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("\n  typed\nmore"))], in: draft)
    let dropped = service.drafts.begin(nil, title: "not", base: nil, text: [])
    service.drafts.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("dropped"))], in: dropped)
    try await service.drafts.drop(dropped)
    try await world.put("theirs", at: "a.md")
    _ = try await service.save(path, base: entry.revision, text: bytes("mine"), draft: nil)
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.create(named: "new", text: bytes("new text"))
    let texts = try await service.waiting()
    #expect(texts.map(\.kind) == [.conflict, .toSend, .draft, .discarded])
    #expect(texts.map { String(decoding: $0.firstLine, as: UTF8.self) } == ["mine", "new text", "typed", "dropped"])
    #expect(texts.map(\.title) == ["a.md", "new.md", "later", "not"])
    #expect(try await service.text(of: texts[1].id) == bytes("new text"))
    #expect(try await service.text(of: texts[2].id) == bytes("\n  typed\nmore"))
    #expect(texts.map(\.bytes) == [4, 8, 13, 7])
    #expect(texts.map(\.isOpen) == [false, false, true, false])
    let others = try await world.service().waiting()
    #expect(others.map(\.isElsewhere) == [true, true, true, false] && !others.contains { $0.isOpen })
  }

  @Test func `a discarded text is kept as dropped, and goes for good when it is discarded again`() async throws {
    world.store.fail(StoreError(.offline, "Away."))
    let service = try world.service()
    _ = try await service.save(path, base: nil, text: bytes("mine"), draft: nil)
    let text = try #require(try await service.waiting().first)
    try await service.discard(text)
    let dropped = try #require(try await service.waiting().first)
    #expect(dropped.kind == .discarded && dropped.path == path)
    #expect(try await service.text(of: dropped.id) == bytes("mine"))
    try await service.discard(dropped)
    #expect(try await service.waiting() == [])
    #expect(try world.outbox.saves(club: "~/Club").isEmpty)
  }

  @Test func `a dropped draft is offered no more, can be sent, and goes after a week`() async throws {
    let service = try world.service()
    let draft = service.drafts.begin(nil, title: "n", base: nil, text: [])
    service.drafts.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("text"))], in: draft)
    try await service.drafts.drop(draft)
    #expect(try await service.drafts.all().isEmpty)
    #expect(try await world.journal().orphans().isEmpty)
    let dropped = try #require(try await service.waiting().first)
    #expect(try await service.send(dropped).saved?.path == StorePath("n.md"))
    #expect(try await service.waiting() == [])

    let other = service.drafts.begin(nil, title: "n", base: nil, text: bytes("text"))
    try await service.drafts.drop(other)
    for (days, count) in [(Int64(6), 1), (8, 0)] {
      let later = DraftJournal(
        club: try world.club(), outbox: world.outbox, basesDirectory: world.bases, pool: world.pool,
        now: { Timestamp(seconds: Timestamp.now().seconds + days * 86_400) }, onFailure: { _ in })
      #expect(try await world.service(later).waiting().count == count)
    }
  }

  @Test func `a new note that has the name of one that waits is refused, but its own text is sent again`() async throws
  {
    world.store.fail(StoreError(.offline, "Away."))
    let service = try world.service()
    #expect(try await service.create(named: "n", text: bytes("one")).kept != nil)
    #expect(await kind { _ = try await service.create(named: "n", text: bytes("two")) } == .exists)
    #expect(try await service.waiting().count == 1)
    world.store.fail(nil)
    #expect(try await service.create(named: "n", text: bytes("one")).saved != nil)
    try await service.sendAll(conflicts: false) { _, _ in }
    #expect(try await service.waiting() == [])
  }

  @Test func `a journal tells that it cannot keep drafts, and that it can again`() async throws {
    try Data().write(to: URL(filePath: world.bases))
    let journal = try world.journal()
    var failures = journal.failures().makeAsyncIterator()
    #expect(await failures.next() == .some(nil))
    let draft = journal.begin(nil, title: "n", base: nil, text: [])
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("text"))], in: draft)
    await journal.flush()
    let told = await failures.next()
    #expect(told??.message.contains(world.bases) == true)
    try FileManager.default.removeItem(atPath: world.bases)
    await journal.flush()
    #expect(await failures.next() == .some(nil))
    #expect(try await journal.text(of: draft) == bytes("text"))
  }
}
