import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// References by which a file or folder is copied, from one member to another.
@Suite(.serialized) struct CopyReferenceTests {
  private func reference(_ server: TestServer, _ path: String, token: String? = nil) async throws -> JSON {
    let reply = try await server.call("files/copy_reference/get", ["path": .string(path)], token: token)
    try #require(reply.status == 200, "\(reply.text)")
    return reply.json
  }

  private func save(_ server: TestServer, _ word: JSON?, _ path: String, token: String? = nil) async throws -> Reply {
    try await server.call(
      "files/copy_reference/save", .members(["copy_reference": word, "path": .string(path)]), token: token)
  }

  @Test("A file or folder is copied by its reference, and its author is the member who saves it")
  func copies() async throws {
    try await withServer { server in
      let file = try await server.upload("/f/a.md", "text", ["client_modified": "2015-05-12T15:50:38Z"])
      let ben = try MemberList(server.members).add("ben")
      let told = try await reference(server, "/F/A.md")
      #expect(told.at("metadata", ".tag") == "file" && told.at("metadata", "id") == file["id"])
      #expect((told["expires"]?.string ?? "") > WireTime.text(ServerOptions.now() + 86_400))
      let saved = try await save(server, told["copy_reference"], "/b.md", token: ben)
      #expect(saved.json.at("metadata", "path_display") == "/b.md", "\(saved.text)")
      #expect(saved.json.at("metadata", "content_hash") == file["content_hash"])
      #expect(saved.json.at("metadata", "client_modified") == "2015-05-12T15:50:38Z")
      #expect(saved.json.at("metadata", "id") != file["id"])
      let bens = RouteTable.accountID(try server.member("ben"))
      #expect(saved.json.at("metadata", "sharing_info", "modified_by") == .string(bens))
      let folder = try await reference(server, "/f")["copy_reference"]
      #expect(try await save(server, folder, "/g").json.at("metadata", ".tag") == "folder")
      // One reference serves both versions of the API.
      let old = try await server.v1("GET", "copy_ref/auto/f/a.md").json["copy_ref"]
      #expect(try await save(server, old, "/c.md").status == 200)
      #expect(try await server.paths() == ["/b.md", "/c.md", "/f", "/f/a.md", "/g", "/g/a.md"])
    }
  }

  @Test("A reference that cannot be saved is refused in the API's words")
  func refused() async throws {
    try await withServer { server in
      try await server.upload("/f/a.md", "text")
      try await server.upload("/gone.md", "text")
      let ben = try MemberList(server.members).add("ben")
      let (file, folder) = (try await reference(server, "/f/a.md"), try await reference(server, "/f"))
      let (gone, bens) = (try await reference(server, "/gone.md"), try await reference(server, "/f", token: ben))
      _ = try await server.call("files/delete_v2", ["path": "/gone.md"])
      try MemberList(server.members).remove("ben")
      for (word, path, summary) in [
        ("none", "/x", "invalid_copy_reference/."), (gone["copy_reference"], "/x", "not_found/."),
        (bens["copy_reference"], "/x", "no_permission/."), (file["copy_reference"], "/f", "path/conflict/folder/."),
        (file["copy_reference"], "/desktop.ini", "path/disallowed_name/."),
        (folder["copy_reference"], "/f/in", "path/malformed_path/."),
      ] as [(JSON?, String, String)] {
        let reply = try await save(server, word, path)
        #expect(reply.status == 409 && reply.json["error_summary"] == .string(summary), "\(reply.text)")
      }
      let none = try await server.call("files/copy_reference/get", ["path": "/none"])
      #expect(none.json["error_summary"] == "path/not_found/.")
      #expect(try await server.paths() == ["/f", "/f/a.md"])
    }
  }

  @Test("A saved copy counts for the quota")
  func quota() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, arrange: { $0.quota = 6 }) { server in
        try await server.upload("/a", "four")
        let word = try await reference(server, "/a")["copy_reference"]
        let reply = try await save(server, word, "/b")
        #expect(reply.json["error_summary"] == "path/insufficient_space/.", "\(reply.text)")
        #expect(try await server.paths() == ["/a"])
      }
    }
  }
}
