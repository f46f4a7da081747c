import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// What a client asks for beside the usual: it is done, or refused with a reason.
@Suite(.serialized) struct OptionTests {
  @Test("What this server does not have is refused by name, and not left out")
  func refused() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      let filter: JSON = [".tag": "filter_some", "filter_some": .array(["ptid:x"])]
      for (route, argument) in [
        ("files/list_folder", ["path": "", "include_property_groups": filter]),
        ("files/get_metadata", ["path": "/a", "include_property_groups": filter]),
      ] as [(String, JSON)] {
        let reply = try await server.call(route, argument)
        #expect(reply.status == 400, "\(route): \(reply.text)")
        #expect(reply.text.contains("property_groups: this server"))
      }
      let groups: JSON = .array([["template_id": "ptid:x", "fields": .array([])]])
      let kept = try await server.send("files/upload", ["path": "/b", "property_groups": groups], [1])
      #expect(kept.status == 400 && kept.text.contains("property_groups"))
      let none = try await server.send("files/upload", ["path": "/b", "property_groups": .array([])], [1])
      #expect(none.status == 200)
    }
  }

  @Test("Who was let in to a file alone is told where it is asked for: nobody, on each page of a listing")
  func members() async throws {
    try await withServer { server in
      for name in ["a", "b", "c"] { try await server.upload("/f/" + name, name) }
      let asked: JSON = ["path": "/f", "include_has_explicit_shared_members": true, "limit": .integer(2)]
      var page = try await server.call("files/list_folder", asked).json
      var told = page["entries"].elements.map { $0["has_explicit_shared_members"] }
      page = try await server.call("files/list_folder/continue", .members(["cursor": page["cursor"]])).json
      told += page["entries"].elements.map { $0["has_explicit_shared_members"] }
      #expect(told == [false, false, false])
      let one: JSON = ["path": "/f/a", "include_has_explicit_shared_members": true]
      #expect(try await server.call("files/get_metadata", one).json["has_explicit_shared_members"] == false)
      let folder: JSON = ["path": "/f", "include_has_explicit_shared_members": true]
      #expect(try await server.call("files/get_metadata", folder).json["has_explicit_shared_members"] == nil)
      let without = try await server.call("files/list_folder", ["path": "/f"]).json
      #expect(without["entries"].elements.allSatisfy { $0["has_explicit_shared_members"] == nil })
    }
  }

  @Test("Tags are words in small letters, go along when a file is moved, and end with it")
  func tags() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      func tag(_ route: String, _ path: String, _ word: String) async throws -> Reply {
        try await server.call("files/tags/" + route, ["path": .string(path), "tag_text": .string(word)])
      }
      func words(_ path: String) async throws -> [String] {
        let reply = try await server.call("files/tags/get", ["paths": .array([.string(path)])])
        let entry = reply.json["paths_to_tags"].elements.first
        #expect(entry?["path"] == .string(path))
        return entry?["tags"].elements.compactMap { $0["tag_text"]?.string } ?? []
      }
      for word in ["Tides", "tides", "höhe_2"] { #expect(try await tag("add", "/a", word).text == "null") }
      #expect(try await words("/A") == ["höhe_2", "tides"])
      for word in ["", "two words", "a-b", String(repeating: "a", count: 33)] {
        #expect(try await tag("add", "/a", word).status == 400, "\(word)")
      }
      _ = try await server.call("files/move_v2", ["from_path": "/a", "to_path": "/f/b"])
      _ = try await server.call("files/copy_v2", ["from_path": "/f/b", "to_path": "/c"])
      #expect(try await words("/f/b") == ["höhe_2", "tides"])
      #expect(try await words("/c") == [])
      #expect(try await tag("remove", "/f/b", "TIDES").text == "null")
      #expect(try await tag("remove", "/f/b", "tides").json.at("error", ".tag") == "tag_not_present")
      #expect(try await words("/f/b") == ["höhe_2"])
      for number in 2...20 { #expect(try await tag("add", "/f/b", "t\(number)").status == 200) }
      #expect(try await tag("add", "/f/b", "t21").json.at("error", ".tag") == "too_many_tags")
      #expect(try await tag("add", "/f/b", "t20").status == 200)
      #expect(try await tag("add", "/none", "x").json["error_summary"] == "path/not_found/.")
      let none = try await server.call("files/tags/get", ["paths": .array(["/f/b", "/none"])])
      #expect(none.json["error_summary"] == "path/not_found/.")
      _ = try await server.call("files/delete_v2", ["path": "/f/b"])
      try await server.upload("/f/b", "new")
      #expect(try await words("/f/b") == [])
    }
  }

  @Test("The tags of what is gone are forgotten, and those of what is there stay")
  func forgottenTags() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    let node = ServerNode(key: "/a", id: "id:a", display: "/a", path: try StorePath("a"), isFolder: true)
    try index.write { writing in
      try writing.save(node)
      try writing.add(tag: "here", to: "id:a")
      try writing.add(tag: "gone", to: "id:b")
      try writing.forgetTags()
    }
    #expect(try index.read { try $0.tags(of: "id:a") } == ["here"])
    #expect(try index.read { try $0.tags(of: "id:b") } == [])
  }

  @Test("A table is shown as a page of text; of other files there is no preview")
  func preview() async throws {
    try await withServer { server in
      try await server.upload("/a.csv", "name,\"say \"\"hi\"\"\"\r\n<script>x</script>,\"a\nb\"\n")
      let reply = try await server.fetch("files/get_preview", ["path": "/a.csv"])
      #expect(reply.headers["content-type"] == "text/html; charset=utf-8")
      #expect(reply.headers["content-security-policy"]?.contains("sandbox") == true)
      #expect(reply.headers["dropbox-api-result"]?.contains("\"name\": \"a.csv\"") == true)
      #expect(reply.text.contains("<tr><td>name</td><td>say &quot;hi&quot;</td></tr>"))
      #expect(reply.text.contains("<tr><td>&lt;script&gt;x&lt;/script&gt;</td><td>a\nb</td></tr>"))
      try await server.upload("/a.docx", "text")
      let other = try await server.fetch("files/get_preview", ["path": "/a.docx"])
      #expect(other.json.at("error", ".tag") == "unsupported_extension")
      let none = try await server.fetch("files/get_preview", ["path": "/none.csv"])
      #expect(none.json["error_summary"] == "path/not_found/.")
      #expect(CSVTable("").rows == [] && CSVTable("a,").rows == [["a", ""]])
      #expect(CSVTable("a\n\nb").rows == [["a"], [""], ["b"]])
    }
  }
}
