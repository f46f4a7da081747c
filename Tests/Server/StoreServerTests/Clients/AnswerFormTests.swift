import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// Answers as clients take them apart.
@Suite(.serialized) struct AnswerFormTests {
  @Test("JSON has a space behind each comma and colon, in bodies and in headers, in both versions")
  func spaces() async throws {
    try await withServer { server in
      try await server.upload("/a,b:c.txt", "text")
      let told = try await server.call("files/get_metadata", ["path": "/a,b:c.txt"])
      #expect(told.text.hasPrefix(#"{".tag": "file", "name": "a,b:c.txt", "id": "id:"#))
      let read = try await server.fetch("files/download", ["path": "/a,b:c.txt"])
      #expect(read.headers["dropbox-api-result"]?.hasPrefix(#"{"name": "a,b:c.txt", "id": "#) == true)
      let none = try await server.call("files/get_metadata", ["path": "/none"])
      #expect(
        none.text == #"{"error_summary": "path/not_found/.", "error": {".tag": "path", "path": {".tag": "not_found"}}}"#
      )
      let older = try await server.v1("GET", "files/auto/a,b:c.txt")
      #expect(older.headers["x-dropbox-metadata"]?.contains(#""bytes": 4, "#) == true)
    }
  }

  @Test("A member is a teammate of themselves, and of nobody else; several are asked for at once")
  func accounts() async throws {
    try await withServer { server in
      _ = try MemberList(server.members).add("ben")
      let ids = try server.members.members().map { RouteTable.accountID($0) }
      let own = try await server.call("users/get_current_account", .null).json["account_id"]
      let both = try await server.call("users/get_account_batch", ["account_ids": .array(ids.map(JSON.string))]).json
      #expect(Optional(both).elements.map { $0["account_id"]?.string } == ids)
      for account in Optional(both).elements {
        #expect(account["is_teammate"] == .bool(account["account_id"] == own))
        let one = try await server.call("users/get_account", .members(["account_id": account["account_id"]])).json
        #expect(one == account)
      }
      let unknown = try await server.call("users/get_account_batch", ["account_ids": .array([.string("dbid:x")])])
      #expect(unknown.json["error"] == [".tag": "no_account", "no_account": "dbid:x"])
      #expect(try await server.call("users/get_account_batch", ["account_ids": .array([])]).status == 400)
      let many = JSON.array(Array(repeating: "x", count: 301))
      #expect(try await server.call("users/get_account_batch", ["account_ids": many]).status == 400)
    }
  }

  @Test("What Dropbox's plans differ in, a club says it has not")
  func features() async throws {
    try await withServer { server in
      let told = try await server.call(
        "users/features/get_values", ["features": .array([[".tag": "file_locking"], "paper_as_files"])])
      #expect(
        told.json["values"].elements == [
          [".tag": "file_locking", "file_locking": [".tag": "enabled", "enabled": false]],
          [".tag": "paper_as_files", "paper_as_files": [".tag": "enabled", "enabled": false]],
        ])
      let none = try await server.call("users/features/get_values", ["features": .array([])])
      #expect(none.json.at("error", ".tag") == "empty_features_list")
    }
  }

  @Test("The history of what was deleted says when that was; a folder has none")
  func revisions() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "one", ["client_modified": "2015-05-12T15:50:38Z"])
      let before = ServerOptions.now()
      #expect(try await server.call("files/delete_v2", ["path": "/f/a"]).status == 200)
      let gone = try await server.call("files/list_revisions", ["path": "/f/a"]).json
      let deleted = try #require(gone["server_deleted"]?.string.flatMap(WireTime.seconds))
      #expect(gone["is_deleted"] == true && (before...ServerOptions.now()).contains(deleted))
      let restorable = try await server.call(
        "files/list_revisions", ["path": "/f/a", "include_restorable_info": true]
      ).json["entries"].elements
      #expect(restorable.map { $0["is_restorable"] } == [true])
      try await server.upload("/f/a", "two")
      let back = try await server.call("files/list_revisions", ["path": "/f/a"]).json
      #expect(back["is_deleted"] == false && back["server_deleted"] == nil)
      let folder = try await server.call("files/list_revisions", ["path": "/f"])
      #expect(folder.json.at("error", "path", ".tag") == "not_file")
      #expect(try await server.call("files/delete_v2", ["path": "/f"]).status == 200)
      let deletedFolder = try await server.call("files/list_revisions", ["path": "/f"])
      #expect(deletedFolder.json.at("error", "path", ".tag") == "not_file")
      let none = try await server.call("files/list_revisions", ["path": "/none"])
      #expect(none.json.at("error", "path", ".tag") == "not_found")
      let rev = try await server.upload("/b", "x")["rev"]
      let byID = try await server.call(
        "files/list_revisions", .members(["path": "/b", "mode": "id", "before_rev": rev]))
      #expect(byID.json.at("error", ".tag") == "before_rev_not_supported")
    }
  }

  @Test("A link says what its file is called and how large it is, also to who asks for no content")
  func links() async throws {
    try await withServer { server in
      try await server.upload("/Größe \"x\".txt", "text")
      let link = try #require(
        try await server.call("files/get_temporary_link", ["path": "/Größe \"x\".txt"]).json["link"]?.string)
      let path = String(link.dropFirst("http://127.0.0.1:\(server.client.port)".count))
      for method in ["GET", "HEAD"] {
        let reply = try await server.client.request(method, path)
        #expect(reply.status == 200 && reply.text == (method == "GET" ? "text" : ""))
        #expect(reply.headers["content-length"] == "4" && reply.headers["accept-ranges"] == "bytes")
        #expect(
          reply.headers["content-disposition"]
            == "attachment; filename=\"Gr__e _x_.txt\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.txt")
      }
      let part = try await server.client.request("HEAD", path, [("Range", "bytes=1-2")])
      #expect(part.status == 206 && part.headers["content-range"] == "bytes 1-2/4" && part.body.isEmpty)
      #expect(try await server.client.request("HEAD", path + "x").status == 404)
      #expect(try await server.client.request("HEAD", "/2/files/download").status == 401)
      let head = [("Authorization", "Bearer " + server.token), ("Dropbox-API-Arg", #"{"path":"id:none"}"#)]
      #expect(try await server.client.request("HEAD", "/2/files/download", head).status == 409)
    }
  }

  @Test("A download says how large a file is, also to a client that asks for no content")
  func head() async throws {
    try await withServer { server in
      try await server.upload("/a.txt", "text")
      let headers = [("Authorization", "Bearer " + server.token), ("Dropbox-API-Arg", #"{"path":"/a.txt"}"#)]
      let reply = try await server.client.request("HEAD", "/2/files/download", headers)
      #expect(reply.status == 200 && reply.body.isEmpty && reply.headers["content-length"] == "4")
      #expect(reply.headers["dropbox-api-result"]?.contains("a.txt") == true)
    }
  }
}
