import Backends
import Basics
import Database
import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct ListingTests {
  @Test("A folder is listed in pages, each entry once, and what changes after is reported from the cursor")
  func pages() async throws {
    try await withServer { server in
      for number in 0..<7 { try await server.upload("/f/\(number).md", "text \(number)") }
      var reply = try await server.call("files/list_folder", .members(["path": "/F", "limit": .integer(3)])).json
      var names = reply["entries"].elements.compactMap { $0["name"]?.string }
      #expect(reply["has_more"] == true)
      // Changed while the listing is under way: reported by the end at the latest.
      try await server.upload("/f/0.md", "new", ["mode": "overwrite"])
      while reply["has_more"] == true {
        reply = try await server.call(
          "files/list_folder/continue", .members(["cursor": reply["cursor"]])
        ).json
        names += reply["entries"].elements.compactMap { $0["name"]?.string }
      }
      #expect(Set(names).count == 7)
      #expect(names.count(where: { $0 == "0.md" }) <= 2)
      let later = try await server.call("files/list_folder/continue", .members(["cursor": reply["cursor"]])).json
      #expect(later["has_more"] == false)
      try await server.upload("/f/new.md", "x")
      _ = try await server.call("files/delete_v2", .members(["path": "/f/1.md"]))
      let news = try await server.call("files/list_folder/continue", .members(["cursor": later["cursor"]])).json
      #expect(
        news["entries"].elements.map { ($0[".tag"]?.string ?? "") + " " + ($0["path_lower"]?.string ?? "") }
          == ["file /f/new.md", "deleted /f/1.md"])
    }
  }

  @Test(
    "What another program wrote is told with its checksums, in whatever batches; what it changes then, and deletes, too"
  )
  func batches() async throws {
    try await withServer { server in
      func listed() async throws -> [String: String] {
        let reply = try await server.call("files/list_folder", .members(["path": "/f", "limit": .integer(2000)]))
        return Dictionary(
          uniqueKeysWithValues: reply.json["entries"].elements.map {
            ($0["name"]?.string ?? "", $0["content_hash"]?.string ?? "")
          })
      }
      var wanted: [String: String] = [:]
      for number in 0..<601 {
        try write("text \(number)", to: server.root + "/f/\(number).md")
        wanted["\(number).md"] = ContentHash(of: Array("text \(number)".utf8)).hex
      }
      #expect(try await listed() == wanted)
      try write("tixt 250", to: server.root + "/f/250.md")
      try write("other", to: server.root + "/f/600.md")
      try FileManager.default.removeItem(atPath: server.root + "/f/0.md")
      wanted["250.md"] = ContentHash(of: Array("tixt 250".utf8)).hex
      wanted["600.md"] = ContentHash(of: Array("other".utf8)).hex
      wanted["0.md"] = nil
      #expect(try await listed() == wanted)
    }
  }

  @Test("A file that goes before anybody wanted its checksum is reported as deleted")
  func goneUnread() async throws {
    try await withServer { server in
      let start = try await server.call("files/list_folder/get_latest_cursor", .members(["path": ""])).json
      try write("one", to: server.root + "/a.md")
      _ = try await server.paths()
      try FileManager.default.removeItem(atPath: server.root + "/a.md")
      _ = try await server.paths()
      let news = try await server.call("files/list_folder/continue", .members(["cursor": start["cursor"]]))
      #expect(news.json["entries"].elements.map { $0[".tag"]?.string } == ["deleted"], "\(news.text)")
    }
  }

  @Test("A cursor alone does not have the club looked through again, and misses nothing", .timeLimit(.minutes(5)))
  func cursorAlone() async throws {
    let lists = Mutex(0)
    try await withServer(over: { root, pool in
      LoggingStore(try FolderStore(root: root, pool: pool, hidesTrash: false)) { line in
        if line.hasPrefix("list") { lists.withLock { $0 += 1 } }
      }
    }) { server in
      func latest() async throws -> JSON? {
        try await server.call("files/list_folder/get_latest_cursor", .members(["path": "", "recursive": true]))
          .json["cursor"]
      }
      var before = -1
      var cursor: JSON?
      // Until the server has looked through the club once, by itself.
      while lists.withLock({ $0 }) != before {
        before = lists.withLock { $0 }
        cursor = try await latest()
      }
      try write("one", to: server.root + "/a.md")
      let poll = try await server.call(
        "files/list_folder/longpoll", .members(["cursor": cursor, "timeout": .integer(480)]))
      #expect(poll.json["changes"] == true)
      let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor]))
      #expect(news.json["entries"].elements.map { $0["path_display"] } == ["/a.md"])
      #expect(lists.withLock { $0 } == before)
      #expect(try await server.paths() == ["/a.md"])
      #expect(lists.withLock { $0 } > before)
    }
  }

  @Test("Recursive listings hold the folder itself, and folders before what is in them")
  func recursive() async throws {
    try await withServer { server in
      try await server.upload("/a/b/c.md", "x")
      try await server.upload("/a b.md", "x")
      let entries = try await server.call(
        "files/list_folder", .members(["path": "/a", "recursive": true])
      ).json["entries"].elements.compactMap { $0["path_display"]?.string }
      #expect(entries == ["/a", "/a/b", "/a/b/c.md"])
      #expect(try await server.paths() == ["/a", "/a b.md", "/a/b", "/a/b/c.md"])
      #expect(try await server.paths("", recursive: false) == ["/a", "/a b.md"])
    }
  }

  @Test("What is no folder is reported by kind")
  func errors() async throws {
    try await withServer { server in
      try await server.upload("/a.md", "x")
      let list = { (path: String) in
        try await server.call("files/list_folder", .members(["path": .string(path)]))
      }
      #expect(try await list("/none").json.at("error", "path", ".tag") == "not_found")
      #expect(try await list("/a.md").json.at("error", "path", ".tag") == "not_folder")
      #expect(try await list("/a.md/x").json.at("error", "path", ".tag") == "not_found")
      #expect(try await list("/").status == 400)
      #expect(try await list("a").status == 400)
      #expect(try await list("/a/").json.at("error", "path", ".tag") == "malformed_path")
      let wrong = try await server.call("files/list_folder/continue", .members(["cursor": "x"]))
      #expect(wrong.status == 400)
      #expect(wrong.headers["content-type"] == "text/plain; charset=utf-8")
    }
  }

  @Test("A long poll ends when another program changes the folder, and not for other folders")
  func longpoll() async throws {
    try await withServer { server in
      try await server.upload("/a/x.md", "x")
      try await server.upload("/b/x.md", "x")
      let cursor = try await server.call("files/list_folder/get_latest_cursor", .members(["path": "/a"])).json["cursor"]
      // Without a token: the cursor says all.
      async let answer = server.client.request(
        "POST", "/2/files/list_folder/longpoll", [("Content-Type", "application/json")],
        Array(JSON.members(["cursor": cursor, "timeout": .integer(480)]).encoded.utf8))
      try await server.upload("/b/y.md", "y")
      try write("new", to: server.root + "/a/behind.md")
      #expect(try await answer.json == .members(["changes": true]))
      let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
      #expect(news["entries"].elements.compactMap { $0["path_display"]?.string } == ["/a/behind.md"])
    }
  }

  @Test("Cursors end with their member, and another index makes them start anew")
  func cursors() async throws {
    try await withTemporaryFolder { folder in
      var cursor: JSON?
      var token = ""
      try await withServer(in: folder) { server in
        token = server.token
        cursor = try await server.call("files/list_folder/get_latest_cursor", .members(["path": ""])).json["cursor"]
        let other = try MemberList(server.members).add("ben")
        let foreign = try await server.call(
          "files/list_folder/continue", .members(["cursor": cursor]), token: other)
        #expect(foreign.json.at("error", ".tag") == "reset")
      }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: folder + "/data/index.sqlite" + suffix)
      }
      try await withServer(in: folder) { server in
        let reply = try await server.call("files/list_folder/continue", .members(["cursor": cursor]), token: token)
        #expect(reply.status == 409)
        #expect(reply.json.at("error", ".tag") == "reset")
        for member in try server.members.members() { try MemberList(server.members).remove(member.name) }
        let poll = try await server.client.request(
          "POST", "/2/files/list_folder/longpoll", [("Content-Type", "application/json")],
          Array(JSON.members(["cursor": cursor]).encoded.utf8))
        #expect(poll.status == 401)
        // A member who was removed and let in again lists anew.
        let again = try MemberList(server.members).add("ann")
        let back = try await server.call("files/list_folder/continue", .members(["cursor": cursor]), token: again)
        #expect(back.status == 409 && back.json.at("error", ".tag") == "reset", "\(back.text)")
      }
    }
  }

  @Test("Who waits for a change misses none that came since the look", .timeLimit(.minutes(5)))
  func signal() async {
    let signal = ChangeCount()
    let seen = signal.number
    signal.fire()
    await signal.wait(past: seen)
    #expect(signal.number == seen + 1)
  }

  @Test("A cursor outlives the server")
  func restart() async throws {
    try await withTemporaryFolder { folder in
      var cursor: JSON?
      var token = ""
      try await withServer(in: folder) { server in
        token = server.token
        try await server.upload("/a.md", "x")
        cursor = try await server.call("files/list_folder/get_latest_cursor", .members(["path": ""])).json["cursor"]
      }
      try write("behind", to: folder + "/root/b.md")
      try await withServer(in: folder) { server in
        _ = try await server.paths()
        let news = try await server.call(
          "files/list_folder/continue", .members(["cursor": cursor]), token: token
        ).json
        #expect(news["entries"].elements.compactMap { $0["name"]?.string } == ["b.md"])
      }
    }
  }
}
