import Backends
import FileStores
import Synchronization
import TestKit
import Testing

/// Requests that arrive twice: the first did it, and the answer is the second's refusal.
@Suite struct TwiceTests {
  /// A store behind a proxy that repeats what changes something.
  private struct Echo: StoreAround {
    let base: any FileStore
    var capabilities: Capabilities { Capabilities(trash: base.capabilities.trash.map { EchoTrash(base: $0) }) }

    func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
      _ = try await base.move(path, to: target, ifRevision: ifRevision)
      return try await base.move(path, to: target, ifRevision: ifRevision)
    }

    func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
      try await base.delete(path, ifRevision: ifRevision)
      try await base.delete(path, ifRevision: ifRevision)
    }
  }

  /// A store in which another member puts another file where a move would go, and deletes its source.
  private struct Thief: StoreAround {
    let base: any FileStore

    func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
      try await base.delete(path, ifRevision: nil)
      _ = try await base.put(DataSource("else".utf8), at: target, mode: .create)
      return try await base.move(path, to: target, ifRevision: ifRevision)
    }
  }

  private struct EchoTrash: StoreTrash {
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
      _ = try await base.restore(file, as: path)
      return try await base.restore(file, as: path)
    }
    func delete(_ file: TrashedFile.ID) async throws(StoreError) { try await base.delete(file) }
    func empty() async throws(StoreError) -> Int { try await base.empty() }
  }

  private let memory = MemoryStore()
  private var store: RetryingStore { RetryingStore(Echo(base: memory), clock: ManualClock(advancesOnSleep: true)) }

  private func put(_ text: String, at path: String, _ mode: WriteMode = .create) async throws -> FileEntry {
    try await memory.put(DataSource(text.utf8), at: StorePath(path), mode: mode)
  }

  @Test func `a move whose source is gone and whose target is that file is done`() async throws {
    let before = try await put("text", at: "a")
    let moved = try await store.move(StorePath("a"), to: StorePath("b"), ifRevision: nil)
    #expect("\(moved.path)" == "b" && moved.size == before.size)
    await #expect(throws: StoreError.self) { try await store.move(StorePath("a"), to: StorePath("b"), ifRevision: nil) }
  }

  @Test func `a move whose target is another file is not done`() async throws {
    _ = try await put("text", at: "a")
    let error = await #expect(throws: StoreError.self) {
      try await RetryingStore(Thief(base: memory)).move(StorePath("a"), to: StorePath("b"), ifRevision: nil)
    }
    #expect(error?.kind == .notFound)
  }

  @Test func `what is gone after it was seen is deleted, and in the trash`() async throws {
    _ = try await put("text", at: "a")
    try await store.delete(StorePath("a"), ifRevision: nil)
    await #expect(throws: StoreError.self) { try await store.delete(StorePath("a"), ifRevision: nil) }
    _ = try await put("text", at: "b")
    let trash = try #require(store.capabilities.trash)
    let file = try await trash.discard(StorePath("b"), ifRevision: nil)
    #expect("\(file.origin)" == "b")
    #expect("\((try await trash.restore(file.id)).path)" == "b")
  }
}
