import FileStores
import JSON
import Testing

@testable import StoreServer

/// Each member of a call's argument is used or refused.
@Suite(.serialized) struct ArgumentTests {
  @Test("A member that no call knows is refused by its name, wherever it stands")
  func unknown() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      let cursor: JSON = ["session_id": "x", "offset": .integer(0), "size": .integer(1)]
      for (route, argument, words) in [
        ("files/create_folder_v2", ["path": "/f", "root": "/"], "request body: unknown field 'root'"),
        ("files/search_v2", ["query": "a", "options": ["paths": ""]], "request body: options: unknown field 'paths'"),
        (
          "files/delete_batch", ["entries": .array([["path": "/a", "rev": "1"]])],
          "request body: entries: unknown field 'rev'"
        ),
        (
          "files/upload_session/finish_batch_v2", ["entries": .array([["cursor": cursor]])],
          "request body: entries: cursor: unknown field 'size'"
        ),
      ] as [(String, JSON, String)] {
        let reply = try await server.call(route, argument)
        #expect(reply.status == 400 && reply.text.hasSuffix(words), "\(route): \(reply.text)")
      }
      let sent = try await server.send("files/upload", ["path": "/b", "overwrite": true], [1])
      #expect(sent.status == 400 && sent.text.contains("unknown field 'overwrite'"))
      let update: JSON = [".tag": "update", "update": "000000001"]
      #expect(try await server.send("files/upload", ["path": "/c", "mode": update], [1]).status == 200)
      #expect(try await server.paths() == ["/a", "/c"])
    }
  }

  @Test("A version that is none is refused, also where a file is downloaded or shown")
  func revisions() async throws {
    try await withServer { server in
      try await server.upload("/a.csv", "1,2")
      for route in ["files/download", "files/get_preview"] {
        let reply = try await server.fetch(route, ["path": "/a.csv", "rev": "newest"])
        #expect(reply.status == 400 && reply.text.contains("rev: 'newest'"), "\(route): \(reply.text)")
      }
    }
  }

  @Test("Options that nothing in a club stands for are looked at all the same; others are refused")
  func options() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      for (route, argument) in [
        ("files/list_folder", ["path": "", "include_mounted_folders": "no"]),
        ("files/list_folder", ["path": "", "include_media_info": .integer(1)]),
        ("files/move_v2", ["from_path": "/a", "to_path": "/b", "allow_ownership_transfer": "no"]),
        ("files/copy_batch_v2", ["entries": .array([])]),
        ("files/create_folder_batch", ["paths": .array(["/f"]), "force_async": "yes"]),
        ("files/search_v2", ["query": "a", "options": ["filename_only": "yes"]]),
      ] as [(String, JSON)] {
        let reply = try await server.call(route, argument)
        #expect(reply.status == 400, "\(route): \(reply.text)")
      }
      #expect(try await server.send("files/upload", ["path": "/b", "mute": "yes"], [1]).status == 400)
      #expect(try await server.paths() == ["/a"])
      let moved: JSON = [
        "from_path": "/a", "to_path": "/b", "allow_ownership_transfer": true, "allow_shared_folder": false,
      ]
      #expect(try await server.call("files/move_v2", moved).status == 200)
    }
  }

  @Test("Version 1 refuses what it does not tell")
  func version1() async throws {
    try await withServer { server in
      for (path, option) in [
        ("metadata/auto", "include_media_info"), ("metadata/auto", "include_membership"),
        ("delta", "include_media_info"), ("delta/latest_cursor", "include_media_info"),
      ] {
        let method = path.hasPrefix("delta") ? "POST" : "GET"
        #expect(try await server.v1(method, path, [(option, "false")]).status == 200, "\(path)")
        let reply = try await server.v1(method, path, [(option, "true")])
        #expect(reply.status == 400 && reply.text.contains(option), "\(path)")
      }
    }
  }

  @Test("A checksum in a batch that finishes uploads is that of nothing, as nothing comes along")
  func batchChecksum() async throws {
    try await withServer { server in
      let id = try await server.send("files/upload_session/start", ["close": true], Array("text".utf8)).json[
        "session_id"]
      func finish(_ hash: ContentHash) async throws -> JSON? {
        let entry: JSON = .members([
          "cursor": .members(["session_id": id, "offset": .integer(4)]), "commit": ["path": "/a"],
          "content_hash": .string(hash.hex),
        ])
        let reply = try await server.call(
          "files/upload_session/finish_batch_v2", .members(["entries": .array([entry])]))
        return reply.json["entries"].elements.first
      }
      let refused = try await finish(ContentHash(of: "text".utf8))
      #expect(refused?["failure"]?[".tag"] == "content_hash_mismatch")
      #expect(try await finish(ContentHash(of: []))?[".tag"] == "success")
    }
  }

  @Test("Of what was deleted a listing tells whether it can be had again, on each page")
  func restorable() async throws {
    try await withServer { server in
      for name in ["a", "b"] { try await server.upload("/f/" + name, name) }
      for path in ["/f/a", "/f/b"] as [JSON] {
        #expect(try await server.call("files/delete_v2", .members(["path": path])).status == 200)
      }
      try await server.upload("/f/c", "here")
      let asked: JSON = ["path": "/f", "include_deleted": true, "include_restorable_info": true, "limit": .integer(2)]
      var page = try await server.call("files/list_folder", asked).json
      var told = page["entries"].elements.map { $0["is_restorable"] }
      page = try await server.call("files/list_folder/continue", .members(["cursor": page["cursor"]])).json
      told += page["entries"].elements.map { $0["is_restorable"] }
      #expect(told == [true, true, nil])
      let plain = try await server.call("files/list_folder", ["path": "/f", "include_deleted": true]).json
      #expect(plain["entries"].elements.allSatisfy { $0["is_restorable"] == nil })
    }
  }
}
