import Backends
import Database
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Mending links over a store, with others who write meanwhile.
@Suite struct LinkMendingTests {
  private func moved(_ world: NotesWorld, _ service: NotesService) async throws -> LinkMendPlan {
    let (old, new) = (try StorePath("oslo.md"), try StorePath("bergen.md"))
    _ = try await service.rename(old, to: "bergen", seen: nil)
    return try await service.linksToMend(after: [PathMove(old, to: new)])
  }

  @Test func `a rename is followed by one conditional save for each note, and one undo brings all back`() async throws {
    let world = try NotesWorld()
    let texts = [
      "a.md": "see [[oslo#Quay|x]]\r\nand [o](oslo.md) `[[oslo]]`", "b.md": "[[oslo]]", "c.md": "[[other]] oslo",
    ]
    for (name, text) in texts { try await world.put(text, at: name) }
    try await world.put("[[oslo]] is here", at: "oslo.md")
    let service = try world.service()
    let plan = try await moved(world, service)
    #expect(plan.linkCount == 4 && plan.noteCount == 3 && plan.unread == 0)
    #expect(plan.question == "4 links in 3 notes point here. Mend them?")
    let outcome = await service.mend(plan)
    #expect(outcome.isWhole && outcome.mended.count == 3 && outcome.sentence("Mended") == "Mended links in 3 notes.")
    #expect(try await world.text("a.md") == "see [[bergen#Quay|x]]\r\nand [o](bergen.md) `[[oslo]]`")
    #expect(try await world.text("b.md") == "[[bergen]]")
    #expect(try await world.text("c.md") == "[[other]] oslo")
    #expect(try await world.text("bergen.md") == "[[bergen]] is here")
    #expect(await service.undo(outcome.mended).isWhole)
    for (name, text) in texts { #expect(try await world.text(name) == text) }
    #expect(try await world.text("bergen.md") == "[[oslo]] is here")
  }

  @Test func `a note that changed meanwhile is skipped and named, also by the undo`() async throws {
    let world = try NotesWorld()
    for name in ["a.md", "b.md", "c.md"] { try await world.put("[[oslo]]", at: name) }
    try await world.put("", at: "oslo.md")
    let service = try world.service()
    let plan = try await moved(world, service)
    try await world.put("[[oslo]] and more", at: "b.md")
    let outcome = await service.mend(plan)
    #expect(outcome.changed == [try StorePath("b.md")] && outcome.mended.count == 2)
    #expect(outcome.sentence("Mended") == "Mended links in 2 of 3 notes; changed meanwhile: b.md.")
    #expect(try await world.text("b.md") == "[[oslo]] and more")
    try await world.put("[[bergen]], too", at: "c.md")
    let undone = await service.undo(outcome.mended)
    #expect(undone.changed == [try StorePath("c.md")] && undone.mended.count == 1)
    #expect(try await world.text("a.md") == "[[oslo]]")
    #expect(try await world.text("c.md") == "[[bergen]], too")
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `words that wait over an old text stay in the outbox when their links are mended and someone saved anew`()
    async throws
  {
    let world = try NotesWorld()
    let entry = try await world.put("first\n[[oslo]]", at: "a.md")
    try await world.put("", at: "oslo.md")
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    let kept = try await service.save(
      entry.path, base: entry.revision, text: bytes("mine, typed on the ferry\n[[oslo]]"), draft: nil)
    #expect(kept.kept != nil)
    world.store.fail(nil)
    try await world.put("theirs, all new", at: "a.md")
    let outcome = await service.mend(try await moved(world, service))
    #expect(outcome.changed == [entry.path] && outcome.failures.isEmpty)
    #expect(try await world.text("a.md") == "theirs, all new")
    let waiting = try await service.waiting()
    #expect(waiting.map(\.kind) == [.conflict])
    let id = try #require(waiting.first?.id)
    #expect(try await service.text(of: id) == bytes("mine, typed on the ferry\n[[bergen]]"))
  }

  @Test func `a note that is gone, one that is no text and one that is not Markdown are left alone`() async throws {
    let world = try NotesWorld()
    for name in ["a.md", "b.txt", "c.md"] { try await world.put("[[oslo]]", at: name) }
    try await world.put("", at: "oslo.md")
    let service = try world.service()
    let plan = try await moved(world, service)
    #expect(plan.noteCount == 2)
    try await world.memory.delete(try StorePath("c.md"), ifRevision: nil)
    let outcome = await service.mend(plan)
    #expect(outcome.changed == [try StorePath("c.md")] && outcome.failures.isEmpty)
    #expect(try await world.text("b.txt") == "[[oslo]]")
    #expect(try await service.waiting().isEmpty)
  }

  @Test(arguments: [10, 200])
  func `each note is read once to look, and once more to be mended`(count: Int) async throws {
    let world = try NotesWorld()
    for number in 0..<count { try await world.put("[[oslo]] \(number)", at: "n\(number).md") }
    try await world.put("", at: "oslo.md")
    let log = LoggedReads(world.memory)
    let service = try world.service(store: log)
    let plan = try await moved(world, service)
    #expect(plan.noteCount == count && log.reads <= count + 2)
    let outcome = await service.mend(plan)
    #expect(outcome.mended.count == count && log.reads <= 2 * count + 4)
  }

  @Test func `notes that link to each other, and to themselves, are mended once`() async throws {
    let world = try NotesWorld()
    try await world.put("[[b]] [[oslo]]", at: "a.md")
    try await world.put("[[a]] [[oslo]]", at: "b.md")
    try await world.put("[[oslo]] [[a]] [[b]]", at: "oslo.md")
    let service = try world.service()
    let outcome = await service.mend(try await moved(world, service))
    #expect(outcome.mended.count == 3)
    #expect(try await world.text("bergen.md") == "[[bergen]] [[a]] [[b]]")
    let plan = try await service.linksToMend(
      after: [PathMove(try StorePath("oslo.md"), to: try StorePath("bergen.md"))])
    #expect(plan.linkCount == 0)
  }
}

/// A store that counts the files that are read.
private final class LoggedReads: StoreAround {
  let base: any FileStore
  private let count = Mutex(0)
  var reads: Int { count.withLock { $0 } }

  init(_ base: any FileStore) { self.base = base }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    count.withLock { $0 += 1 }
    return try await base.read(path, options, receive)
  }
}
