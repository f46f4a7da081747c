import Backends
import Database
import FileStores
import Merge
import TestKit
import Testing

@testable import ClubServices

/// The parts of a conflict, merges that are undone, and notes that others renamed, deleted or created.
@Suite struct ResolvingTests {
  private static let base = "one\ntwo\nthree\n"
  private let world: NotesWorld
  private let journal: DraftJournal
  private let service: NotesService
  private let path: StorePath

  init() throws {
    world = try NotesWorld()
    journal = try world.journal()
    service = try world.service(journal)
    path = try StorePath("a.md")
  }

  /// A draft of the base text with another text over it.
  private func draft(_ entry: FileEntry, _ text: String) async -> Draft.ID {
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    journal.record([DraftEdit(offset: 0, removed: Self.base.utf8.count, inserted: bytes(text))], in: draft)
    await journal.flush()
    return draft
  }

  private func save(_ mine: String, over theirs: String?) async throws -> SaveOutcome {
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = await draft(entry, mine)
    if let theirs {
      try await world.put(theirs, at: "a.md")
    } else {
      try await world.memory.delete(path, ifRevision: nil)
    }
    return try await service.save(path, base: entry.revision, text: bytes(mine), draft: draft)
  }

  @Test func `a conflict knows its base, and only the parts that both changed are open`() async throws {
    let conflict = try #require(try await save("ONE\ntwo\nmine\n", over: "one\ntwo\ntheirs\n").conflict)
    #expect(conflict.kind == .changed && conflict.base == bytes(Self.base) && conflict.isText)
    #expect(conflict.resolution.parts.map(\.choice) == [.mine, nil])
  }

  @Test func `a text that was chosen part by part meets a third change as a new conflict over it`() async throws {
    let conflict = try #require(try await save("ONE\ntwo\nmine\n", over: "one\ntwo\ntheirs\n").conflict)
    try await world.put("one\nTWO\ntheirs, newer\n", at: "a.md")
    let next = try #require(try await service.resolve(conflict, .text(bytes("ONE\ntwo\nmine\ntheirs\n"))).conflict)
    #expect(try await world.text("a.md") == "one\nTWO\ntheirs, newer\n")
    #expect(next.mine == bytes("ONE\ntwo\nmine\ntheirs\n") && next.base == bytes("one\ntwo\ntheirs\n"))
    // The decided lines stay decided; the line that changed again needs a choice.
    #expect(next.resolution.openCount == 1)
  }

  @Test func `a merge that is undone gives them their text back, and keeps mine`() async throws {
    let merged = try #require(try await save("ONE\ntwo\nthree\n", over: "one\ntwo\nTHREE\n").merged)
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
    let conflict = try await service.undo(merged)
    #expect(try await world.text("a.md") == "one\ntwo\nTHREE\n")
    #expect(conflict.mine == bytes("ONE\ntwo\nthree\n") && conflict.theirs == bytes("one\ntwo\nTHREE\n"))
    #expect(conflict.resolution.openCount == 0)
    #expect(try await service.waiting().map(\.kind) == [.conflict])
    // A later try does not merge it again by itself.
    let again = try #require(try await service.sendUnsent(conflict.save).conflict)
    #expect(try await world.text("a.md") == "one\ntwo\nTHREE\n")
    #expect(try await service.resolve(again, .both).saved != nil)
    #expect(try await world.names == ["a (ann's version, 2031-01-09).md", "a.md"])
  }

  @Test func `after an undone merge the other text keeps its author, also when it is tried again`() async throws {
    let merged = try #require(try await save("ONE\ntwo\nthree\n", over: "one\ntwo\nTHREE\n").merged)
    let named = MergedNote(
      entry: merged.entry, text: merged.text, writer: .member("ray"), needsLook: merged.needsLook, sides: merged.sides)
    let conflict = try await service.undo(named)
    #expect(conflict.theirWriter == .member("ray"))
    #expect(try await service.sendUnsent(conflict.save).conflict?.theirWriter == .member("ray"))
    try await world.put("one\ntwo\nTHREE, newer\n", at: "a.md")
    #expect(try await service.sendUnsent(conflict.save).conflict?.theirWriter == .unknown)
  }

  @Test func `a merge stays when the note was changed after it`() async throws {
    let merged = try #require(try await save("ONE\ntwo\nthree\n", over: "one\ntwo\nTHREE\n").merged)
    try await world.put("newer\n", at: "a.md")
    #expect(await kind { _ = try await service.undo(merged) } == .conflict)
    #expect(try await world.text("a.md") == "newer\n")
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `a note that was deleted is a conflict of its kind`() async throws {
    let conflict = try #require(try await save("mine\n", over: nil).conflict)
    #expect(conflict.kind == .deleted)
    #expect(try await service.resolve(conflict, .mine).saved != nil)
    #expect(try await world.text("a.md") == "mine\n")
  }

  @Test func `a text follows a note that was renamed, if the member says so`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = await draft(entry, "mine\n")
    let target = try StorePath("new name.md")
    _ = try await world.memory.move(path, to: target, ifRevision: nil)
    let conflict = try #require(
      try await service.save(path, base: entry.revision, text: bytes("mine\n"), draft: draft).conflict)
    guard case .renamed(let renamed) = conflict.kind else {
      Issue.record("\(conflict.kind)")
      return
    }
    #expect(renamed.path == target)
    #expect(try await service.resolve(conflict, .renamed(renamed)).saved?.path == target)
    #expect(try await world.text("new name.md") == "mine\n")
    #expect(try await world.names == ["new name.md"])
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `two notes of one name are a conflict without a base`() async throws {
    world.store.fail(StoreError(.offline, "Away."))
    let kept = try #require(try await service.save(path, base: nil, text: bytes("mine\nsame\n"), draft: nil).kept)
    world.store.fail(nil)
    try await world.put("theirs\nsame\n", at: "a.md")
    let conflict = try #require(try await service.sendUnsent(kept.id).conflict)
    #expect(conflict.kind == .created && conflict.base == nil)
    #expect(conflict.resolution.parts.count == 1 && conflict.resolution.openCount == 1)
  }
}
