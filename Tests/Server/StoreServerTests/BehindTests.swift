import FileStores
import Foundation
import POSIX
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct BehindTests {
  @Test("What another program changes is seen at once, under a new rev and the same id")
  func edits() async throws {
    try await withServer { server in
      let file = try await server.upload("/a.md", "one")
      try write("two!", to: server.root + "/a.md")
      let seen = try await server.call("files/get_metadata", .members(["path": "/a.md"])).json
      #expect(seen["size"] == .integer(4))
      #expect(seen["rev"] != file["rev"])
      #expect(seen["id"] == file["id"])
      #expect(seen["content_hash"]?.string == ContentHash(of: Array("two!".utf8)).hex)
      let update = JSON.members([".tag": "update", "update": file["rev"]])
      let stale = try await server.send("files/upload", .members(["path": "/a.md", "mode": update]), [1])
      #expect(stale.status == 409)
      #expect(contents(server.root + "/a.md") == "two!")
    }
  }

  @Test("A file that is asked for again and again is sent as it is now, whatever another program does to it")
  func notFromMemory() async throws {
    try await withServer { server in
      try await server.upload("/a.md", "first")
      let path = server.root + "/a.md"
      for number in 0..<50 {
        let text = "text \(10 + number)"
        // In place, of equal length: only its times tell.
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: [])
        for _ in 0..<3 {
          let reply = try await server.fetch("files/download", ["path": "/a.md"])
          #expect(reply.text == text)
          #expect(try await server.v1("GET", "files/auto/a.md").text == text)
        }
      }
      try FileManager.default.removeItem(atPath: path)
      #expect(symlink("/etc/hostname", path) == 0)
      #expect(try await server.fetch("files/download", ["path": "/a.md"]).status == 409)
      #expect(try await server.v1("GET", "files/auto/a.md").status == 404)
    }
  }

  @Test("A new time stamp on the same content is no new version")
  func touches() async throws {
    try await withServer { server in
      let file = try await server.upload("/a.md", "one", ["client_modified": "2015-05-12T15:50:38Z"])
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: server.root + "/a.md")
      let seen = try await server.call("files/get_metadata", .members(["path": "/a.md"])).json
      #expect(seen["rev"] == file["rev"])
      #expect(seen["client_modified"] == file["client_modified"])
    }
  }

  @Test("What another program makes and deletes is found by path and in listings")
  func madeAndGone() async throws {
    try await withServer { server in
      try write("x", to: server.root + "/Sub/new.md")
      let found = try await server.call("files/get_metadata", .members(["path": "/Sub/new.md"])).json
      #expect(found["path_lower"] == "/sub/new.md")
      #expect(try await server.paths() == ["/Sub", "/Sub/new.md"])
      try FileManager.default.removeItem(atPath: server.root + "/Sub")
      #expect(try await server.paths() == [])
      #expect(try await server.call("files/get_metadata", .members(["path": "/Sub/new.md"])).status == 409)
      try write("x", to: server.root + "/Sub")
      #expect(try await server.call("files/get_metadata", .members(["path": "/Sub"])).json[".tag"] == "file")
      #expect(try await server.call("files/get_metadata", .members(["path": "/sUB"])).json[".tag"] == "file")
    }
  }

  @Test("Files whose names differ by case or form alone are both there, and each can be read and written")
  func twins() async throws {
    try await withServer { server in
      try write("upper", to: server.root + "/Note.md")
      try write("lower", to: server.root + "/note.md")
      try write("composed", to: server.root + "/\u{E9}.md")
      try write("decomposed", to: server.root + "/e\u{301}.md")
      let entries = try await server.call("files/list_folder", .members(["path": ""])).json["entries"].elements
      #expect(Set(entries.compactMap { $0["path_lower"]?.string }).count == 4)
      var texts: Set<String> = []
      for entry in entries {
        texts.insert(try await server.fetch("files/download", .members(["path": entry["id"]])).text)
        texts.insert(try await server.fetch("files/download", .members(["path": entry["path_lower"]])).text)
      }
      #expect(texts == ["upper", "lower", "composed", "decomposed"])
      let marked = try #require(entries.first { $0["path_lower"]?.string == "/note (case conflict).md" })
      try await server.upload(marked["path_display"]?.string ?? "", "changed", ["mode": "overwrite"])
      #expect(Set([contents(server.root + "/Note.md"), contents(server.root + "/note.md")]).contains("changed"))
      #expect(Set([contents(server.root + "/Note.md"), contents(server.root + "/note.md")]).count == 2)
      // And it stays so.
      let again = try await server.call("files/list_folder", .members(["path": ""])).json["entries"].elements
      #expect(Set(again.map { $0["id"]?.string }) == Set(entries.map { $0["id"]?.string }))
    }
  }

  @Test("Links and pipes, and names that are no text, are not shown and cannot be reached")
  func strangeFiles() async throws {
    try await withServer { server in
      try write("secret", to: server.data + "/secret")
      symlink(server.data + "/secret", server.root + "/link")
      symlink(server.data, server.root + "/folder-link")
      mkfifo(server.root + "/pipe", 0o600)
      let bad = Array((server.root + "/bad").utf8CString.dropLast()) + [CChar(bitPattern: 0xFE), 0]
      close(open(bad, O_CREAT | O_WRONLY, 0o600))
      #expect(try await server.paths() == [])
      for path in ["/link", "/folder-link/secret", "/pipe", "/folder-link"] {
        #expect(try await server.fetch("files/download", .members(["path": .string(path)])).status == 409)
        #expect(
          try await server.send("files/upload", .members(["path": .string(path), "mode": "overwrite"]), [1]).status
            == 409)
      }
      #expect(contents(server.data + "/secret") == "secret")
    }
  }

  @Test("Many members who change one file at once: each change is there or refused, none is lost silently")
  func race() async throws {
    try await withServer { server in
      var rev = try await server.upload("/a.md", "0")["rev"]
      for round in 1...5 {
        let update = JSON.members([".tag": "update", "update": rev])
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
          for writer in 0..<6 {
            group.addTask {
              try await server.send(
                "files/upload", .members(["path": "/a.md", "mode": update]), Array("\(round) by \(writer)".utf8))
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let won = replies.filter { $0.status == 200 }
        #expect(won.count == 1)
        #expect(replies.count(where: { $0.status == 409 }) == 5)
        rev = won.first?.json["rev"]
        let seen = try await server.call("files/get_metadata", .members(["path": "/a.md"])).json
        #expect(seen["rev"] == rev)
      }
    }
  }
}
