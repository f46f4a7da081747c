import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct `The history of a note` {
  let world: NotesWorld
  let service: NotesService
  let path: StorePath

  init() throws {
    world = try NotesWorld()
    // A store with every power.
    service = try world.service(store: world.memory)
    path = try StorePath("a.md")
  }

  @Test func `has what was saved, newest first, and each version can be read`() async throws {
    let first = try await world.put("one", at: "a.md")
    let outcome = try await service.save(path, base: first.revision, text: Array("two!".utf8), draft: nil)
    guard case .saved(let second) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let history = try await service.history(of: path)
    #expect(history.map(\.revision) == [second.revision, first.revision])
    let old = try await service.version(try #require(first.revision), of: path)
    #expect(old.bytes == Array("one".utf8) && old.content == .text && old.draft == nil)
  }

  @Test func `restores over what was seen, and loses nothing`() async throws {
    let first = try await world.put("one", at: "a.md")
    let second = try await world.put("two", at: "a.md")
    let restored = try await service.restore(try #require(first.revision), of: path, over: second.revision)
    #expect(try await world.text("a.md") == "one")
    let history = try await service.history(of: path)
    #expect(history.map(\.revision) == [restored.revision, second.revision, first.revision])
    let kept = try await service.version(try #require(second.revision), of: path)
    #expect(kept.bytes == Array("two".utf8))
  }

  @Test func `restores nothing over what was not seen`() async throws {
    let first = try await world.put("one", at: "a.md")
    let second = try await world.put("two", at: "a.md")
    try await world.put("three, by another member", at: "a.md")
    let error = await #expect(throws: StoreError.self) {
      try await service.restore(try #require(first.revision), of: path, over: second.revision)
    }
    #expect(error?.kind == .conflict)
    #expect(try await world.text("a.md") == "three, by another member")
  }

  @Test func `waits for a save that is on its way, so that the restored text stays`() async throws {
    let first = try await world.put("one", at: "a.md")
    async let saved = service.save(path, base: first.revision, text: Array("two".utf8), draft: nil)
    guard case .saved(let second) = try await saved else { return }
    _ = try await service.restore(try #require(first.revision), of: path, over: second.revision)
    #expect(try await world.text("a.md") == "one")
  }

  @Test func `of a deleted note brings it back`() async throws {
    let first = try await world.put("one", at: "a.md")
    try await world.memory.delete(path, ifRevision: nil)
    #expect(try await service.history(of: path).map(\.revision) == [first.revision])
    _ = try await service.restore(try #require(first.revision), of: path, over: nil)
    #expect(try await world.text("a.md") == "one")
  }

  @Test func `is said to be missing where the store keeps none`() async throws {
    let folder = try world.service(
      store: try FolderStore(root: world.folder, pool: world.pool, keepsVersions: false))
    for ask in [
      { _ = try await folder.history(of: path) }, { _ = try await folder.version(Revision("r"), of: path) },
      { _ = try await folder.restore(Revision("r"), of: path, over: nil) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: StoreError.self) { try await ask() }
      #expect(error?.kind == .unsupported)
      #expect(error?.message == "The store of \"home\" keeps no versions of notes.")
    }
  }
}

@Suite struct `Searching by the store` {
  @Test func `tells what the club lists, and nothing else`() async throws {
    let world = try NotesWorld()
    let service = try world.service(store: world.memory)
    for name in ["Spring.md", ".spring", "sub/spring.md", "photos/spring.jpg", "other.md"] {
      try await world.put("text", at: name)
    }
    let found = try await service.found(by: "spring")
    #expect(try Set(found.map(\.entry.path)) == [StorePath("Spring.md"), StorePath("sub/spring.md")])
    #expect(try await service.found(by: " ").isEmpty)
    #expect(try await service.found(by: "nothing like it").isEmpty)
  }

  @Test func `finds nothing where the store has no search`() async throws {
    let world = try NotesWorld()
    try await world.put("text", at: "Spring.md")
    let service = try world.service(store: try FolderStore(root: world.folder, pool: world.pool))
    #expect(try await service.found(by: "spring").isEmpty)
  }
}
