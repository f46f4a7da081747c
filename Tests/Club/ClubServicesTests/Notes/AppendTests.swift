import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct AppendTests {
  private let world: NotesWorld
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    path = try StorePath("log.md")
  }

  @Test(arguments: [
    ("one\r\ntwo\r\n", "new\n", "one\r\ntwo\r\nnew\r\n"), ("one\r\ntwo", "a\nb\r\n", "one\r\ntwo\r\na\r\nb\r\n"),
    ("one\n", "a\r\nb\n", "one\na\r\nb\n"), ("one", "new\n", "one\nnew\n"),
  ])
  func `an addition gets the line ends of its note`(row: (note: String, added: String, whole: String)) async throws {
    let world = try NotesWorld()
    try await world.put(row.note, at: "a.md")
    #expect(try await world.service().append(Array(row.added.utf8), to: StorePath("a.md")).saved != nil)
    #expect(try await world.text("a.md") == row.whole)
  }

  @Test func `an addition in another encoding is refused, and is a draft`() async throws {
    let world = try NotesWorld()
    let path = try StorePath("u.md")
    let note: [UInt8] = [0xFF, 0xFE, 0x63, 0x00, 0xE9, 0x00, 0x0A, 0x00]
    _ = try await world.memory.put(DataSource(note), at: path, mode: .create)
    let service = try world.service()
    guard case .kept(_, let error) = try await service.append(Array("x\n".utf8), to: path) else {
      Issue.record("It was added.")
      return
    }
    #expect(error.kind == .badInput)
    #expect(error.message.contains("is UTF-16 and the added text is UTF-8"))
    #expect(try await service.waiting().map(\.kind) == [.draft])
    #expect(try await world.memory.readAll(path).bytes == note)
    #expect(try await service.unsent().isEmpty)
    let shown = try await service.open(path)
    #expect(shown.bytes == Array("cé\n".utf8) && shown.content == .notUTF8)
    #expect(try await service.beginning(of: path, limit: 5).bytes == Array("c".utf8))
    #expect(try await service.readSearched(FileEntry(path: path, kind: .file)) == Array("cé\n".utf8))
  }

  @Test(arguments: [("one", "one\ntwo\n"), ("one\n", "one\ntwo\n"), ("", "two\n"), (nil, "two\n")])
  func `an addition begins on a line of its own`(before: String?, after: String) async throws {
    if let before { try await world.put(before, at: "log.md") }
    let service = try world.service()
    #expect(try await service.append(bytes("two\n"), to: path).saved != nil)
    #expect(try await world.text("log.md") == after)
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `what another program writes meanwhile stays, and the addition comes behind it`() async throws {
    try await world.put("one\n", at: "log.md")
    let (world, memory) = (world, world.memory)
    world.store.beforePut { path throws(StoreError) in
      world.store.beforePut(nil)
      _ = try await memory.put(DataSource("one\ntheirs\n".utf8), at: path, mode: .overwrite)
    }
    #expect(try await world.service().append(bytes("two\n"), to: path).saved != nil)
    #expect(try await world.text("log.md") == "one\ntheirs\ntwo\n")
  }

  @Test func `two that add the same line at once are two lines`() async throws {
    try await world.put("one\n", at: "log.md")
    let (world, memory) = (world, world.memory)
    world.store.beforePut { path throws(StoreError) in
      world.store.beforePut(nil)
      _ = try await memory.put(DataSource("one\ntick\n".utf8), at: path, mode: .overwrite)
    }
    _ = try await world.service().append(bytes("tick\n"), to: path)
    #expect(try await world.text("log.md") == "one\ntick\ntick\n")
  }

  @Test func `additions made while the store was away are added in their order to the text that is there then`()
    async throws
  {
    world.store.fail(StoreError(.offline, "Away."))
    var service: NotesService? = try world.service()
    #expect(try await service?.append(bytes("two\n"), to: path).kept?.error.kind == .offline)
    _ = try await service?.postpone(bytes("three\n"), for: path, base: nil, isAddition: true)
    await NotesWorld.end(&service)
    world.store.fail(nil)
    try await world.put("one", at: "log.md")
    let next = try world.service()
    for save in try await next.unsent() { #expect(try await next.sendUnsent(save.id).saved != nil) }
    #expect(try await world.text("log.md") == "one\ntwo\nthree\n")
    #expect(try await next.unsent().isEmpty)
  }

  @Test func `an addition whose answer got lost is not added twice`() async throws {
    try await world.put("one\n", at: "log.md")
    world.store.afterPut { _ throws(StoreError) in throw StoreError(.offline, "Away.") }
    let service = try world.service()
    let kept = try #require(try await service.append(bytes("two\n"), to: path).kept)
    world.store.afterPut(nil)
    try await world.put("one\ntwo\ntheirs\n", at: "log.md")
    #expect(try await service.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("log.md") == "one\ntwo\ntheirs\n")
  }

  @Test func `an addition whose answer got lost is known in a renamed note in whose line others wrote on`() async throws
  {
    try await world.put("one\n", at: "log.md")
    let service = try world.service()
    world.store.afterPut { _ async throws(StoreError) in throw StoreError(.offline, "The line broke.") }
    #expect(try await service.append(bytes("two\n"), to: path).kept != nil)
    world.store.afterPut(nil)
    // Another note of the name: its history lacks the text that was sent.
    try await world.memory.delete(path, ifRevision: nil)
    try await world.put("one\ntwo and more\n", at: "log.md")
    for save in try await service.unsent() { _ = try await service.sendUnsent(save.id) }
    #expect(try await world.text("log.md") == "one\ntwo and more\n")
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `a text that is postponed waits until it is sent, and can be discarded`() async throws {
    let service = try world.service()
    let id = try await service.postpone(bytes("mine"), for: path, base: nil)
    #expect(world.store.puts.isEmpty)
    #expect(try await service.unsent().map(\.id) == [id])
    try await service.discard(try #require(try await service.waiting().first))
    #expect(try await service.unsent().isEmpty)
    let other = try await service.postpone(bytes("mine"), for: path, base: nil)
    #expect(try await service.sendUnsent(other).saved != nil)
    #expect(try await world.text("log.md") == "mine")
  }

  @Test func `a lost addition that arrives late, before it is added again, is there once`() async throws {
    try await world.put("one\n", at: "log.md")
    world.store.fail(StoreError(.offline, "Away."))
    let service = try world.service()
    let kept = try #require(try await service.append(bytes("two\n"), to: path).kept)
    let (world, memory) = (world, world.memory)
    world.store.beforePut { path throws(StoreError) in
      world.store.beforePut(nil)
      _ = try await memory.put(DataSource("one\ntwo\n".utf8), at: path, mode: .overwrite)
    }
    #expect(try await service.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("log.md") == "one\ntwo\n")
  }

  @Test func `an addition that did not arrive is added, though others have added the same since`() async throws {
    let world = try CopyWorld()
    try await world.put("one\n", at: "log.md")
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    world.server.isAway = true
    #expect(try await process.notes.append(bytes("tick\n"), to: path).kept != nil)
    try await world.put("zero\none\ntick\n", at: "log.md")
    world.server.isAway = false
    await process.copy.probe()
    try await process.copy.refresh()
    for save in try await process.notes.unsent() { _ = try await process.notes.sendUnsent(save.id) }
    #expect(try await world.text("log.md") == "zero\none\ntick\ntick\n")
  }

  @Test func `an addition whose answer was lost is there once, though its note was changed and renamed since`()
    async throws
  {
    let world = try CopyWorld()
    try await world.put("one\n", at: "log.md")
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    world.server.breakAfter(.put)
    #expect(try await process.notes.append(bytes("two\n"), to: path).kept != nil)
    try await world.put("zero\none\ntwo\n", at: "log.md")
    world.server.isAway = false
    await process.copy.probe()
    try await process.copy.refresh()
    // The history of the new name begins with the other member's text.
    let renamed = try await process.notes.rename(path, to: "diary")
    #expect(try await process.notes.unsent().map(\.path) == [renamed.path])
    for save in try await process.notes.unsent() { _ = try await process.notes.sendUnsent(save.id) }
    #expect(try await world.text("diary.md") == "zero\none\ntwo\n")
    #expect(try await process.notes.unsent().isEmpty)
  }
}
