import Database
import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct NotesFilesTests {
  private let world: NotesWorld
  init() throws { world = try NotesWorld() }

  @Test func `a renamed note keeps its text, and its draft and unsent saves follow`() async throws {
    let entry = try await world.put("old", at: "a.md")
    let journal = try world.journal()
    let service = try world.service(journal)
    let id = journal.begin(entry.path, title: "", base: entry.revision, text: bytes("old"))
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: [65])], in: id)
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.save(entry.path, base: entry.revision, text: bytes("new"), draft: id)
    let next = journal.begin(entry.path, title: "", base: entry.revision, text: bytes("new"))
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: [65])], in: next)
    #expect(try await service.rename(entry.path, to: "b.md").path == StorePath("b.md"))
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: [66])], in: next)
    #expect(try await service.unsent().map(\.path) == [try StorePath("b.md")])
    #expect(try await journal.all().map(\.path) == [try StorePath("b.md")])
    #expect(try await world.names == ["b.md"])
    world.store.fail(nil)
    let unsent = try #require(try await service.unsent().first)
    // Renaming gives another revision to the same text: no conflict.
    #expect(try await service.sendUnsent(unsent.id).saved != nil)
    #expect(try await world.text("b.md") == "new")
  }

  @Test func `a name that is taken, and one that no note may have, are refused`() async throws {
    let entry = try await world.put("a", at: "a.md")
    try await world.put("b", at: "b.md")
    let service = try world.service()
    #expect(await kind { _ = try await service.rename(entry.path, to: "b.md") } == .exists)
    for name in ["", ".a", "photos/a.md", "a\u{1B}b"] {
      #expect(await kind { _ = try await service.rename(entry.path, to: name) } == .badName)
    }
    #expect(await kind { _ = try await service.rename(try StorePath("gone.md"), to: "c.md") } == .notFound)
    #expect(try await service.rename(entry.path, to: "A.md").path == StorePath("A.md"))
    #expect(try await service.rename(try StorePath("A.md"), to: "A.md").path == StorePath("A.md"))
    #expect(try await world.names == ["A.md", "b.md"])
  }

  @Test func `a request that arrives twice renames or trashes once, and is answered as done`() async throws {
    let seen = try await world.put("a", at: "a.md")
    let service = try world.service(store: Twice(base: world.memory))
    let renamed = try await service.rename(seen.path, to: "b.md", seen: seen)
    #expect(try renamed.path == StorePath("b.md"))
    let file = try await service.trash(renamed.path, seen: renamed)
    #expect(file.origin == renamed.path)
    #expect(try await world.names == [])
    // Another text under the new name is no proof.
    try await world.put("other", at: "c.md")
    #expect(await kind { _ = try await service.rename(seen.path, to: "c.md", seen: seen) } == .notFound)
    #expect(await kind { _ = try await service.trash(try StorePath("d.md"), seen: seen) } == .notFound)
  }

  @Test func `the trash gives back what went in`() async throws {
    let entry = try await world.put("a", at: "a.md")
    let service = try world.service()
    let trashed = try await service.trash(entry.path)
    #expect(try await world.names.isEmpty)
    #expect(try await service.trashed().map(\.id) == [trashed.id])
    #expect(try await service.restore(trashed.id).path == entry.path)
    #expect(try await world.text("a.md") == "a")
    _ = try await service.trash(entry.path)
    #expect(try await service.emptyTrash() == 1)
    #expect(try await service.trashed().isEmpty)
  }

  @Test func `without a trash nothing is deleted`() async throws {
    let entry = try await world.put("a", at: "a.md")
    world.store.takeCapabilities()
    let service = try world.service()
    #expect(await kind { _ = try await service.trash(entry.path) } == .unsupported)
    #expect(await kind { _ = try await service.trashed() } == .unsupported)
    #expect(try await world.text("a.md") == "a")
  }
}

/// A store to which each request to move or to discard arrives twice; the second answer counts.
private struct Twice: StoreAround {
  let base: any FileStore

  var capabilities: Capabilities { Capabilities(trash: base.capabilities.trash.map(TwiceTrash.init)) }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    _ = try await base.move(path, to: target, ifRevision: ifRevision)
    return try await base.move(path, to: target, ifRevision: ifRevision)
  }

  struct TwiceTrash: StoreTrash {
    let base: any StoreTrash

    func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
      _ = try await base.discard(path, ifRevision: ifRevision)
      return try await base.discard(path, ifRevision: ifRevision)
    }
    func contents() async throws(StoreError) -> [TrashedFile] { try await base.contents() }
    func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
      try await base.read(file, limit: limit)
    }
    func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
      try await base.restore(file, as: path)
    }
    func delete(_ file: TrashedFile.ID) async throws(StoreError) { try await base.delete(file) }
    func empty() async throws(StoreError) -> Int { try await base.empty() }
  }
}
