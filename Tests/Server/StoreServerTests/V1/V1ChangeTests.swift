import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct V1ChangeTests {
  private struct Delta {
    let json: JSON
    var cursor: String { json["cursor"]?.string ?? "" }
    var isReset: Bool { json["reset"] == true }
    /// Folded paths; with a dash before what is gone.
    var told: [String] {
      json["entries"].elements.map { pair in
        guard case .array(let parts) = pair, parts.count == 2, let path = parts[0].string else { return "?" }
        return (parts[1] == .null ? "-" : "") + path
      }
    }
  }

  private func delta(_ server: TestServer, _ cursor: String? = nil, prefix: String? = nil) async throws -> Delta {
    let parameters = [("cursor", cursor), ("path_prefix", prefix)].compactMap { name, value in value.map { (name, $0) }
    }
    let reply = try await server.v1("POST", "delta", parameters)
    try #require(reply.status == 200, "\(reply.text)")
    return Delta(json: reply.json)
  }

  @Test("The first page begins anew and has everything, folders too; further ones what has changed")
  func first() async throws {
    try await withServer { server in
      try await server.v1Put("Sub/B.md", "1")
      try await server.v1Put("a", "1")
      let first = try await delta(server)
      #expect(first.isReset && first.told == ["/a", "/sub", "/sub/b.md"] && first.json["has_more"] == false)
      let quiet = try await delta(server, first.cursor)
      #expect(!quiet.isReset && quiet.told.isEmpty)
      try await server.v1Put("a", "2")
      _ = try await server.v1("POST", "fileops/delete", [("path", "/SUB")])
      let changed = try await delta(server, quiet.cursor)
      #expect(changed.told == ["/a", "-/sub/b.md", "-/sub"], "\(changed.told)")
    }
  }

  @Test("A cursor of an index that is made anew begins anew")
  func newIndex() async throws {
    try await withTemporaryFolder { folder in
      var (cursor, token) = ("", "")
      try await withServer(in: folder) { server in
        token = server.token
        try await server.v1Put("a", "1")
        cursor = try await delta(server).cursor
      }
      for file in everything(below: folder + "/data") where file.hasPrefix("index.sqlite") {
        unlink(folder + "/data/" + file)
      }
      try await withServer(in: folder) { server in
        let same = TestServer(
          client: server.client, token: token, members: server.members, root: server.root, data: server.data)
        let again = try await delta(same, cursor)
        #expect(again.isReset && again.told == ["/a"])
        #expect(try await delta(same, again.cursor).isReset == false)
      }
    }
  }

  @Test("A prefix keeps to its folder, which is reported, too; a cursor may be narrowed, not moved")
  func prefixes() async throws {
    try await withServer { server in
      for path in ["Sub/In/x", "sub/y", "z"] { try await server.v1Put(path, "1") }
      let first = try await delta(server, prefix: "/SUB/")
      #expect(first.told == ["/sub", "/sub/in", "/sub/in/x", "/sub/y"])
      try await server.v1Put("z", "2")
      try await server.v1Put("sub/y", "2")
      try await server.v1Put("sub/in/x", "2")
      #expect(try await delta(server, first.cursor, prefix: "/sub").told == ["/sub/y", "/sub/in/x"])
      #expect(try await delta(server, first.cursor, prefix: "/sub/in").told == ["/sub/in/x"])
      #expect(try await delta(server, first.cursor).told == ["/sub/y", "/sub/in/x"])
      let other = try await server.v1("POST", "delta", [("cursor", first.cursor), ("path_prefix", "/z")])
      #expect(other.status == 400)
      #expect(try await delta(server, prefix: "/nowhere").told == [])
    }
  }

  @Test("Many entries come in pages, each once, and a change meanwhile is reported after them")
  func pages() async throws {
    try await withServer { server in
      for number in 0..<1100 {
        try FileManager.default.createDirectory(
          atPath: server.root + "/f\(number)", withIntermediateDirectories: false)
      }
      let first = try await delta(server)
      #expect(first.told.count == 1000 && first.json["has_more"] == true)
      try await server.v1Put("f0/new", "1")
      let second = try await delta(server, first.cursor)
      #expect(second.told.count == 100 && second.json["has_more"] == false)
      #expect(Set(first.told + second.told).count == 1100)
      #expect(try await delta(server, second.cursor).told == ["/f0/new"])
    }
  }

  @Test("A wait ends when something has changed in its folder, and needs no token")
  func longpoll() async throws {
    try await withServer { server in
      try await server.v1Put("sub/a", "1")
      let reply = try await server.v1("POST", "delta/latest_cursor", [("path_prefix", "/sub")])
      let cursor = try #require(reply.json["cursor"]?.string)
      for method in ["GET", "POST"] {
        #expect(
          try await server.v1Bare(method, "longpoll_delta", [("cursor", cursor), ("timeout", "1")]).json
            == .members(["changes": false]))
      }
      async let waiting = server.v1Bare("GET", "longpoll_delta", [("cursor", cursor), ("timeout", "480")])
      try await server.v1Put("sub/b", "1")
      #expect(try await waiting.json["changes"] == true)
      #expect(try await server.v1Bare("GET", "longpoll_delta", [("cursor", cursor)]).json["changes"] == true)
      for bad in ["", "x", cursor + "A"] {
        #expect(try await server.v1Bare("GET", "longpoll_delta", [("cursor", bad)]).status == 400)
      }
    }
  }

  @Test("A cursor is its member's alone")
  func others() async throws {
    try await withServer { server in
      let cursor = try await delta(server).cursor
      let other = try MemberList(server.members).add("ben")
      let reply = try await server.v1Bare(
        "POST", "delta", [("cursor", cursor)], headers: [("Authorization", "Bearer " + other)])
      #expect(reply.status == 400)
    }
  }
}
