import Database
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// A remark whose process ends between its way into the file and the end of its draft is said again, and is there once.
@Suite struct SaidOnceTests {
  private let world: NotesWorld
  private let walk: StorePath

  init() throws {
    world = try NotesWorld()
    walk = try StorePath("walk.md")
  }

  /// A draft that an earlier process has left, of a remark that it has added, or that waits.
  private func said(_ text: String, _ aim: TalkItem.Aim, isAway: Bool = false) async throws -> Draft.ID {
    var journal: DraftJournal? = try world.journal()
    let draft = try #require(journal?.begin(aim, on: walk, text: []))
    journal?.record([DraftEdit(offset: 0, removed: 0, inserted: bytes(text))], in: draft)
    await journal?.flush()
    var service: NotesService? = try world.service(journal)
    world.store.fail(isAway ? StoreError(.offline, "Away.") : nil)
    let said = try await service?.say(text, aim, about: walk, draft: draft)
    #expect((said?.outcome.kept != nil) == isAway)
    // The process ends before it discards the draft.
    journal = nil
    await NotesWorld.end(&service)
    world.store.fail(nil)
    return draft
  }

  @Test(
    "A remark that is sent again finds itself in the file, and writes nothing",
    arguments: [
      (TalkItem.Aim.whole, "Low tide only."), (.direction(yaw: 132.04, pitch: -8.5), "The vice."),
      (.words("the  \"sand\""), "one\n\n  two\r\nthree\n"), (.reply(to: "aaaaaaaa"), "Yes."),
      (.correction(of: "aaaaaaaa"), "Hers."),
    ])
  func sentAgain(_ aim: TalkItem.Aim, _ text: String) async throws {
    try await world.put("a", at: "walk.md")
    try await world.put("# Remarks on walk.md\n\n- **ann** 2026-11-26 18:04Z aaaaaaaa: his\n", at: "walk.md.talk.md")
    let draft = try await said(text, aim)
    let file = try await world.text("walk.md.talk.md")
    let service = try world.service()
    #expect(try await service.typedRemark(on: walk)?.draft == draft)
    let waiting = try #require(try await service.waiting().first)
    let puts = world.store.puts.count
    #expect(try await service.send(waiting).saved != nil)
    #expect(world.store.puts.count == puts)
    #expect(try await world.text("walk.md.talk.md") == file)
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `a remark that waits, and is sent again, comes once`() async throws {
    try await world.put("a", at: "walk.md")
    let draft = try await said("Later.", .whole, isAway: true)
    let service = try world.service()
    let again = try await service.say("Later.", .whole, about: walk, draft: draft)
    #expect(again.outcome.saved != nil)
    try await service.sendAll(conflicts: false) { _, _ in }
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["Later."])
    #expect(try await world.text("walk.md.talk.md").split(separator: "\n").count == 2)
  }

  @Test func `a draft that went on after its remark is another remark, and this one comes once, too`() async throws {
    try await world.put("a", at: "walk.md")
    let draft = try await said("Low tide", .whole)
    let service = try world.service()
    for _ in 0..<2 { _ = try await service.say("Low tide only.", .whole, about: walk, draft: draft) }
    let remarks = try await service.talk(about: walk).remarks
    #expect(remarks.map(\.text) == ["Low tide", "Low tide only."])
    #expect(Set(remarks.map(\.id)).count == 2 && remarks.allSatisfy { TalkItem.isID($0.id) })
  }

  @Test func `another member's item with the draft's id is no earlier try`() async throws {
    try await world.put("a", at: "walk.md")
    let journal = try world.journal()
    let draft = journal.begin(.whole, on: walk, text: [])
    let taken = "- **eve** 2026-11-26 18:04Z \(TalkItem.id(of: draft, number: 0)): Same.\n"
    try await world.put("# Remarks on walk.md\n\n" + taken, at: "walk.md.talk.md")
    let service = try world.service(journal)
    _ = try await service.say("Same.", .whole, about: walk, draft: draft)
    #expect(try await service.talk(about: walk).remarks.map(\.member) == ["eve", "ann"])
  }

  @Test func `a remark from a pipe is a draft until the outbox has it, and never both`() async throws {
    try await world.put("a", at: "walk.md")
    let text = try await HeldText(
      bytes("From a pipe."), at: try StorePath("Remark on walk.md"), key: try world.club().key, outbox: world.outbox,
      basesDirectory: world.bases, pool: world.pool)
    #expect(try world.outbox.drafts(club: try world.club().key).count == 1)
    // The store sees the addition when the draft is gone already.
    let drafts = DraftCounts(base: world.memory, outbox: world.outbox, key: try world.club().key)
    let watched = try world.service(store: drafts)
    watched.hold(text)
    _ = try await watched.say("From a pipe.", .whole, about: walk)
    #expect(drafts.counts == [0] && !text.isHeld)
    #expect(try await watched.talk(about: walk).remarks.map(\.text) == ["From a pipe."])
  }
}

/// Counts the drafts of the outbox at each put of remarks.
private final class DraftCounts: StoreAround {
  let base: any FileStore
  private let outbox: OutboxDatabase
  private let key: String
  private let seen = Mutex<[Int]>([])

  init(base: any FileStore, outbox: OutboxDatabase, key: String) {
    (self.base, self.outbox, self.key) = (base, outbox, key)
  }

  var capabilities: Capabilities { base.capabilities }
  var counts: [Int] { seen.withLock { $0 } }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    let count = try outbox.drafts(club: key).count
    seen.withLock { $0.append(count) }
    return try await base.put(source, at: path, mode: mode)
  }
}
