import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct ConflictTests {
  private let world: NotesWorld
  private let service: NotesService
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    service = try world.service()
    path = try StorePath("a.md")
  }

  /// A save over a note that another program has changed to `theirs` (nil: has deleted).
  private func conflict(theirs: String?) async throws -> SaveConflict {
    let entry = try await world.put("base", at: "a.md")
    if let theirs {
      try await world.put(theirs, at: "a.md")
    } else {
      try await world.memory.delete(path, ifRevision: nil)
    }
    return try #require(
      try await service.save(path, base: entry.revision, text: bytes("mine"), draft: nil).conflict)
  }

  @Test func `a note that was changed underneath is not overwritten, and both texts are kept`() async throws {
    let conflict = try await conflict(theirs: "theirs")
    #expect(try await world.text("a.md") == "theirs")
    #expect(conflict.mine == bytes("mine") && conflict.theirs == bytes("theirs"))
    #expect(conflict.theirEntry?.revision == (try await world.memory.entry(at: path).revision))
    #expect(try await service.unsent().map(\.id) == [conflict.save])
    #expect(try world.outbox.text(ofSave: conflict.save)?.bytes == bytes("mine"))
  }

  @Test func `a note that was deleted underneath is a conflict, too`() async throws {
    let conflict = try await conflict(theirs: nil)
    #expect(conflict.theirs == nil && conflict.theirEntry == nil)
    #expect(try await world.names.isEmpty)
  }

  @Test func `the same text by another hand is no conflict`() async throws {
    let entry = try await world.put("base", at: "a.md")
    try await world.put("mine", at: "a.md")
    #expect(try await service.save(path, base: entry.revision, text: bytes("mine"), draft: nil).saved != nil)
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `another revision of the text that the member has seen is no conflict`() async throws {
    let journal = try world.journal()
    let service = try world.service(journal)
    let entry = try await world.put("base", at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("base"))
    await journal.flush()
    try await world.put("base", at: "a.md")
    #expect(try await service.save(path, base: entry.revision, text: bytes("mine"), draft: draft).saved != nil)
    #expect(try await world.text("a.md") == "mine")
  }

  @Test(arguments: [
    (ConflictChoice.mine, "mine"), (.theirs, "theirs"), (.text(bytes("merged")), "merged"),
  ])
  func `mine, theirs or a text of both is what is there afterwards`(choice: ConflictChoice, text: String) async throws {
    let conflict = try await conflict(theirs: "theirs")
    let saved = try await service.resolve(conflict, choice).saved
    #expect(saved?.revision == (try await world.memory.entry(at: path).revision))
    #expect(try await world.text("a.md") == text)
    #expect(try await world.names == ["a.md"])
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `both keeps theirs, and mine under a name of its own`() async throws {
    try await world.put("taken", at: "a (ann's version, 2031-01-09).md")
    let conflict = try await conflict(theirs: "theirs")
    let saved = try await service.resolve(conflict, .both).saved
    #expect(saved?.path == (try StorePath("a (ann's version, 2031-01-09) 2.md")))
    #expect(try await world.text("a.md") == "theirs")
    #expect(try await world.text("a (ann's version, 2031-01-09) 2.md") == "mine")
    #expect(try await world.text("a (ann's version, 2031-01-09).md") == "taken")
    #expect(try await service.unsent().isEmpty)
  }

  @Test(arguments: [ConflictChoice.mine, .both, .text(bytes("mine"))])
  func `mine can come back after the note was deleted`(choice: ConflictChoice) async throws {
    let conflict = try await conflict(theirs: nil)
    let saved = try #require(try await service.resolve(conflict, choice).saved)
    #expect(try await world.memory.readAll(saved.path).bytes == bytes("mine"))
  }

  @Test func `agreeing that the note is deleted leaves nothing`() async throws {
    let conflict = try await conflict(theirs: nil)
    guard case .deleted(path) = try await service.resolve(conflict, .theirs) else {
      Issue.record("not deleted")
      return
    }
    #expect(try await world.names.isEmpty)
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `my text of a conflict that is settled by theirs is kept as dropped`() async throws {
    let conflict = try await conflict(theirs: "theirs")
    #expect(try await service.resolve(conflict, .theirs).saved != nil)
    let text = try #require(try await service.waiting().first)
    #expect(text.kind == .discarded && text.path == path)
    #expect(try await service.text(of: text.id) == bytes("mine"))
  }

  @Test(arguments: [ConflictChoice.mine, .text(bytes("merged"))])
  func `an answer does not overwrite what came after the question`(choice: ConflictChoice) async throws {
    let conflict = try await conflict(theirs: "theirs")
    try await world.put("newer", at: "a.md")
    let next = try #require(try await service.resolve(conflict, choice).conflict)
    #expect(next.theirs == bytes("newer"))
    #expect(next.mine == (choice == .mine ? bytes("mine") : bytes("merged")))
    #expect(try await world.text("a.md") == "newer")
    #expect(try world.outbox.text(ofSave: next.save)?.bytes == next.mine)
    #expect(try await service.resolve(next, .mine).saved != nil)
    #expect(try await world.text("a.md") == String(decoding: next.mine, as: UTF8.self))
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `an answer that cannot be sent is kept`() async throws {
    let conflict = try await conflict(theirs: "theirs")
    world.store.fail(StoreError(.offline, "Away."))
    let kept = try #require(try await service.resolve(conflict, .both).kept)
    world.store.fail(nil)
    #expect(try await service.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("a (ann's version, 2031-01-09).md") == "mine")
  }

  @Test func `the outbox has the text of a conflict, and no draft beside it`() async throws {
    let journal = try world.journal()
    let service = try world.service(journal)
    let entry = try await world.put("base", at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("base"))
    journal.record([DraftEdit(offset: 0, removed: 4, inserted: bytes("mine"))], in: draft)
    try await world.put("theirs", at: "a.md")
    let conflict = try #require(
      try await service.save(path, base: entry.revision, text: bytes("mine"), draft: draft).conflict)
    #expect(try await journal.all().isEmpty)
    #expect(try await service.waiting().map(\.kind) == [.conflict])
    #expect(try await service.resolve(conflict, .mine).saved != nil)
    #expect(try await journal.all().isEmpty)
  }

  @Test func `a new note whose name was taken meanwhile is a conflict with what is there`() async throws {
    try await world.put("theirs", at: "a.md")
    let conflict = try #require(try await service.save(path, base: nil, text: bytes("mine"), draft: nil).conflict)
    #expect(conflict.theirs == bytes("theirs"))
  }

  @Test func `a folder in a note's place is reported, and the text is kept`() async throws {
    try await world.memory.createFolder(path)
    let kept = try await service.save(path, base: nil, text: bytes("mine"), draft: nil).kept
    let unsent = try await service.unsent()
    #expect(kept != nil && unsent.count == 1)
  }

  @Test func `a text that was dropped in a conflict and is sent after all is a conflict again`() async throws {
    let conflict = try await conflict(theirs: "theirs")
    _ = try await service.resolve(conflict, .theirs)
    let dropped = try #require(try await service.waiting().first { $0.kind == .discarded })
    #expect(try await service.send(dropped).conflict?.theirs == bytes("theirs"))
    #expect(try await world.text("a.md") == "theirs")
  }
}
