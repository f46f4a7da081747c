import FileStores
import JSON
import Testing

@testable import StoreServer

/// Deleting with all versions, where the server's owner allows it.
@Suite(.serialized) struct PermanentDeletionTests {
  private static func allow(_ options: inout ServerOptions) { options.versions.canBeErased = true }

  private func erase(_ server: TestServer, _ path: String, rev: JSON? = nil) async throws -> Reply {
    try await server.call("files/permanently_delete", .members(["path": .string(path), "parent_rev": rev]))
  }

  private func revisions(_ server: TestServer, _ path: String) async throws -> Int {
    try await server.call("files/list_revisions", ["path": .string(path)]).json["entries"].elements.count
  }

  @Test("Without the owner's leave it is refused, and everything stays")
  func notAllowed() async throws {
    try await withServer { server in
      try await server.upload("/a.md", "one")
      let refused = try await erase(server, "/a.md")
      #expect(refused.status == 409 && refused.json["error_summary"] == "path_write/no_write_permission/.")
      #expect(try await server.paths() == ["/a.md"])
    }
  }

  @Test("A file goes with its versions, also those of an earlier name, and the feed tells of it")
  func file() async throws {
    try await withServer(tune: Self.allow) { server in
      let one = try await server.upload("/old.md", "one")
      try await server.upload("/old.md", "two", ["mode": "overwrite"])
      try await server.move("/old.md", to: "/a.md")
      let last = try await server.upload("/a.md", "three", ["mode": "overwrite"])
      let same = try await server.upload("/b.md", "one")
      try await server.upload("/b.md", "other", ["mode": "overwrite"])
      let cursor = try await server.call("files/list_folder/get_latest_cursor", ["path": ""]).json["cursor"]
      let stale = try await erase(server, "/a.md", rev: one["rev"])
      #expect(stale.json["error_summary"] == "path_write/conflict/file/.", "\(stale.text)")
      #expect(try await erase(server, "/A.md", rev: last["rev"]).text == "null")
      for path in ["/a.md", "/old.md"] { #expect(try await revisions(server, path) == 0, "\(path)") }
      let restored = try await server.call("files/restore", .members(["path": "/old.md", "rev": one["rev"]]))
      #expect(restored.json.at("error", ".tag") == "invalid_revision")
      let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
      #expect(news["entries"].elements.map { $0[".tag"] } == ["deleted"])
      // Another file with the same content keeps its version.
      #expect(try await revisions(server, "/b.md") == 2)
      #expect(try await server.call("files/restore", .members(["path": "/b.md", "rev": same["rev"]])).status == 200)
      #expect(try await server.paths() == ["/b.md"])
    }
  }

  @Test("A folder that is deleted already goes for good; a file that was moved away from there keeps its versions")
  func deletedBefore() async throws {
    try await withServer(tune: Self.allow) { server in
      for text in ["one", "two"] { try await server.upload("/f/a.md", text, ["mode": "overwrite"]) }
      for text in ["three", "four"] { try await server.upload("/f/moved.md", text, ["mode": "overwrite"]) }
      let before = try await server.call("files/list_revisions", ["path": "/f/moved.md"]).json["entries"].elements
      try await server.move("/f/moved.md", to: "/moved.md")
      _ = try await server.call("files/delete_v2", ["path": "/f"])
      #expect(try await revisions(server, "/f/a.md") == 2)
      #expect(try await erase(server, "/f").text == "null")
      #expect(try await revisions(server, "/f/a.md") == 0)
      let back = try await server.call(
        "files/restore", .members(["path": "/moved.md", "rev": before.last?["rev"]]))
      #expect(back.status == 200, "\(back.text)")
      #expect(try await server.fetch("files/download", ["path": "/moved.md"]).text == "three")
      let none = try await erase(server, "/none")
      #expect(none.json["error_summary"] == "path_lookup/not_found/.")
    }
  }
}
