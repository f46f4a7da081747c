import Backends
import Database
import FileStores
import Foundation
import TestKit
import Testing

@testable import ClubServices

@Suite struct UnsentSaveTests {
  private let world: NotesWorld
  private let path: StorePath
  init() throws {
    world = try NotesWorld()
    path = try StorePath("a.md")
  }

  @Test func `a save that a crash left is offered to the next process, and to no other while it lives`() async throws {
    world.store.fail(StoreError(.offline, "Away."))
    var service: NotesService? = try world.service()
    let kept = try #require(try await service?.save(path, base: nil, text: bytes("text"), draft: nil).kept)
    let other = try world.service()
    #expect(try await other.unsent().isEmpty)
    #expect(await kind { _ = try await other.sendUnsent(kept.id) } == .conflict)
    await NotesWorld.end(&service)
    #expect(try await other.unsent().map(\.id) == [kept.id])
    #expect(try await other.unsent().first?.bytes == 4)
    world.store.fail(nil)
    #expect(try await other.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("a.md") == "text")
    #expect(await kind { _ = try await other.sendUnsent(kept.id) } == .notFound)
  }

  @Test func `a save whose wait for the store is ended is kept, and waits to be sent`() async throws {
    let (clock, pauses) = (ManualClock(), CallPauses())
    world.store.fail(StoreError(.rateLimited, "Too often.", retryAfter: .seconds(30)))
    let service = try world.service(store: RetryingStore(world.store, clock: clock, pauses: pauses))
    async let saving = service.save(path, base: nil, text: bytes("text"), draft: nil)
    await clock.waitForSleepers()
    pauses.end()
    let kept = try #require(try await saving.kept)
    #expect(try await service.unsent().map(\.id) == [kept.id])
    world.store.fail(nil)
    #expect(try await service.sendUnsent(kept.id).saved != nil)
  }

  @Test func `a save that a crash left never overwrites what has come since`() async throws {
    let entry = try await world.put("base", at: "a.md")
    world.store.fail(StoreError(.offline, "Away."))
    var service: NotesService? = try world.service()
    _ = try await service?.save(path, base: entry.revision, text: bytes("mine"), draft: nil)
    await NotesWorld.end(&service)
    world.store.fail(nil)
    try await world.put("theirs", at: "a.md")
    let next = try world.service()
    let unsent = try #require(try await next.unsent().first)
    let conflict = try #require(try await next.sendUnsent(unsent.id).conflict)
    #expect(conflict.mine == bytes("mine") && conflict.theirs == bytes("theirs"))
    #expect(try await next.unsent().count == 1)
  }

  @Test func `a save cannot be sent twice at once`() async throws {
    world.store.fail(StoreError(.offline, "Away."))
    let service = try world.service()
    let kept = try #require(try await service.save(path, base: nil, text: bytes("text"), draft: nil).kept)
    let door = Door()
    world.store.beforePut { _ async throws(StoreError) in await door.pass() }
    async let first = service.sendUnsent(kept.id)
    await door.arrivals(1)
    #expect(await kind { _ = try await service.sendUnsent(kept.id) } == .conflict)
    door.open()
    #expect(try await first.saved != nil)
  }

  @Test func `a damaged save is sent to nobody, and its text is in a file`() async throws {
    let file = "\(world.folder)/damaged.sqlite"
    do {
      world.store.fail(StoreError(.offline, "Away."))
      let service = try world.service(outbox: try OutboxDatabase(path: file))
      _ = try await service.save(path, base: nil, text: bytes("text that will break"), draft: nil)
    }
    world.store.fail(nil)
    await closed(file)
    var data = try Data(contentsOf: URL(filePath: file))
    let range = try #require(data.range(of: Data("will break".utf8)))
    data[range.lowerBound] ^= 1
    try data.write(to: URL(filePath: file))
    let service = try world.service(outbox: try OutboxDatabase(path: file))
    let unsent = try #require(try await service.unsent().first)
    var told: StoreError?
    do throws(StoreError) { _ = try await service.sendUnsent(unsent.id) } catch { told = error }
    let copy = "\(world.edits)/damaged-save-\(unsent.id).txt"
    #expect(told?.kind == .corrupt && told?.remedy.contains(copy) == true)
    #expect(FileManager.default.contents(atPath: copy) == Data("text that vill break".utf8))
    #expect(world.store.puts == ["text that will break"])
    #expect(try await service.unsent().isEmpty)
  }

  @Test func `where the outbox cannot be written, the store is asked on the same condition`() async throws {
    let entry = try await world.put("old", at: "a.md")
    try Data().write(to: URL(filePath: world.bases))
    let service = try world.service()
    #expect(try await service.save(path, base: entry.revision, text: bytes("new"), draft: nil).saved != nil)
    #expect(try await world.text("a.md") == "new")
    #expect(try await service.create(named: "b", text: bytes("b")).saved != nil)
    // The member has not seen what is there now.
    #expect(
      await kind { _ = try await service.save(path, base: entry.revision, text: bytes("newer"), draft: nil) }
        == .conflict)
    #expect(await kind { _ = try await service.create(named: "b", text: bytes("other")) } == .exists)
    #expect(try await world.text("a.md") == "new")
    #expect(try await world.text("b.md") == "b")
  }

  @Test func `a text that neither the outbox nor the store takes is refused, with both reasons`() async throws {
    try Data().write(to: URL(filePath: world.bases))
    world.store.fail(StoreError(.offline, "Away."))
    let service = try world.service()
    var told: StoreError?
    do throws(StoreError) { _ = try await service.save(path, base: nil, text: [1], draft: nil) } catch { told = error }
    #expect(told?.message.contains(world.bases) == true && told?.remedy.isEmpty == false)
    #expect(told?.message.contains("Away.") == true)
  }
}
