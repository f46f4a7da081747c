import Backends
import Database
import FileStores
import Foundation
import TestKit
import Testing

@testable import ClubServices

@Suite struct EditTests {
  private let world: NotesWorld
  private let service: NotesService
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    service = try world.service()
    path = try StorePath("a.md")
  }

  private func write(_ text: String, _ session: EditSession) throws {
    try Data(text.utf8).write(to: URL(filePath: session.copy))
  }

  /// Makes the copy so old by the service's clock.
  private func age(_ session: EditSession, seconds: Int) throws {
    let time = Date(timeIntervalSince1970: Double(1_925_726_400 - seconds))
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: session.copy)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func copies() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: world.edits) }

  @Test func `the copy has the note's text and name, and is the member's own`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    #expect(FileManager.default.contents(atPath: session.copy) == Data("text".utf8))
    #expect(session.copy.hasPrefix(world.edits) && session.copy.hasSuffix("/a.md"))
    #expect(try mode(session.copy) == 0o600)
    #expect(try mode(URL(filePath: session.copy).deletingLastPathComponent().path) == 0o700)
  }

  @Test func `a copy that was not changed is not saved, and goes after a day`() async throws {
    let entry = try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    #expect(try await service.endEdit(session).saved?.revision == entry.revision)
    #expect(session.isUntouched && world.store.puts.isEmpty)
    try age(session, seconds: 86_399)
    #expect(try await service.unsent().isEmpty)
    #expect(FileManager.default.fileExists(atPath: session.copy))
    try age(session, seconds: 86_401)
    #expect(try await service.unsent().isEmpty)
    #expect(try copies().isEmpty)
    #expect(try world.outbox.copies(club: "~/Club").isEmpty)
  }

  @Test func `each text that an editor saves after its command has ended is sent, over the one before`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    _ = try await service.endEdit(session)
    for text in ["first", "second", "third"] {
      try write(text, session)
      try age(session, seconds: 60)
      // Another process finds it as well as this one.
      let other = try world.service()
      let unsent = try await other.unsent()
      #expect(unsent.map(\.path) == [path])
      #expect(try await other.sendUnsent(try #require(unsent.first).id).saved != nil)
      #expect(try await world.text("a.md") == text)
      #expect(try await other.unsent().isEmpty)
    }
  }

  @Test func `what the editor wrote last is saved when it is closed, byte for byte`() async throws {
    _ = try await world.memory.put(DataSource([0xFF, 0, 1]), at: path, mode: .create)
    let session = try await service.beginEdit(path)
    try Data([0xFF, 0, 2]).write(to: URL(filePath: session.copy))
    #expect(try await service.endEdit(session).saved != nil)
    #expect(try await world.memory.readAll(path).bytes == [0xFF, 0, 2])
    #expect(try copies().isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func `each write is saved while the editor runs, in place or by renaming`() async throws {
    try await world.put("text", at: "a.md")
    let clock = ManualClock()
    let service = try world.service(clock: clock)
    let session = try await service.beginEdit(path)
    let (stream, sink) = AsyncStream.makeStream(of: SaveOutcome.self)
    let following = Task { try await service.follow(session) { sink.yield($0) } }
    var outcomes = stream.makeAsyncIterator()

    // In place, as nano does: emptied, then written. No time passes between the two.
    let handle = try FileHandle(forWritingTo: URL(filePath: session.copy))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data("in place".utf8))
    try handle.close()
    let passing = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    defer { passing.cancel() }
    #expect(await outcomes.next()?.saved != nil)
    #expect(try await world.text("a.md") == "in place")

    // By renaming, as vim does.
    try Data("renamed".utf8).write(to: URL(filePath: session.copy + ".new"))
    #expect(rename(session.copy + ".new", session.copy) == 0)
    #expect(await outcomes.next()?.saved != nil)
    #expect(try await world.text("a.md") == "renamed")

    following.cancel()
    try await following.value
    #expect(try await service.endEdit(session).saved != nil)
    #expect(world.store.puts == ["in place", "renamed"])
    #expect(try copies().isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func `what was written before the watching began is saved`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    try write("early", session)
    let (stream, sink) = AsyncStream.makeStream(of: SaveOutcome.self)
    let service = service
    let following = Task { try await service.follow(session) { sink.yield($0) } }
    var outcomes = stream.makeAsyncIterator()
    #expect(await outcomes.next()?.saved != nil)
    following.cancel()
    try await following.value
    #expect(try await world.text("a.md") == "early")
  }

  @Test func `a note that changes while the editor has it is a conflict, and the copy stays`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    try write("mine", session)
    try await world.put("theirs", at: "a.md")
    let conflict = try #require(try await service.endEdit(session).conflict)
    #expect(conflict.mine == bytes("mine") && conflict.theirs == bytes("theirs"))
    #expect(FileManager.default.contents(atPath: session.copy) == Data("mine".utf8))
    #expect(try await world.text("a.md") == "theirs")
    #expect(try await service.resolve(conflict, .mine).saved != nil)
    #expect(try await world.text("a.md") == "mine")
  }

  @Test func `a touched note with the same text is no conflict`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    try write("mine", session)
    try await world.put("text", at: "a.md")
    #expect(try await service.endEdit(session).saved != nil)
  }

  @Test func `when the last save fails the copy is kept, the error says where, and closing again sends it`()
    async throws
  {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    try write("mine", session)
    world.store.fail(StoreError(.offline, "Away."))
    let kept = try #require(try await service.endEdit(session).kept)
    #expect(kept.error.description.contains(session.copy))
    #expect(FileManager.default.contents(atPath: session.copy) == Data("mine".utf8))
    #expect(try await service.unsent().map(\.id) == [kept.id])
    world.store.fail(nil)
    #expect(try await service.endEdit(session).saved != nil)
    #expect(try await world.text("a.md") == "mine")
    #expect(try copies().isEmpty)
    #expect(try await service.unsent().isEmpty)
  }

  @Test(arguments: [false, true])
  func `the editor begins with the text that waits, and its save takes the place of that one`(
    isNew: Bool
  ) async throws {
    let base = isNew ? nil : try await world.put("theirs", at: "a.md").revision
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await service.save(path, base: base, text: bytes("mine"), draft: nil).kept != nil)
    let seen = try await service.beginEdit(path)
    #expect(FileManager.default.contents(atPath: seen.copy) == Data("mine".utf8))
    #expect(try await service.endEdit(seen).saved?.revision == base)
    let session = try await service.beginEdit(path)
    try write("mine, and more", session)
    #expect(try await service.endEdit(session).kept != nil)
    let unsent = try await service.unsent()
    #expect(unsent.map(\.bytes) == [14])
    world.store.fail(nil)
    #expect(try await service.sendUnsent(try #require(unsent.first).id).saved != nil)
    #expect(try await world.text("a.md") == "mine, and more")
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `an addition that waits comes after what the editor wrote, once`() async throws {
    try await world.put("one\nmiddle\nlast\n", at: "a.md")
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.append(bytes("two\n"), to: path)
    let session = try await service.beginEdit(path)
    try write("ONE\nmiddle\nlast\n", session)
    _ = try await service.endEdit(session)
    world.store.fail(nil)
    try await service.sendAll(conflicts: false) { _, _ in }
    #expect(try await world.text("a.md") == "ONE\nmiddle\nlast\ntwo\n")
  }

  @Test func `when the outbox fails, too, the error says where the copy is`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    try write("mine", session)
    world.store.fail(StoreError(.tooLarge, "It is too large."))
    var told: StoreError?
    do throws(StoreError) { _ = try await service.endEdit(session) } catch { told = error }
    #expect(told?.kind == .tooLarge && told?.remedy.contains(session.copy) == true)
    #expect(FileManager.default.contents(atPath: session.copy) == Data("mine".utf8))
  }

  @Test func `a copy that is gone changes nothing`() async throws {
    try await world.put("text", at: "a.md")
    let session = try await service.beginEdit(path)
    try FileManager.default.removeItem(atPath: session.copy)
    let service = service
    #expect(await kind { _ = try await service.endEdit(session) } == .notFound)
    #expect(try await world.text("a.md") == "text")
  }

  @Test func `what an editor wrote after a crash is offered by the next process, once`() async throws {
    try await world.put("text", at: "a.md")
    var crashed: NotesService? = try world.service()
    let session = try #require(try await crashed?.beginEdit(path))
    try write("written late", session)
    #expect(try await service.unsent().isEmpty)
    await NotesWorld.end(&crashed)
    let unsent = try await service.unsent()
    #expect(unsent.count == 1 && unsent.first?.path == path)
    // The copy stays as long as its text is news; a start that finds it unchanged clears it away.
    #expect(try await service.unsent().count == 1)
    #expect(!FileManager.default.fileExists(atPath: session.copy))
    #expect(try await service.sendUnsent(try #require(unsent.first).id).saved != nil)
    #expect(try await world.text("a.md") == "written late")
    #expect(try await service.unsent().isEmpty)
  }

  @Test(arguments: [Array("a\u{1B}b".utf8), [0x61, 0xFF], Array(repeating: 0x61, count: 250)])
  func `a name that no editor could be given gets another on the copy alone`(name: [UInt8]) async throws {
    let path = try StorePath(name)
    _ = try await world.memory.put(DataSource([1]), at: path, mode: .create)
    let session = try await service.beginEdit(path)
    #expect(session.copy.hasSuffix("/note.txt"))
    try write("new", session)
    #expect(try await service.endEdit(session).saved?.path == path)
  }
}
