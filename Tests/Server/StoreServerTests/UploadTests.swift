import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct UploadTests {
  @Test("What is uploaded is there, with what the API says of it")
  func metadata() async throws {
    try await withServer { server in
      let file = try await server.upload("/Neu/Ä.md", "hello", ["client_modified": "2015-05-12T15:50:38Z"])
      #expect(file["name"] == "Ä.md")
      #expect(file["path_lower"] == "/neu/ä.md")
      #expect(file["client_modified"] == "2015-05-12T15:50:38Z")
      #expect(file["size"] == .integer(5))
      #expect(file["content_hash"] == "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50")
      #expect(file[".tag"] == nil)
      #expect(contents(server.root + "/Neu/Ä.md") == "hello")
      let asked = try await server.call("files/get_metadata", .members(["path": "/NEU/a\u{308}.md"])).json
      #expect(asked == file.adding([JSONMember(".tag", "file")], first: true))
      let byID = try await server.call("files/get_metadata", .members(["path": file["id"]])).json
      #expect(byID == asked)
    }
  }

  /// A file with "old" is there. What becomes of "new" (or of "old" again)?
  @Test(
    "Write modes",
    arguments: [
      ("add", false, false, "new", "conflict/file", "old"), ("add", true, false, "new", "/a (1).md", "old"),
      ("add", false, false, "old", "/a.md", "old"), ("add", false, true, "old", "conflict/file", "old"),
      ("overwrite", false, false, "new", "/a.md", "new"), ("overwrite", true, true, "new", "/a.md", "new"),
      ("right", false, false, "new", "/a.md", "new"), ("right", false, true, "new", "/a.md", "new"),
      ("stale", false, false, "new", "conflict/file", "old"), ("stale", false, false, "old", "/a.md", "old"),
      ("stale", false, true, "old", "conflict/file", "old"),
      ("stale", true, false, "new", "/a (ann's version, today).md", "old"),
    ])
  func modes(mode: String, rename: Bool, strict: Bool, text: String, result: String, left: String) async throws {
    try await withServer { server in
      let stale = try await server.upload("/a.md", "older")
      let now = try await server.upload("/A.md", "old", ["mode": "overwrite"])
      #expect(stale["id"] == now["id"])
      #expect(stale["rev"] != now["rev"])
      let update = mode == "right" ? now["rev"] : stale["rev"]
      let value: JSON =
        ["right", "stale"].contains(mode) ? .members([".tag": "update", "update": update]) : .string(mode)
      let reply = try await server.send(
        "files/upload",
        .members([
          "path": "/a.md", "mode": value, "autorename": .bool(rename), "strict_conflict": .bool(strict),
        ]), Array(text.utf8))
      if result.hasPrefix("/") {
        #expect(reply.json["path_display"]?.string.map(withoutDate) == result)
        if text == "old" { #expect(reply.json["rev"] == now["rev"]) }
      } else {
        #expect(reply.status == 409)
        #expect(reply.json["error_summary"]?.string?.hasPrefix("path/" + result) == true)
        #expect(reply.json.at("error", "reason", "conflict", ".tag") == "file")
        #expect(reply.json.at("error", "upload_session_id") == "")
      }
      #expect(contents(server.root + "/a.md") == left)
    }
  }

  @Test("A strict update with the same content is a version of its own")
  func strictSame() async throws {
    try await withServer { server in
      let first = try await server.upload("/a.md", "same")
      let update = JSON.members([".tag": "update", "update": first["rev"]])
      let second = try await server.upload("/a.md", "same", ["mode": update, "strict_conflict": true])
      #expect(second["rev"] != first["rev"] && second["id"] == first["id"])
    }
  }

  @Test("An update of what is not there writes it, unless the member is strict")
  func updateOfNothing() async throws {
    try await withServer { server in
      let rev = try await server.upload("/a.md", "x")["rev"]
      _ = try await server.call("files/delete_v2", .members(["path": "/a.md"]))
      let update = JSON.members([".tag": "update", "update": rev])
      let strict = try await server.send(
        "files/upload", .members(["path": "/a.md", "mode": update, "strict_conflict": true]), [1])
      #expect(strict.status == 409)
      #expect(try await server.upload("/a.md", "y", ["mode": update])["name"] == "a.md")
    }
  }

  @Test(
    "What stands in the way is told",
    arguments: [
      ("/folder", "conflict/folder/"), ("/file.md/below.md", "conflict/file_ancestor/"),
      ("/FILE.md/a/b", "conflict/file_ancestor/"), ("/x/desktop.ini", "disallowed_name/"),
      ("/.byteclub/x", "disallowed_name/"), ("/.byteclub-tmp-1", "disallowed_name/"),
      ("/.BYTECLUB/y", "disallowed_name/"), ("/f/.ByteClub", "disallowed_name/"),
    ])
  func obstacles(path: String, summary: String) async throws {
    try await withServer { server in
      try await server.upload("/file.md", "x")
      _ = try await server.call("files/create_folder_v2", .members(["path": "/folder"]))
      let reply = try await server.send("files/upload", .members(["path": .string(path)]), [1])
      #expect(reply.status == 409)
      #expect(reply.json["error_summary"]?.string?.hasPrefix("path/" + summary) == true, "\(reply.text)")
      #expect(try await server.paths() == ["/file.md", "/folder"])
    }
  }

  @Test("A wrong checksum leaves nothing behind")
  func hashes() async throws {
    try await withServer { server in
      let right = ContentHash(of: Array("hello".utf8)).hex
      let wrong = try await server.send(
        "files/upload", .members(["path": "/a.md", "content_hash": .string(right)]), Array("hallo".utf8))
      #expect(wrong.json.at("error", ".tag") == "content_hash_mismatch")
      #expect(try await server.paths() == [])
      try await server.upload("/a.md", "hello", ["content_hash": .string(right)])
    }
  }

  @Test("Content may come in chunks; content that is cut leaves nothing behind")
  func chunks() async throws {
    try await withServer { server in
      func head(_ path: String, _ more: String) -> String {
        """
        POST /2/files/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(server.token)\r
        Content-Type: application/octet-stream\r\nDropbox-API-Arg: {"path":"\(path)"}\r\n\(more)\r\n\r\n
        """
      }
      let whole = head("/whole", "Transfer-Encoding: chunked") + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
      #expect(try await server.client.exchange(Array(whole.utf8)).status == 200)
      #expect(contents(server.root + "/whole") == "hello world")
      let cut = [
        head("/cut1", "Transfer-Encoding: chunked") + "5\r\nhello\r\n6\r\n wo",
        head("/cut2", "Transfer-Encoding: chunked") + "5\r\nhello\r\n",
        head("/cut3", "Content-Length: 100") + "hello",
      ]
      for request in cut { _ = try await server.client.exchange(Array(request.utf8), closing: true) }
      #expect(try await server.paths() == ["/whole"])
    }
  }

  @Test("A name in the header may be escaped or plain UTF-8")
  func rawNames() async throws {
    try await withServer { server in
      let plain = try await server.client.request(
        "POST", "/2/files/upload",
        [
          ("Authorization", "Bearer " + server.token), ("Content-Type", "application/octet-stream"),
          ("Dropbox-API-Arg", #"{"path":"/rü/ünï2 🙂.txt"}"#),
        ], [1])
      #expect(plain.json["path_display"] == "/rü/ünï2 🙂.txt")
      let escaped = try await server.fetch("files/download", .members(["path": "/RÜ/ÜNÏ2 🙂.txt"]))
      #expect(escaped.status == 200)
      let result = try #require(escaped.headers["dropbox-api-result"])
      #expect(result.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
      #expect(try JSONReader.read(Array(result.utf8))["name"] == "ünï2 🙂.txt")
    }
  }

  @Test("A large file goes through without being held in memory")
  func large() async throws {
    try await withServer { server in
      let content = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 % 251) }
      let reply = try await server.send("files/upload", .members(["path": "/large"]), content)
      #expect(reply.json["content_hash"] == "a9aa14f788a027eba2f37a2a5344ce86e1371071f6959953374165125d07b19a")
      let back = try await server.fetch("files/download", .members(["path": "/large"]))
      #expect(back.body == content)
      #expect(everything(below: server.data + "/incoming") == [])
    }
  }

  @Test("Requests that are wrong in themselves are a line of text")
  func badCalls() async throws {
    try await withServer { server in
      let wrong: [JSON] = [
        .members(["path": "/a", "mode": "sideways"]), .members(["path": .integer(1)]), .members([:]), .array([]),
        .members(["path": "/a", "client_modified": "yesterday"]), .members(["path": "/a", "autorename": "yes"]),
        .members(["path": "/a", "mode": .members([".tag": "update", "update": "xyz"])]),
        .members(["path": "/a", "mode": .members([".tag": "update"])]), .members(["path": ""]),
      ]
      for argument in wrong {
        let reply = try await server.send("files/upload", argument, [1])
        #expect(reply.status == 400, "\(argument.encoded): \(reply.text)")
        #expect(reply.text.hasPrefix("Error in call to API function \"files/upload\": "))
      }
      #expect(try await server.paths() == [])
    }
  }
}

/// The path of a conflict copy without the parts that differ from run to run.
func withoutDate(_ path: String) -> String {
  path.replacing(/\(ann-[\w-]+'s version, \d{4}-\d\d-\d\d\)/, with: "(ann's version, today)")
}
