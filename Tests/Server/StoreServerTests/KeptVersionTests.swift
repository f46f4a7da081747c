import Backends
import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// A version that cannot be kept does not stand in the way of a change.
@Suite(.serialized, .timeLimit(.minutes(5))) struct KeptVersionTests {
  @Test("A change is made when the version before it cannot be kept, and the log says that and why")
  func unkept() async throws {
    let lines = KeptLog()
    let unreadable = Mutex<InterruptedStore?>(nil)
    try await withTemporaryFolder { folder in
      try await withServer(
        in: folder,
        over: { root, pool in
          let store = InterruptedStore(try FolderStore(root: root, pool: pool, hidesTrash: false))
          unreadable.withLock { $0 = store }
          return store
        }, tune: { $0.versions.atOnceBytes = 8 }, handler: lines.handler
      ) { server in
        for path in ["/a", "/b"] { try await server.upload(path, "longer than that") }
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
    // Once for each file, or more often: what the server reads beside the requests may meet the disk, too, and says so.
    let told = lines.all.filter { $0.hasPrefix("warning") }
    for path in ["/a", "/b"] {
      #expect(
        told.contains { $0.contains("could not keep a version of \"\(path)\": The disk is worn out.") }, "\(told)")
    }
    #expect(told.allSatisfy { $0.contains("The disk is worn out.") }, "\(told)")
  }

  @Test("A missing folder of the server's own is named in the log, and the change is made")
  func missingFolder() async throws {
    let lines = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: { $0.versions.atOnceBytes = 8 }, handler: lines.handler) { server in
        try await server.upload("/a.md", "longer than that")
        try FileManager.default.removeItem(atPath: server.data + "/versions")
        try await server.upload("/a.md", "two", ["mode": "overwrite"])
        #expect(contents(server.root + "/a.md") == "two")
      }
    }
    let told = lines.all.filter { $0.hasPrefix("warning") }
    #expect(!told.isEmpty && told.allSatisfy { $0.contains("could not keep a version") && $0.contains("is missing") })
  }

  @Test("When room is wanted the oldest versions go, but no content that a younger one has, too")
  func sharedContent() async throws {
    try await withServer(tune: { $0.versions.totalBytes = 10 }) { server in
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

  @Test("What another program writes between members' writes is in the history, and so is what it replaced")
  func raceWithAnotherProgram() async throws {
    try await withServer { server in
      var written: [String] = []
      for round in 1...6 {
        let mine = "member \(round)"
        try await server.upload("/own.md", mine, ["mode": "overwrite"])
        try await write("owner \(round)", to: "own.md", of: server)
        written += [mine, "owner \(round)"]
      }
      #expect(try await versions(of: "/own.md", server) == written.reversed())
    }
  }

  @Test("A version of another program is kept before anybody replaces it")
  func otherProgramTwice() async throws {
    try await withServer { server in
      for text in ["first", "second", "third"] { try await write(text, to: "a.md", of: server) }
      #expect(try await versions(of: "/a.md", server) == ["third", "second", "first"])
      try FileManager.default.removeItem(atPath: server.root + "/a.md")
      #expect(try await versions(of: "/a.md", server) == ["third", "second", "first"])
    }
  }

  @Test("What was in the trash that is emptied is in the history of its place")
  func emptiedTrash() async throws {
    try await withServer { server in
      try await server.upload("/uni.md", "first")
      try await server.upload("/uni.md", "second and last", ["mode": "overwrite"])
      let move: JSON = ["from_path": "/uni.md", "to_path": "/.club-trash/1-a/uni.md"]
      #expect(try await server.call("files/move_v2", move).status == 200)
      #expect(try await server.call("files/delete_v2", ["path": "/.club-trash"]).status == 200)
      #expect(try await versions(of: "/uni.md", server) == ["second and last", "first"])
    }
  }

  @Test("A large file that was moved away and deleted can be had back where it was")
  func largeFile() async throws {
    try await withServer(tune: { $0.versions.atOnceBytes = 4 }) { server in
      try await server.upload("/photo.jpg", "larger than that")
      #expect(everything(below: server.data + "/versions") == [])
      let move: JSON = ["from_path": "/photo.jpg", "to_path": "/.club-trash/1-a/photo.jpg"]
      #expect(try await server.call("files/move_v2", move).status == 200)
      #expect(try await versions(of: "/photo.jpg", server) == ["larger than that"])
      #expect(try await server.call("files/delete_v2", ["path": "/.club-trash"]).status == 200)
      #expect(try await versions(of: "/photo.jpg", server) == ["larger than that"])
    }
  }

  @Test("Where the server's own disk has no room for a version, the change is made, and log and history say so")
  func nearlyFullDisk() async throws {
    let lines = KeptLog()
    let free = Mutex<UInt64>(1 << 30)
    let isFree: @Sendable () -> UInt64? = { free.withLock { $0 } }
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: { $0.freeBytes = isFree }, handler: lines.handler) { server in
        try await server.upload("/a.md", "one")
        free.withLock { $0 = 512 << 10 }
        for text in ["two", "three"] { try await server.upload("/a.md", text, ["mode": "overwrite"]) }
        free.withLock { $0 = 1 << 30 }
        try await server.upload("/a.md", "four", ["mode": "overwrite"])
        let entries = try await server.call("files/list_revisions", ["path": "/a.md"]).json["entries"].elements
        #expect(entries.map { $0["size"] } == [.integer(4), .integer(5), .integer(3), .integer(3)])
        // "three" could be kept when it was replaced.
        #expect(entries.map { $0["is_kept"] == .bool(false) } == [false, false, true, false])
        let old = try await server.v1("GET", "revisions/auto/a.md").json
        #expect(Optional(old).elements.map { $0["is_kept"] == .bool(false) } == [false, false, true, false])
        let lost = JSON.members(["path": "/a.md", "rev": entries[2]["rev"]])
        #expect(try await server.call("files/restore", lost).json.at("error", ".tag") == "invalid_revision")
        #expect(contents(server.root + "/a.md") == "four")
      }
    }
    let told = lines.all.filter { $0.contains("could not keep a version") }
    #expect(!told.isEmpty && told.allSatisfy { $0.contains("a.md") && $0.contains("full") })
  }

  @Test("Where the server's own disk is full, a change is refused before it is made")
  func fullDisk() async throws {
    let free = Mutex<UInt64>(1 << 30)
    let isFree: @Sendable () -> UInt64? = { free.withLock { $0 } }
    try await withServer(tune: { $0.freeBytes = isFree }) { server in
      try await server.upload("/a.md", "one")
      free.withLock { $0 = 1000 }
      let put = try await server.send("files/upload", ["path": "/a.md", "mode": "overwrite"], Array("two".utf8))
      #expect(put.json.at("error", "reason", ".tag") == "insufficient_space", "\(put.text)")
      // byteclub then speaks of the disk, and of no quota.
      #expect(put.json.at("error", "reason", "insufficient_space", ".tag") == "server_disk", "\(put.text)")
      let move = try await server.call("files/move_v2", ["from_path": "/a.md", "to_path": "/b.md"])
      #expect(move.status == 409)
      #expect(contents(server.root + "/a.md") == "one")
      #expect(try await server.paths() == ["/a.md"])
      #expect(try await server.call("files/delete_v2", ["path": "/a.md"]).status == 200)
      #expect(contents(server.root + "/a.md") == nil)
    }
  }

  @Test("Of one place so many versions are kept, the newest")
  func count() async throws {
    try await withServer(tune: { $0.versions.count = 3 }) { server in
      for number in 1...6 { try await server.upload("/a", "text \(number)", ["mode": "overwrite"]) }
      #expect(try await versions(of: "/a", server) == ["text 6", "text 5", "text 4"])
      #expect(everything(below: server.data + "/versions").count == 3)
    }
  }

  /// As another program does; returns when the server has kept it.
  private func write(_ text: String, to name: String, of server: TestServer) async throws {
    try replaceFile(server.root + "/" + name, with: text.utf8)
    let content = server.data + "/versions/" + ContentHash(of: Array(text.utf8)).hex
    while !FileManager.default.fileExists(atPath: content) {
      try Task.checkCancellation()
      await Task.yield()
    }
    // Its row in the history follows.
    while try await versions(of: "/" + name, server).first != text { try Task.checkCancellation() }
  }

  /// The texts of a path's versions, newest first, each read by its revision. A change of a file's times that comes
  /// before its checksum is known is a version of its own: the same text twice in a row counts once.
  private func versions(of path: String, _ server: TestServer) async throws -> [String] {
    let told = try await server.call("files/list_revisions", .members(["path": .string(path), "limit": .integer(100)]))
    var texts: [String] = []
    for entry in told.json["entries"].elements {
      #expect(entry["is_kept"] == nil)
      let rev = JSON.string("rev:" + (entry["rev"]?.string ?? ""))
      let text = try await server.fetch("files/download", .members(["path": rev])).text
      if text != texts.last { texts.append(text) }
    }
    return texts
  }
}
