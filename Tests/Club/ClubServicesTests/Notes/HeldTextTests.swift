import FileStores
import Testing

@testable import ClubServices

/// A text from a pipe: a draft from before the first request until a save of it is on the disk.
@Suite struct HeldTextTests {
  private let world: NotesWorld
  private let path: StorePath

  init() throws {
    world = try NotesWorld()
    path = try StorePath("log.md")
  }

  private func held(_ text: String, key: String = "~/Club") async throws -> HeldText {
    try await HeldText(
      bytes(text), at: path, key: key, outbox: world.outbox, basesDirectory: world.bases, pool: world.pool)
  }

  @Test func `a held text is a draft that no other byteclub offers while its command runs`() async throws {
    let held = try await held("mine\n")
    let text = try #require(try await world.service().waiting().first)
    #expect(text.kind == .draft && text.path == path && text.isElsewhere)
    #expect(try await world.service().text(of: text.id) == bytes("mine\n"))
    #expect(held.isHeld)
  }

  @Test func `a draft of a command that was killed is offered`() async throws {
    var held: HeldText? = try await held("mine\n")
    weak let owner = held?.owner
    await NotesWorld.end(&held)
    while owner != nil { await Task.yield() }
    #expect(try await world.service().waiting().map(\.isElsewhere) == [false])
  }

  @Test(arguments: [true, false]) func `the save of a held text takes its place`(isAddition: Bool) async throws {
    let service = try world.service()
    let held = try await held("mine\n")
    service.hold(held)
    world.store.beforePut { path throws(StoreError) in throw StoreError(.offline, "No.", path: path) }
    _ =
      isAddition
      ? try await service.append(bytes("mine\n"), to: path)
      : try await service.save(path, base: nil, text: bytes("mine\n"), draft: nil, isOnlyCopy: true)
    #expect(!held.isHeld)
    #expect(try await service.waiting().map(\.kind) == [.toSend])
  }

  @Test func `a held text that is saved as a draft is one draft`() async throws {
    let service = try world.service()
    service.hold(try await held("mine\n"))
    try await service.keep(bytes("mine\n"), for: path, base: nil, after: StoreError(.badInput, "No."))
    #expect(try await service.waiting().map(\.kind) == [.draft])
  }

  @Test func `a save of another text leaves a held text where it is`() async throws {
    let service = try world.service()
    let held = try await held("mine\n")
    service.hold(held)
    _ = try await service.save(path, base: nil, text: bytes("other\n"), draft: nil)
    #expect(held.isHeld)
    #expect(try await service.waiting().map(\.kind) == [.draft])
  }

  @Test func `a held text follows the account that the service names`() async throws {
    let held = try await held("mine\n", key: "~/Club\nnobody")
    #expect(try await world.service().waiting().isEmpty)
    try await held.give(to: "~/Club")
    #expect(try await world.service().waiting().map(\.kind) == [.draft])
    try await held.remove()
    #expect(try await world.service().waiting().isEmpty)
  }
}
