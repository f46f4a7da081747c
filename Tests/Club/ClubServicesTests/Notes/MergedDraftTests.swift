import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Drafts whose text was merged with another member's change. They lack that change, so their base stays their own.
@Suite struct MergedDraftTests {
  private static let base = "one\ntwo\nthree\n"
  private static let mine = "ONE\ntwo\nthree\n"
  private static let both = "ONE\ntwo\nTHREE\n"
  private let world: NotesWorld
  private let path: StorePath

  init() throws {
    world = try NotesWorld()
    path = try StorePath("a.md")
  }

  /// Begins a draft of the note with the base text, and types over its first line.
  private func type(_ journal: DraftJournal, _ entry: FileEntry) async -> Draft.ID {
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
    await journal.flush()
    return draft
  }

  @Test func `a merge that meets a third text is merged with it, too, and overwrites nothing`() async throws {
    let service = try world.service()
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = await type(service.drafts, entry)
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let (world, store) = (world, world.store)
    store.beforePut { _ in
      // The next put is that of the merge.
      store.beforePut { path throws(StoreError) in
        store.beforePut(nil)
        _ = try await world.memory.put(DataSource("one\ntwo\nTHREE\nfour\n".utf8), at: path, mode: .overwrite)
      }
    }
    let outcome = try await service.save(path, base: entry.revision, text: bytes(Self.mine), draft: draft)
    #expect(outcome.merged?.text == bytes("ONE\ntwo\nTHREE\nfour\n"))
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\nfour\n")
    #expect(!store.modes(at: path).contains(.overwrite))
  }

  @Test func `a draft that goes on while its merge waits keeps its own base`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    var service: NotesService? = try world.service()
    var drafts = service?.drafts
    let draft = await type(try #require(drafts), entry)
    // The second put, of the merge, fails; meanwhile more is typed.
    let store = world.store
    store.beforePut { [drafts] _ in
      store.beforePut { _ async throws(StoreError) in
        drafts?.record([DraftEdit(offset: 3, removed: 0, inserted: bytes(" more"))], in: draft)
        throw StoreError(.offline, "Away.")
      }
    }
    let outcome = try await service?.save(path, base: entry.revision, text: bytes(Self.mine), draft: draft)
    let kept = try #require(outcome?.kept)
    store.beforePut(nil)
    #expect(try await service?.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("a.md") == Self.both)
    await drafts?.flush()
    #expect(try world.outbox.draft(draft)?.base == entry.revision)
    drafts = nil
    await NotesWorld.end(&service)
    let next = try world.service()
    let rest = try #require(try await next.waiting().first)
    // Both typed in the first line, so the member decides.
    #expect(try await next.send(rest).conflict?.theirs == bytes(Self.both))
    #expect(try await world.text("a.md") == Self.both)
  }

  @Test func `a draft whose whole text is in a merge that a crash left goes with it`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    var journal: DraftJournal? = try world.journal()
    let draft = await type(try #require(journal), entry)
    await NotesWorld.end(&journal)
    let theirs = try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let service = try world.service()
    let save = SaveRecord(
      club: "~/Club", path: path, base: entry.revision, baseHash: bytes(Self.base).hashed, draft: draft,
      text: bytes(Self.mine), created: Timestamp(seconds: 1), owner: "")
    let id = try world.outbox.addSave(save, text: bytes(Self.mine)).id
    var merged = try #require(try world.outbox.save(id))
    #expect(
      try await service.rebase(
        &merged, bytes(Self.both), over: NewerText(text: bytes("one\ntwo\nTHREE\n"), entry: theirs)))
    #expect(try await service.sendUnsent(id).saved != nil)
    #expect(try await world.text("a.md") == Self.both)
    #expect(try await service.waiting() == [])
    #expect(try world.outbox.draft(draft) == nil)
  }

  @Test func `a draft that goes on after its save no longer names the text at its beginning`() async throws {
    let service = try world.service()
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = await type(service.drafts, entry)
    #expect(service.drafts.baseHash(of: draft) == bytes(Self.base).hashed)
    let (store, drafts) = (world.store, service.drafts)
    store.beforePut { _ in
      store.beforePut(nil)
      drafts.record([DraftEdit(offset: 3, removed: 0, inserted: bytes("!"))], in: draft)
    }
    let saved = try await service.save(path, base: entry.revision, text: bytes(Self.mine), draft: draft).saved
    await drafts.flush()
    #expect(try world.outbox.draft(draft)?.base == saved?.revision)
    #expect(drafts.baseHash(of: draft) == nil)
  }
}
