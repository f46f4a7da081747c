import FileStores
import JSON
import Testing

@testable import StoreServer

/// Features of Dropbox that a club does not have are told so in the API's own words.
@Suite(.serialized) struct AbsentFeatureTests {
  @Test("Lists of what a club does not have are empty, and have one page")
  func lists() async throws {
    try await withServer { server in
      for name in ["list_folders", "list_mountable_folders", "list_received_files"] {
        let reply = try await server.call("sharing/" + name, ["limit": .integer(100), "actions": .array([])])
        #expect(reply.json == ["entries": .array([])], "\(name): \(reply.text)")
        #expect(try await server.call("sharing/" + name, ["limit": .integer(0)]).status == 400)
        let next = try await server.call("sharing/\(name)/continue", ["cursor": "x"])
        #expect(next.json["error_summary"] == "invalid_cursor/.", "\(name): \(next.text)")
      }
      let first = try await server.call("file_requests/list_v2", ["limit": .integer(10)]).json
      #expect(first["file_requests"] == .array([]) && first["has_more"] == false)
      let next = try await server.call("file_requests/list/continue", .members(["cursor": first["cursor"]]))
      #expect(next.json == first)
      let other = try await server.call("file_requests/list/continue", ["cursor": "x"])
      #expect(other.json["error_summary"] == "invalid_cursor/.")
      for name in ["list", "delete_all_closed"] {
        #expect(try await server.call("file_requests/" + name, .null).json == ["file_requests": .array([])])
      }
      #expect(try await server.call("file_requests/delete", ["ids": .array([])]).status == 200)
      #expect(try await server.call("file_requests/count", .null).json == ["file_request_count": .integer(0)])
    }
  }

  @Test("Making one is refused, and changes nothing")
  func refusals() async throws {
    try await withServer { server in
      try await server.upload("/f/a.md", "text")
      for (route, argument, summary) in [
        ("sharing/share_folder", ["path": "/f", "force_async": true], "bad_path/inside_shared_folder/."),
        ("sharing/share_folder", ["path": "/new"], "bad_path/inside_shared_folder/."),
        ("sharing/share_folder", ["path": "/f/a.md"], "bad_path/is_file/."),
        ("sharing/share_folder", ["path": "/f/."], "bad_path/invalid_path/."),
        ("sharing/check_share_job_status", ["async_job_id": "x"], "invalid_async_job_id/."),
        ("file_requests/create", ["title": "Photos", "destination": "/f"], "disabled_for_team/."),
        ("file_requests/get", ["id": "x"], "not_found/."),
        ("file_requests/update", ["id": "x", "title": "y"], "not_found/."),
        ("file_requests/delete", ["ids": .array(["x"])], "not_found/."),
      ] as [(String, JSON, String)] {
        let reply = try await server.call(route, argument)
        #expect(reply.status == 409 && reply.json["error_summary"] == .string(summary), "\(route): \(reply.text)")
      }
      #expect(try await server.call("file_requests/create", ["title": "Photos"]).status == 400)
      for (path, summary) in [("/f/a.md", "non_exportable/."), ("/none", "path/not_found/.")] {
        let reply = try await server.fetch("files/export", ["path": .string(path)])
        #expect(reply.status == 409 && reply.json["error_summary"] == .string(summary), "\(reply.text)")
      }
      #expect(try await server.paths() == ["/f", "/f/a.md"])
    }
  }

  @Test("No file is locked and none can be, and each entry has an answer of its own")
  func locks() async throws {
    try await withServer { server in
      try await server.upload("/f/a.md", "text")
      let entries: JSON = ["entries": .array([["path": "/f/a.md"], ["path": "/f"], ["path": "/none"]])]
      for (route, first) in [
        ("files/get_file_lock_batch", "success"), ("files/unlock_file_batch", "success"),
        ("files/lock_file_batch", "failure"),
      ] {
        let results = try await server.call(route, entries).json["entries"].elements
        #expect(results.map { $0[".tag"]?.string } == [first, "failure", "failure"], "\(route)")
        if first == "success" {
          #expect(results.first?.at("lock", "content", ".tag") == "unlocked")
          #expect(results.first?.at("metadata", "name") == "a.md")
        } else {
          #expect(results.first?.at("failure", ".tag") == "cannot_be_locked")
        }
        #expect(results.last?.at("failure", "path_lookup", ".tag") == "not_found")
      }
    }
  }

  @Test("The routes that Dropbox tried first take the same as their successors")
  func alpha() async throws {
    try await withServer { server in
      let file = try await server.send("files/alpha/upload", ["path": "/a.md"], [1])
      #expect(file.status == 200)
      #expect(try await server.call("files/alpha/get_metadata", ["path": "/a.md"]).json["rev"] == file.json["rev"])
      let templates = try await server.call(
        "files/alpha/get_metadata", ["path": "/a.md", "include_property_templates": .array(["ptid:x"])])
      #expect(templates.status == 400 && templates.text.contains("include_property_templates: this server"))
    }
  }

  @Test("A request for another member of a team is refused with a sentence, also one that is answered from memory")
  func teams() async throws {
    try await withServer { server in
      try await server.upload("/a.md", "text")
      for header in ["Dropbox-API-Select-User", "Dropbox-API-Select-Admin"] {
        for _ in 0..<2 {
          #expect(try await server.fetch("files/download", ["path": "/a.md"]).text == "text")
          let reply = try await server.fetch("files/download", ["path": "/a.md"], [(header, "dbmid:x")])
          #expect(reply.status == 400 && reply.text.contains("a club has no teams"), "\(reply.text)")
        }
      }
    }
  }
}
