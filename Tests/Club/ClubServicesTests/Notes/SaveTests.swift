import Database
import Backends
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

@Suite struct SaveTests {
  private let world: NotesWorld
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    path = try StorePath("a.md")
  }

  @Test func `the text is in the outbox before the store is asked, and leaves it afterwards`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let seen = Mutex<[Int]>([])
    world.store.beforePut { [outbox = world.outbox.path] _ async throws(StoreError) in
      // Another connection: what it sees is committed.
      let saves = try OutboxDatabase(path: outbox).saves(club: "~/Club")
      seen.withLock { $0.append(saves.count) }
    }
    let service = try world.service()
    let saved = try await service.save(path, base: entry.revision, text: bytes("new"), draft: nil).saved
    #expect(seen.withLock { $0 } == [1])
    #expect(saved?.revision == (try await world.memory.entry(at: path).revision))
    #expect(try await world.text("a.md") == "new")
    #expect(try await service.unsent().isEmpty)
    #expect(try world.outbox.saves(club: "~/Club").isEmpty)
  }

  @Test func `saves of one note go out one at a time, in order, and a newer one does not cancel an older one`()
    async throws
  {
    let entry = try await world.put("old", at: "a.md")
    let door = Door()
    let most = Mutex((now: 0, most: 0))
    world.store.beforePut { _ async throws(StoreError) in
      most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      await door.pass()
      most.withLock { $0.now -= 1 }
    }
    let journal = try world.journal()
    let service = try world.service(journal)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    let saves = (1...5).map { number in
      service.save(path, base: entry.revision, baseHash: nil, text: bytes("text \(number)"), draft: draft)
    }
    await door.arrivals(1)
    door.open()
    for save in saves { #expect(try await save.value.get().saved != nil) }
    #expect(world.store.puts == (1...5).map { "text \($0)" })
    #expect(most.withLock { $0.most } == 1)
    #expect(try await world.text("a.md") == "text 5")
    #expect(try await journal.all().isEmpty)
    #expect(try world.outbox.saves(club: "~/Club").isEmpty)
  }

  @Test func `a save that waits for another is durable already`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in await door.pass() }
    let journal = try world.journal()
    let service = try world.service(journal)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    let one = service.save(path, base: entry.revision, baseHash: nil, text: bytes("one"), draft: draft)
    let two = service.save(path, base: entry.revision, baseHash: nil, text: bytes("two"), draft: draft)
    await door.arrivals(1)
    await service.keeping.wait(for: path)
    #expect(try world.outbox.saves(club: "~/Club").count == 2)
    #expect(try await service.unsent().isEmpty)
    door.open()
    _ = try await (one.value.get(), two.value.get())
  }

  @Test func `notes do not wait for each other`() async throws {
    let door = Door()
    let slow = path
    world.store.beforePut { path async throws(StoreError) in if path == slow { await door.pass() } }
    let service = try world.service()
    let one = service.save(path, base: nil, baseHash: nil, text: bytes("slow"), draft: nil)
    await door.arrivals(1)
    let quick = try await service.save(try StorePath("b.md"), base: nil, text: bytes("quick"), draft: nil)
    #expect(quick.saved != nil)
    door.open()
    #expect(try await one.value.get().saved != nil)
  }

  @Test func `cancelling the caller does not cancel the save`() async throws {
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in
      await door.pass()
      if Task.isCancelled { throw StoreError.cancelled("The save") }
    }
    let service = try world.service()
    let path = path
    let caller = Task { try await service.save(path, base: nil, text: bytes("text"), draft: nil) }
    await door.arrivals(1)
    caller.cancel()
    door.open()
    #expect(try await caller.value.saved != nil)
    #expect(try await world.text("a.md") == "text")
  }

  @Test(arguments: [
    StoreError.Kind.offline, .rateLimited, .server, .notSignedIn, .notPermitted, .quota, .cancelled, .corrupt,
  ])
  func `what cannot be sent now is kept with its reason, and sent later`(kind: StoreError.Kind) async throws {
    let entry = try await world.put("old", at: "a.md")
    let journal = try world.journal()
    let service = try world.service(journal)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("new"))], in: draft)
    world.store.fail(StoreError(kind, "No."))
    let kept = try #require(
      try await service.save(path, base: entry.revision, text: bytes("new"), draft: draft).kept)
    #expect(kept.error.kind == kind)
    #expect(try await service.unsent().map(\.id) == [kept.id])
    // The outbox has the text: its draft would only be asked for a second time.
    #expect(try await journal.all().isEmpty)
    world.store.fail(nil)
    #expect(try await service.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("a.md") == "new")
    #expect(try await service.unsent().isEmpty)
    #expect(try await journal.all().isEmpty)
  }

  @Test(arguments: [StoreError.Kind.badName, .badInput, .tooLarge, .unsupported])
  func `what the store can never hold is refused, and not tried for ever`(kind: StoreError.Kind) async throws {
    world.store.fail(StoreError(kind, "Never."))
    let service = try world.service()
    let path = path
    #expect(
      await ClubServicesTests.kind { _ = try await service.save(path, base: nil, text: [1], draft: nil) } == kind)
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `a text that has no place is refused while an editor has it, and its draft stays`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let journal = try world.journal()
    let service = try world.service(journal)
    let path = path
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("new"))], in: draft)
    world.store.fail(StoreError(.notFound, "The club's folder is not there."))
    #expect(
      await ClubServicesTests.kind {
        _ = try await service.save(path, base: entry.revision, text: Array("new".utf8), draft: draft)
      } == .notFound)
    #expect(await ClubServicesTests.kind { _ = try await service.create(named: "b", text: [1]) } == .notFound)
    #expect(try await service.unsent().isEmpty)
    #expect(try await journal.text(of: draft) == bytes("new"))
    // Nobody else has the text then.
    #expect(try await service.save(path, base: entry.revision, text: bytes("newer"), draft: nil).kept != nil)
    world.store.fail(nil)
    let saved = try await service.save(path, base: entry.revision, text: bytes("new"), draft: draft)
    #expect(saved.saved != nil)
    #expect(try await world.text("a.md") == "new")
  }

  @Test func `a put whose answer was lost is found to have been done`() async throws {
    let entry = try await world.put("old", at: "a.md")
    world.store.afterPut { _ async throws(StoreError) in throw StoreError(.offline, "The line broke.") }
    let service = try world.service()
    let kept = try #require(try await service.save(path, base: entry.revision, text: bytes("new"), draft: nil).kept)
    world.store.afterPut(nil)
    #expect(try await service.sendUnsent(kept.id).saved != nil)
    #expect(world.store.puts.count == 2)
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `text typed after a save survives its acknowledgement, on the new revision`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in await door.pass() }
    let journal = try world.journal()
    let service = try world.service(journal)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    journal.record([DraftEdit(offset: 3, removed: 0, inserted: bytes(" new"))], in: draft)
    let save = service.save(path, base: entry.revision, baseHash: nil, text: bytes("old new"), draft: draft)
    await door.arrivals(1)
    journal.record([DraftEdit(offset: 7, removed: 0, inserted: bytes(" newer"))], in: draft)
    door.open()
    let saved = try #require(try await save.value.get().saved)
    let rest = try #require(try await journal.all().first)
    #expect(rest.base == saved.revision)
    #expect(try await journal.text(of: draft) == bytes("old new newer"))
    #expect(try await service.save(path, base: rest.base, text: bytes("old new newer"), draft: draft).saved != nil)
    #expect(try await journal.all().isEmpty)
  }

  @Test func `a later save of the same draft stands for the ones that could not be sent`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let journal = try world.journal()
    let service = try world.service(journal)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    world.store.fail(StoreError(.offline, "Away."))
    for text in ["one", "two"] {
      _ = try await service.save(path, base: entry.revision, text: bytes(text), draft: draft)
    }
    #expect(try await service.unsent().count == 1)
    world.store.fail(nil)
    #expect(try await service.save(path, base: entry.revision, text: bytes("three"), draft: draft).saved != nil)
    #expect(try await service.unsent().isEmpty)
    #expect(try await world.text("a.md") == "three")
  }

  @Test func `a new note gets an ending, is never written over another, and may be made twice with one text`()
    async throws
  {
    let service = try world.service()
    #expect(try await service.create(named: "challenge", text: bytes("one")).saved?.path == StorePath("challenge.md"))
    #expect(try await service.create(named: "challenge", text: bytes("one")).saved != nil)
    #expect(await kind { _ = try await service.create(named: "challenge", text: bytes("two")) } == .exists)
    #expect(await kind { _ = try await service.create(named: "a//b", text: []) } == .badName)
    #expect(try await world.text("challenge.md") == "one")
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `a note gets no twin whose name looks the same, but may get its own name in another form`() async throws {
    let service = try world.service()
    let (mac, here) = ("re\u{301}sume\u{301}", "r\u{E9}sum\u{E9}")
    #expect(try await service.create(named: mac, text: bytes("one")).saved != nil)
    #expect(await kind { _ = try await service.create(named: here, text: bytes("two")) } == .exists)
    #expect(try await service.create(named: "b", text: bytes("two")).saved != nil)
    #expect(await kind { _ = try await service.rename(try StorePath("b.md"), to: here) } == .exists)
    #expect(try await service.unsent().isEmpty)
    let renamed = try await service.rename(try StorePath("\(mac).md"), to: here)
    #expect(renamed.path.bytes == Array("\(here).md".utf8))
    #expect(try await service.entry(named: mac)?.path == renamed.path)
  }

  @Test func `a text that waits for a name comes before a note whose name is like it`() async throws {
    let service = try world.service()
    try await world.put("theirs", at: "the brief.md")
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await service.create(named: "The Brief", text: bytes("mine")).kept != nil)
    world.store.fail(nil)
    #expect(try await service.entry(named: "The Brief") == nil)
    #expect(try await service.entry(named: "THE BRIEF")?.path == StorePath("the brief.md"))
  }

  @Test func `a later save of a draft over text that the member has not seen is a conflict`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let journal = try world.journal()
    let service = try world.service(journal)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("old"))
    #expect(try await service.save(path, base: entry.revision, text: bytes("one"), draft: draft).saved != nil)
    // The editor still names the revision that it opened; its text is made from the one that was saved.
    #expect(try await service.save(path, base: entry.revision, text: bytes("two"), draft: draft).saved != nil)
    try await world.put("theirs", at: "a.md")
    let conflict = try #require(
      try await service.save(path, base: entry.revision, text: bytes("three"), draft: draft).conflict)
    #expect(try await service.resolve(conflict, .text(bytes("merged"))).saved != nil)
    #expect(try await service.save(path, base: entry.revision, text: bytes("four"), draft: draft).conflict != nil)
    #expect(try await world.text("a.md") == "merged")
  }

  @Test func `a folder has no note made in its place`() async throws {
    try await world.memory.createFolder(try StorePath("photos.md"))
    let service = try world.service()
    #expect(await kind { _ = try await service.create(named: "photos", text: []) } == .exists)
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `an open waits for the save that is on its way`() async throws {
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in await door.pass() }
    let service = try world.service()
    let save = service.save(path, base: nil, baseHash: nil, text: bytes("text"), draft: nil)
    await door.arrivals(1)
    async let note = service.open(path)
    door.open()
    #expect(try await note.bytes == bytes("text"))
    _ = await save.value
  }
}
