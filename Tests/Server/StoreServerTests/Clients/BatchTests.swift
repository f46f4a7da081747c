import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Many moves, copies, deletions or new folders in one call.
@Suite(.serialized) struct BatchTests {
  private func entries(_ pairs: [(String, String)]) -> JSON {
    .array(pairs.map { ["from_path": .string($0.0), "to_path": .string($0.1)] })
  }

  /// The result of a job, by the id in the answer that began it.
  private func result(
    _ server: TestServer, _ began: Reply, _ check: String, token: String? = nil
  ) async throws -> Reply {
    try #require(began.json[".tag"] == "async_job_id", "\(began.text)")
    return try await server.call(check, .members(["async_job_id": began.json["async_job_id"]]), token: token)
  }

  @Test("The older batches give a job, which is done: its entries have their metadata, and the feed has the changes")
  func older() async throws {
    try await withServer { server in
      let file = try await server.upload("/a.md", "text")
      try await server.upload("/f/b.md", "below")
      let cursor = try await server.call(
        "files/list_folder/get_latest_cursor", .members(["path": "", "recursive": true])
      ).json["cursor"]
      let moving: JSON = ["entries": entries([("/a.md", "/c.md"), ("/f", "/g")]), "allow_ownership_transfer": false]
      let moved = try await result(
        server, try await server.call("files/move_batch", moving), "files/move_batch/check")
      #expect(moved.json[".tag"] == "complete", "\(moved.text)")
      #expect(moved.json["entries"].elements.map { $0.at("metadata", "path_display") } == ["/c.md", "/g"])
      #expect(moved.json["entries"].elements.map { $0.at("metadata", ".tag") } == ["file", "folder"])
      #expect(moved.json["entries"].elements.first?.at("metadata", "id") == file["id"])
      let copying: JSON = ["entries": entries([("/c.md", "/g/b.md")]), "autorename": true, "allow_shared_folder": true]
      let copied = try await result(
        server, try await server.call("files/copy_batch", copying), "files/copy_batch/check")
      #expect(copied.json["entries"].elements.map { $0.at("metadata", "path_display") } == ["/g/b (1).md"])
      #expect(try await server.paths() == ["/c.md", "/g", "/g/b (1).md", "/g/b.md"])
      let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
      let told = news["entries"].elements.map { ($0[".tag"]?.string ?? "") + ($0["path_lower"]?.string ?? "") }
      #expect(
        Set(told) == [
          "deleted/a.md", "deleted/f", "deleted/f/b.md", "file/c.md", "folder/g", "file/g/b.md", "file/g/b (1).md",
        ])
    }
  }

  @Test("Of an older batch with an entry that fails, nothing is done", arguments: ["move_batch", "copy_batch"])
  func allOrNothing(name: String) async throws {
    try await withServer { server in
      for path in ["/a.md", "/b.md", "/f/c.md"] { try await server.upload(path, path) }
      for (pairs, summary) in [
        ([("/a.md", "/x.md"), ("/none.md", "/y.md")], ["from_lookup", "not_found"]),
        ([("/f", "/g"), ("/a.md", "/x.md"), ("/a.md", "/b.md")], name == "move_batch" ? ["from_lookup"] : ["to"]),
        ([("/a.md", "/x.md"), ("/f", "/h"), ("/b.md", "/x.md")], ["to", "conflict"]),
        ([("/a.md", "/x.md"), ("/b.md", "/desktop.ini")], ["to", "disallowed_name"]),
        ([("/a.md", "/x.md"), ("/f", "/f/in")], ["cant_move_folder_into_itself"]),
      ] as [([(String, String)], [String])] {
        let argument: JSON = ["entries": entries(pairs)]
        let reply = try await result(
          server, try await server.call("files/" + name, argument), "files/\(name)/check")
        #expect(reply.json[".tag"] == "failed", "\(reply.text)")
        #expect(reply.json.at("failed", ".tag") == .string(summary[0]), "\(reply.text)")
        if summary.count > 1 { #expect(reply.json.at("failed", summary[0], ".tag") == .string(summary[1])) }
        #expect(try await server.paths() == ["/a.md", "/b.md", "/f", "/f/c.md"], "\(pairs)")
      }
      let text = try await server.fetch("files/download", ["path": "/a.md"]).text
      #expect(text == "/a.md")
    }
  }

  @Test("Each entry's failure is its own, and an argument that is malformed changes nothing")
  func entryFailures() async throws {
    try await withServer { server in
      for path in ["/a", "/b", "/c"] { try await server.upload(path, path) }
      let moved = try await server.call(
        "files/move_batch_v2",
        ["entries": entries([("/none", "/x"), ("/a", "/b"), ("/c", "/x/."), ("/a", "/moved"), ("/b", "/bad/\\")])])
      #expect(
        moved.json["entries"].elements.map { $0[".tag"]?.string }
          == ["failure", "failure", "failure", "success", "failure"])
      #expect(
        moved.json["entries"].elements.map { $0.at("failure", "relocation_error", ".tag").string }
          == ["from_lookup", "to", "to", nil, "to"])
      #expect(try await server.paths() == ["/b", "/c", "/moved"])
      let one: JSON = ["from_path": "/b", "to_path": "/d"]
      for (route, argument) in [
        ("files/move_batch_v2", ["entries": .array([one, ["from_path": "/c"]])]),
        ("files/move_batch", ["entries": .array([one, ["from_path": "/c", "to_path": "d"]])]),
        ("files/copy_batch", ["entries": .array([])]),
        ("files/copy_batch", ["entries": entries(Array(repeating: ("/b", "/d"), count: 1001))]),
        ("files/delete_batch", ["entries": .array([["path": "/b"], ["path": "c"]])]),
        ("files/create_folder_batch", ["paths": .array(["/d", "e"])]),
        ("files/lock_file_batch", ["entries": .array([["path": "b"]])]),
      ] as [(String, JSON)] {
        let reply = try await server.call(route, argument)
        #expect(reply.status == 400, "\(route): \(reply.status) \(reply.text)")
      }
      #expect(try await server.paths() == ["/b", "/c", "/moved"])
    }
  }

  @Test("An older batch that passes the quota leaves nothing")
  func quota() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, arrange: { $0.quota = 10 }) { server in
        try await server.upload("/a", "four")
        let argument: JSON = ["entries": entries([("/a", "/b"), ("/a", "/c")])]
        let reply = try await result(
          server, try await server.call("files/copy_batch", argument), "files/copy_batch/check")
        #expect(reply.json.at("failed", "to", ".tag") == "insufficient_space", "\(reply.text)")
        #expect(try await server.paths() == ["/a"])
      }
    }
  }

  @Test("Folders are made as a job where a client forces it, and the job is its member's and its batch's alone")
  func forced() async throws {
    try await withServer { server in
      try await server.upload("/taken", "text")
      let argument: JSON = ["paths": .array(["/f", "/taken"]), "force_async": true]
      let began = try await server.call("files/create_folder_batch", argument)
      let made = try await result(server, began, "files/create_folder_batch/check")
      #expect(made.json[".tag"] == "complete")
      #expect(made.json["entries"].elements.map { $0[".tag"]?.string } == ["success", "failure"])
      #expect(made.json["entries"].elements.first?.at("metadata", "name") == "f")
      #expect(made.json["entries"].elements.last?.at("failure", "path", "conflict", ".tag") == "file")
      let ben = try MemberList(server.members).add("ben")
      for (check, token) in [
        ("files/create_folder_batch/check", ben), ("files/copy_batch/check", server.token),
        ("files/delete_batch/check", server.token), ("files/move_batch/check_v2", server.token),
        ("files/upload_session/finish_batch/check", server.token),
      ] {
        let reply = try await result(server, began, check, token: token)
        #expect(reply.status == 409 && reply.json["error_summary"] == "invalid_async_job_id/.", "\(check)")
      }
      let plain = try await server.call("files/create_folder_batch", ["paths": .array(["/g"])])
      #expect(plain.json[".tag"] == "complete")
    }
  }

  @Test("Of one member so many results are kept, and for an hour; the newest is kept at any size")
  func keptResults() {
    let jobs = FinishedJobs()
    func keep(_ text: String, of member: String, at now: Int64) -> String {
      jobs.keep(.string(text), of: "b", for: member, at: now)
    }
    func has(_ id: String, of member: String, at now: Int64) -> Bool {
      jobs.result(id, of: "b", for: member, at: now) != nil
    }
    let first = keep("first", of: "ann", at: 0)
    let others = (1...16).map { keep("\($0)", of: "ann", at: Int64($0)) }
    #expect(!has(first, of: "ann", at: 20))
    #expect(others.allSatisfy { has($0, of: "ann", at: 20) })
    let ben = keep("ben's", of: "ben", at: 20)
    let large = keep(String(repeating: "x", count: 3 << 20), of: "ann", at: 20)
    #expect(has(large, of: "ann", at: 20) && has(ben, of: "ben", at: 20))
    #expect(!others.contains { has($0, of: "ann", at: 20) })
    #expect(has(large, of: "ann", at: 3619) && !has(large, of: "ann", at: 3620))
  }
}
