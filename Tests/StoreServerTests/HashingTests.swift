import Backends
import FileStores
import Foundation
import JSON
import Synchronization
import Testing

@testable import StoreServer

/// Checksums of files that another program wrote.
@Suite(.serialized) struct HashingTests {
  /// Opens once.
  private final class Gate: Sendable {
    private let (stream, opening) = AsyncStream<Void>.makeStream()
    func open() { opening.finish() }
    func wait() async { for await _ in stream {} }
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  @Test("A file that many ask about is read once")
  func shared() async throws {
    let hashes = SharedHashes()
    let (gate, started) = (Gate(), Gate())
    let reads = Counter()
    let version = SharedHashes.Version(path: try StorePath("film"), revision: Revision("1"))
    try await withThrowingTaskGroup(of: ContentHash.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await hashes.hash(of: version) { () throws(StoreError) in
            reads.add()
            started.open()
            await gate.wait()
            return ContentHash(of: [1])
          }
        }
      }
      await started.wait()
      gate.open()
      for try await hash in group { #expect(hash == ContentHash(of: [1])) }
    }
    #expect(reads.count >= 1)
    // Nothing is remembered here: the next one reads again.
    let again = try await hashes.hash(of: version) { () throws(StoreError) in ContentHash(of: [2]) }
    #expect(again == ContentHash(of: [2]))
  }

  @Test("A listing does not wait for a large file; its checksum is told as a change")
  func listing() async throws {
    let gate = Gate()
    let held = Mutex<InterruptedStore?>(nil)
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    try await withServer(over: { root, pool in
      let store = InterruptedStore(
        try FolderStore(root: root, pool: pool, keepsVersions: false, hidesTrash: false))
      held.withLock { $0 = store }
      return store
    }) { server in
      let store = try #require(held.withLock { $0 })
      store.interrupt("film") { await gate.wait() }
      // Whole from the first look on.
      try Data(bytes).write(to: URL(fileURLWithPath: server.root + "/film"), options: .atomic)
      try Data("small".utf8).write(to: URL(fileURLWithPath: server.root + "/note.md"))
      let listed = try await server.call("files/list_folder", ["path": ""]).json
      let film = listed["entries"].elements.first { $0["name"] == "film" }
      #expect(film?["size"] == .integer(3 << 20) && film?["content_hash"] == nil)
      gate.open()
      let cursor = listed["cursor"] ?? .null
      var hash: JSON?
      while hash == nil {
        let waited = try await server.call(
          "files/list_folder/longpoll", .members(["cursor": cursor, "timeout": .integer(30)]))
        #expect(waited.json["changes"] == .bool(true))
        let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
        hash = news["entries"].elements.first { $0["name"] == "film" }?["content_hash"]
      }
      #expect(hash == .string(ContentHash(of: bytes).hex))
      let again = try await server.call("files/list_folder", ["path": ""]).json["entries"].elements
      #expect(again.allSatisfy { $0["content_hash"] != nil } && again.count == 2)
    }
  }
}
