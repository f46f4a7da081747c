import Backends
import FileStores
import JSON
import Synchronization
import Testing

@testable import StoreServer

/// A version that cannot be kept does not stand in the way of a change.
@Suite(.serialized) struct KeptVersionTests {
  @Test("A change is made when the version before it cannot be kept, and the log says that and why")
  func unkept() async throws {
    let lines = KeptLog()
    let unreadable = Mutex<UnreadableStore?>(nil)
    try await withTemporaryFolder { folder in
      try await withServer(
        in: folder,
        over: { root, pool in
          let store = UnreadableStore(try FolderStore(root: root, pool: pool))
          unreadable.withLock { $0 = store }
          return store
        }, handler: lines.handler
      ) { server in
        for path in ["/a", "/b"] { try await server.upload(path, "one") }
        #expect(lines.all.filter { $0.hasPrefix("warning") } == [])
        unreadable.withLock { $0?.isUnreadable.store(true, ordering: .relaxed) }
        try await server.upload("/a", "two", ["mode": "overwrite"])
        #expect(contents(server.root + "/a") == "two")
        #expect(try await server.call("files/delete_v2", ["path": "/b"]).status == 200)
        #expect(contents(server.root + "/b") == nil)
        unreadable.withLock { $0?.isUnreadable.store(false, ordering: .relaxed) }
        let kept = try await server.call("files/list_revisions", ["path": "/a"]).json["entries"].elements
        #expect(kept.count == 1)
      }
    }
    let told = lines.all.filter { $0.hasPrefix("warning") }
    #expect(told.count == 2)
    #expect(told.allSatisfy { $0.contains("could not be kept") && $0.contains("The disk is worn out.") })
  }

  @Test("When room is wanted the oldest versions go, but no content that a younger one has, too")
  func sharedContent() async throws {
    try await withServer(tune: { $0.versions = VersionLimits(totalBytes: 10) }) { server in
      var revs: [String: String] = [:]
      for (name, text) in [("a", "xxxx"), ("b", "yyyy"), ("c", "xxxx"), ("d", "zzzz")] {
        revs[name] = try await server.upload("/" + name, text)["rev"]?.string
        try await server.upload("/" + name, "new", ["mode": "overwrite"])
      }
      func old(_ name: String) async throws -> Reply {
        try await server.fetch("files/download", ["path": .string("rev:" + (revs[name] ?? "?"))])
      }
      for (name, text) in [("a", nil), ("b", nil), ("c", "xxxx"), ("d", "zzzz")] as [(String, String?)] {
        let reply = try await old(name)
        #expect(text == nil ? reply.status == 409 : reply.text == text, "\(name): \(reply.text)")
      }
    }
  }

  @Test("A version is restored where it was, not over another file")
  func otherFile() async throws {
    try await withServer { server in
      let rev = try await server.upload("/a", "one")["rev"]
      try await server.upload("/a", "two", ["mode": "overwrite"])
      try await server.upload("/b", "three")
      let reply = try await server.call("files/restore", .members(["path": "/b", "rev": rev]))
      #expect(reply.json.at("error", ".tag") == "invalid_revision")
      #expect(contents(server.root + "/b") == "three")
    }
  }
}

/// A store whose content cannot be read for a while.
private final class UnreadableStore: FileStore {
  let isUnreadable = Atomic(false)
  private let base: any FileStore

  init(_ base: any FileStore) { self.base = base }

  var limits: StoreLimits { base.limits }
  var resumableUploads: (any ResumableUploads)? { base.resumableUploads }
  var trash: (any StoreTrash)? { base.trash }
  var changes: (any ChangeFeed)? { base.changes }

  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage
  {
    try await base.list(folder, options, after: cursor)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry { try await base.entry(at: path) }

  func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    guard !isUnreadable.load(ordering: .relaxed) else { throw StoreError(.server, "The disk is worn out.") }
    return try await base.read(path, from: offset, ifRevision: ifRevision, receive)
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    try await base.put(source, at: path, mode: mode)
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    try await base.move(path, to: target, ifRevision: ifRevision)
  }

  func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await base.delete(path, ifRevision: ifRevision)
  }

  func createFolder(_ path: StorePath) async throws(StoreError) { try await base.createFolder(path) }
}
