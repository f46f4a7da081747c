import Backends
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct ChangeTests {
  @Test("Folders are made with their parents; what is there already is a conflict or another name")
  func folders() async throws {
    try await withServer { server in
      let made = try await server.call("files/create_folder_v2", .members(["path": "/A/B"])).json
      #expect(made.at("metadata", "path_display") == "/A/B")
      #expect(made.at("metadata", ".tag") == .null)
      let again = try await server.call("files/create_folder_v2", .members(["path": "/a/b"]))
      #expect(again.json["error_summary"]?.string?.hasPrefix("path/conflict/folder/") == true)
      let renamed = try await server.call("files/create_folder_v2", .members(["path": "/a/b", "autorename": true]))
      #expect(renamed.json.at("metadata", "path_display") == "/A/b (1)")
      #expect(everything(below: server.root) == ["A", "A/B", "A/b (1)"])
    }
  }

  @Test("Deleting tells what was there, and only the version that was meant goes")
  func deletion() async throws {
    try await withServer { server in
      let old = try await server.upload("/f/a.md", "one")
      let new = try await server.upload("/f/a.md", "two", ["mode": "overwrite"])
      let stale = try await server.call("files/delete_v2", .members(["path": "/f/a.md", "parent_rev": old["rev"]]))
      #expect(stale.json["error_summary"]?.string?.hasPrefix("path_write/conflict/file/") == true)
      let right = try await server.call("files/delete_v2", .members(["path": "/F/A.md", "parent_rev": new["rev"]]))
      #expect(right.json.at("metadata", ".tag") == "file")
      #expect(right.json.at("metadata", "rev") == new["rev"])
      let none = try await server.call("files/delete_v2", .members(["path": "/f/a.md"]))
      #expect(none.json.at("error", "path_lookup", ".tag") == "not_found")
      let gone = try await server.call("files/get_metadata", .members(["path": "/f/a.md", "include_deleted": true]))
      #expect(gone.json[".tag"] == "deleted")
      #expect(try await server.call("files/delete_v2", .members(["path": "/f"])).status == 200)
      #expect(everything(below: server.root) == [])
    }
  }

  /// A folder in which nothing can be moved.
  private struct FixedStore: StoreWrapper {
    let base: any FileStore

    var capabilities: Capabilities {
      let own = base.capabilities
      return Capabilities(uploads: own.uploads, trash: own.trash, changes: own.changes)
    }

    func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
      throw StoreError(.notPermitted, "You may not rename \"\(path)\".", path: path)
    }
  }

  @Test(
    "A change that the disk permits to nobody is the server's failure, and may be tried again; one of a file is refused",
    arguments: [false, true])
  func unwritable(isDisk: Bool) async throws {
    try await withTemporaryFolder { folder in
      try await withServer(
        in: folder,
        over: { FixedStore(base: try FolderStore(root: $0, pool: $1, keepsVersions: false, hidesTrash: false)) },
        arrange: { source in
          source.check = { () throws(StoreError) in
            if isDisk { throw StoreError(.server, "The disk is read-only.") }
          }
        }
      ) { server in
        try await server.upload("/a", "text")
        let reply = try await server.call("files/move_v2", .members(["from_path": "/a", "to_path": "/b"]))
        #expect(reply.status == (isDisk ? 500 : 409), "\(reply.text)")
        #expect(try await server.paths() == ["/a"])
      }
    }
  }

  @Test("Moving keeps ids and gives new revs, below folders too; a change of case is a move")
  func moving() async throws {
    try await withServer { server in
      let file = try await server.upload("/a/x/f.md", "text", ["client_modified": "2015-05-12T15:50:38Z"])
      let cursor = try await server.call(
        "files/list_folder/get_latest_cursor", .members(["path": "", "recursive": true])
      ).json["cursor"]
      let reply = try await server.call("files/move_v2", .members(["from_path": "/A", "to_path": "/B/c"]))
      #expect(reply.json.at("metadata", "path_display") == "/B/c")
      let moved = try await server.call("files/get_metadata", .members(["path": "/b/C/X/f.md"])).json
      #expect(moved["id"] == file["id"])
      #expect(moved["rev"] != file["rev"])
      #expect(moved["client_modified"] == "2015-05-12T15:50:38Z")
      let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
      let told = news["entries"].elements.map { ($0[".tag"]?.string ?? "") + ($0["path_lower"]?.string ?? "") }
      #expect(
        Set(told) == [
          "deleted/a", "deleted/a/x", "deleted/a/x/f.md", "folder/b", "folder/b/c", "folder/b/c/x", "file/b/c/x/f.md",
        ])
      let cased = try await server.call("files/move_v2", .members(["from_path": "/B/c", "to_path": "/B/C"]))
      #expect(cased.json.at("metadata", "name") == "C")
      #expect(try await server.paths() == ["/B", "/B/C", "/B/C/x", "/B/C/x/f.md"])
    }
  }

  @Test(
    "What cannot be moved is told",
    arguments: [
      ("/none", "/x", "from_lookup/not_found/"), ("/a", "/a/b/c", "cant_move_folder_into_itself/"),
      ("/a", "/f.md", "to/conflict/file/"), ("/f.md", "/a", "to/conflict/folder/"),
      ("/f.md", "/g.md/x", "to/conflict/file_ancestor/"), ("/f.md", "/x/.", "to/malformed_path/"),
    ])
  func refused(from: String, to: String, summary: String) async throws {
    try await withServer { server in
      try await server.upload("/a/b.md", "1")
      try await server.upload("/f.md", "2")
      try await server.upload("/g.md", "3")
      for route in ["files/move_v2", "files/copy_v2"] {
        let reply = try await server.call(route, .members(["from_path": .string(from), "to_path": .string(to)]))
        #expect(reply.status == 409)
        #expect(reply.json["error_summary"]?.string?.hasPrefix(summary) == true, "\(route): \(reply.text)")
      }
      #expect(try await server.paths() == ["/a", "/a/b.md", "/f.md", "/g.md"])
    }
  }

  @Test("What is moved keeps its id, and has a new version")
  func movedID() async throws {
    try await withServer { server in
      let (file, below) = (try await server.upload("/a.md", "x"), try await server.upload("/f/b.md", "y"))
      for (from, to, was) in [("/a.md", "/c.md", file), ("/f", "/g", nil), ("/c.md", "/C.md", file)] {
        let reply = try await server.call(
          "files/move_v2", .members(["from_path": .string(from), "to_path": .string(to)]))
        #expect(was == nil || reply.json.at("metadata", "id") == was?["id"])
        #expect(was == nil || reply.json.at("metadata", "rev") != was?["rev"])
      }
      let moved = try await server.call("files/get_metadata", ["path": "/g/b.md"]).json
      #expect(moved["id"] == below["id"] && moved["rev"] != below["rev"])
    }
  }

  @Test("Copies have ids of their own, and other names where something is in the way")
  func copying() async throws {
    try await withServer { server in
      let file = try await server.upload("/a/f.md", "text")
      let copy = try await server.call("files/copy_v2", .members(["from_path": "/a", "to_path": "/b"])).json
      #expect(copy.at("metadata", "path_display") == "/b")
      let copied = try await server.call("files/get_metadata", .members(["path": "/b/f.md"])).json
      #expect(copied["id"] != file["id"])
      #expect(copied["content_hash"] == file["content_hash"])
      let renamed = try await server.call(
        "files/copy_v2", .members(["from_path": "/a/f.md", "to_path": "/b/f.md", "autorename": true]))
      #expect(renamed.json.at("metadata", "name") == "f (1).md")
      let batch = try await server.call(
        "files/copy_batch_v2",
        .members([
          "entries": .array([
            .members(["from_path": "/a/f.md", "to_path": "/c.md"]), .members(["from_path": "/no", "to_path": "/d"]),
          ])
        ])
      ).json
      #expect(batch["entries"].elements.map { $0[".tag"]?.string } == ["success", "failure"])
      #expect(batch["entries"].elements[0].at("success", "name") == "c.md")
    }
  }

  @Test("Searching finds words in names, whatever case and accents, page by page")
  func search() async throws {
    try await withServer { server in
      for name in ["Téxt one.txt", "two TEXT.md", "other.txt", "sub/text three.txt"] {
        try await server.upload("/" + name, "x")
      }
      func found(_ argument: JSON) async throws -> [String] {
        var reply = try await server.call("files/search_v2", argument).json
        var names: [String] = []
        while true {
          names += reply["matches"].elements.compactMap { $0.at("metadata", "metadata", "name").string }
          guard reply["has_more"] == true else { return names.sorted() }
          reply = try await server.call("files/search/continue_v2", .members(["cursor": reply["cursor"]])).json
        }
      }
      let all = ["Téxt one.txt", "text three.txt", "two TEXT.md"]
      #expect(try await found(.members(["query": "tex"])) == all)
      let one = JSON.members(["max_results": .integer(1)])
      #expect(try await found(.members(["query": "téx", "options": one])) == all)
      #expect(try await found(.members(["query": "text two"])) == ["two TEXT.md"])
      #expect(
        try await found(.members(["query": "text", "options": .members(["path": "/SUB"])])) == ["text three.txt"])
      let endings = JSON.members(["file_extensions": .array(["md"])])
      #expect(try await found(.members(["query": "text", "options": endings])) == ["two TEXT.md"])
      #expect(try await found(.members(["query": "nothing"])) == [])
    }
  }
}
