import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// What a search is told to look for, and how it tells what it found.
@Suite(.serialized) struct SearchFormTests {
  private func found(_ server: TestServer, _ query: String, _ options: JSON = [:]) async throws -> [String] {
    var all: [JSON] = []
    var reply = try await server.call("files/search_v2", ["query": .string(query), "options": options])
    try #require(reply.status == 200, "\(reply.text)")
    all += reply.json["matches"].elements
    while let cursor = reply.json["cursor"] {
      reply = try await server.call("files/search/continue_v2", ["cursor": cursor])
      all += reply.json["matches"].elements
    }
    return all.compactMap { $0.at("metadata", "metadata", "path_display").string }
  }

  @Test("Kinds of files are distinguished by their endings")
  func categories() async throws {
    try await withServer { server in
      let paths = [
        "/club.JPG", "/club.avifs", "/club.csv", "/club.docx", "/club.key", "/club.mp3", "/club.mp4", "/club.paper",
        "/club.pdf",
        "/club.xyz", "/club",
      ]
      for path in paths { try await server.upload(path, "x") }
      _ = try await server.call("files/create_folder_v2", ["path": "/club folder"])
      let expected: KeyValuePairs = [
        "image": ["/club.avifs", "/club.JPG"], "spreadsheet": ["/club.csv"], "document": ["/club.docx"],
        "presentation": ["/club.key"], "audio": ["/club.mp3"], "video": ["/club.mp4"], "paper": ["/club.paper"],
        "pdf": ["/club.pdf"], "others": ["/club", "/club.xyz"], "folder": ["/club folder"],
      ]
      for (kind, paths) in expected {
        #expect(try await found(server, "club", ["file_categories": .array([[".tag": .string(kind)]])]) == paths)
      }
      let two = JSON.array(["audio", "video"])
      #expect(try await found(server, "", ["file_categories": two]) == ["/club.mp3", "/club.mp4"])
      let unknown = try await server.call(
        "files/search_v2", ["query": "a", "options": ["file_categories": .array(["songs"])]])
      #expect(unknown.status == 400)
    }
  }

  @Test("The order is that of names, or what changed last comes first, also over several pages")
  func order() async throws {
    try await withServer { server in
      // Files of another program have its times.
      for (number, letter) in ["c", "a", "d", "b"].enumerated() {
        let path = server.root + " beside/note \(letter)"
        try StoreServerTests.write(letter, to: path)
        let date = Date(timeIntervalSince1970: 1_000_000_000 + Double(number) * 10)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        try FileManager.default.createDirectory(atPath: server.root + "/f", withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path, toPath: server.root + "/f/note \(letter)")
      }
      #expect(try await server.paths("/f").count == 5)
      let pages: JSON = ["max_results": .integer(3)]
      #expect(try await found(server, "note", pages) == ["/f/note a", "/f/note b", "/f/note c", "/f/note d"])
      let newest: JSON = ["max_results": .integer(3), "order_by": "last_modified_time"]
      #expect(try await found(server, "note", newest) == ["/f/note b", "/f/note d", "/f/note a", "/f/note c"])
      let other = try await server.call(
        "files/search_v2", ["query": "note", "options": ["account_id": "dbid:x"]])
      #expect(other.json.at("error", ".tag") == "invalid_argument")
    }
  }

  @Test("Words in quotation marks are found as they stand together, and one that does not end is words")
  func phrases() async throws {
    try await withServer { server in
      for path in ["/report one.md", "/one report.md", "/Report  One two.md"] { try await server.upload(path, "x") }
      for (query, names) in [
        ("\"report one\"", ["/report one.md"]), ("two \"REPORT\"", ["/Report  One two.md"]),
        ("\"one  report\" md", ["/one report.md"]),
        ("\"report on", ["/Report  One two.md", "/one report.md", "/report one.md"]),
        ("\"\" two", ["/Report  One two.md"]),
      ] {
        #expect(try await found(server, query).sorted() == names, "\(query)")
      }
    }
  }

  @Test("Nothing is found below a folder that does not exist, as at Dropbox, but a file is no folder")
  func missingFolder() async throws {
    try await withServer { server in
      try await server.upload("/a.md", "x")
      for path in ["/none", "id:none"] { #expect(try await found(server, "a", ["path": .string(path)]) == []) }
      let empty = try await server.call("files/search_v2", ["query": "", "options": ["path": "/none"]])
      #expect(empty.json.at("error", ".tag") == "invalid_argument")
      let file = try await server.call("files/search_v2", ["query": "a", "options": ["path": "/a.md"]])
      #expect(file.json["error_summary"] == "path/not_folder/.")
      let older = try await server.call("files/search", ["path": "/none", "query": "a"])
      #expect(older.json["error_summary"] == "path/not_found/.")
    }
  }

  @Test("The words that were found are shown in the name")
  func highlights() async throws {
    try await withServer { server in
      try await server.upload("/Ärger mit ÄRGER.md", "x")
      let reply = try await server.call(
        "files/search_v2", ["query": "arger md", "match_field_options": ["include_highlights": true]])
      let spans = reply.json["matches"].elements.first?["highlight_spans"].elements ?? []
      #expect(spans.compactMap { $0["highlight_str"]?.string } == ["Ärger", " mit ", "ÄRGER", ".", "md"])
      #expect(spans.map { $0["is_highlighted"] == true } == [true, false, true, false, true])
      let without = try await server.call("files/search_v2", ["query": "arger"])
      #expect(without.json["matches"].elements.first?["highlight_spans"] == nil)
    }
  }

  @Test("The older form counts its matches")
  func older() async throws {
    try await withServer { server in
      for letter in ["a", "b", "c"] { try await server.upload("/f/note \(letter)", letter) }
      try await server.upload("/note d", "d")
      func search(_ more: KeyValuePairs<String, JSON?> = [:]) async throws -> JSON {
        let fixed = JSON.members(["path": "/f", "query": "note", "max_results": .integer(2)])
        return try await server.call("files/search", fixed.adding(JSON.members(more).list)).json
      }
      let first = try await search()
      #expect(first["matches"].elements.compactMap { $0.at("metadata", "name").string } == ["note a", "note b"])
      #expect(first["matches"].elements.first?.at("match_type", ".tag") == "filename")
      #expect(first["more"] == true && first["start"] == .integer(2))
      let second = try await search(["start": first["start"]])
      #expect(second["matches"].elements.compactMap { $0.at("metadata", "name").string } == ["note c"])
      #expect(second["more"] == false && second["start"] == .integer(3))
      _ = try await server.call("files/delete_v2", ["path": "/f/note b"])
      let gone = try await search(["mode": "deleted_filename"])
      #expect(gone["matches"].elements.compactMap { $0.at("metadata", ".tag").string } == ["deleted"])
      #expect(try await search(["mode": "filename_and_content"]).at("error", ".tag") == "invalid_argument")
    }
  }
}
