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
    let unreadable = Mutex<InterruptedStore?>(nil)
    try await withTemporaryFolder { folder in
      try await withServer(
        in: folder,
        over: { root, pool in
          let store = InterruptedStore(try FolderStore(root: root, pool: pool))
          unreadable.withLock { $0 = store }
          return store
        }, handler: lines.handler
      ) { server in
        for path in ["/a", "/b"] { try await server.upload(path, "one") }
        #expect(lines.all.filter { $0.hasPrefix("warning") } == [])
        let failure = StoreError(.server, "The disk is worn out.")
        unreadable.withLock { $0?.readFailure.withLock { $0 = failure } }
        try await server.upload("/a", "two", ["mode": "overwrite"])
        #expect(contents(server.root + "/a") == "two")
        #expect(try await server.call("files/delete_v2", ["path": "/b"]).status == 200)
        #expect(contents(server.root + "/b") == nil)
        unreadable.withLock { $0?.readFailure.withLock { $0 = nil } }
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
