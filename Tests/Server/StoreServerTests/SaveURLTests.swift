import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

@Suite("save_url", .timeLimit(.minutes(5)))
struct SaveURLTests {
  private func start(_ server: TestServer, _ path: String, _ url: String) async throws -> Reply {
    try await server.call("files/save_url", .members(["path": .string(path), "url": .string(url)]))
  }

  /// The job's end.
  private func end(_ server: TestServer, of reply: Reply) async throws -> JSON {
    let job = try #require(reply.json["async_job_id"]?.string, "\(reply.text)")
    while true {
      let state = try await server.call("files/save_url/check_job_status", .members(["async_job_id": .string(job)]))
      try #require(state.status == 200, "\(state.text)")
      if state.json[".tag"]?.string != "in_progress" { return state.json }
      await Task.yield()
    }
  }

  @Test func `a server does not read the web unless its owner allows it`() async throws {
    try await withServer { server in
      let reply = try await start(server, "/a.txt", "https://example.org/a")
      #expect(reply.status == 403)
      #expect(reply.text.contains("--allow-save-url"))
    }
  }

  @Test func `a file of the web is saved whole, and beside what has its name`() async throws {
    let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
    let tune: (inout ServerOptions) -> Void = { options in
      options.web = { (_, receive) throws(StoreError) in
        for start in stride(from: 0, to: content.count, by: 100_000) {
          try await receive(content[start..<min(start + 100_000, content.count)])
        }
      }
    }
    try await withServer(tune: tune) { server in
      try await server.upload("/a.bin", "mine")
      let saved = try await end(server, of: try await start(server, "/a.bin", "https://example.org/a"))
      #expect(saved[".tag"]?.string == "complete")
      #expect(saved["path_display"]?.string == "/a (1).bin")
      #expect(try Data(contentsOf: URL(fileURLWithPath: server.root + "/a (1).bin")) == Data(content))
      #expect(try String(contentsOfFile: server.root + "/a.bin", encoding: .utf8) == "mine")
    }
  }

  @Test func `a download that breaks off leaves no file`() async throws {
    let tune: (inout ServerOptions) -> Void = { options in
      options.web = { (_, receive) throws(StoreError) in
        try await receive([1, 2, 3])
        throw StoreError(.offline, "The connection was cut.")
      }
    }
    try await withServer(tune: tune) { server in
      let ended = try await end(server, of: try await start(server, "/a.bin", "https://example.org/a"))
      #expect(ended[".tag"]?.string == "failed")
      #expect(ended.at("failed", ".tag").string == "download_failed")
      #expect(try await server.paths() == [])
    }
  }

  @Test func `a file above the limit of an upload fails`() async throws {
    let tune: (inout ServerOptions) -> Void = { options in
      options.web = { (_, receive) throws(StoreError) in
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0...(Int(Call.largestContent) >> 20) { try await receive(piece[...]) }
      }
    }
    try await withServer(tune: tune) { server in
      let ended = try await end(server, of: try await start(server, "/a.bin", "https://example.org/a"))
      #expect(ended.at("failed", ".tag").string == "download_failed")
      #expect(try await server.paths() == [])
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.org/a", "example.org", ""])
  func `only addresses of the web are taken`(url: String) async throws {
    try await withServer(tune: { $0.web = { (_, _) throws(StoreError) in } }) { server in
      let reply = try await start(server, "/a.txt", url)
      #expect(reply.status == 409)
      #expect(reply.json.at("error", ".tag").string == "invalid_url")
    }
  }

  @Test func `a member knows own jobs only, and not too many run at once`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let tune: (inout ServerOptions) -> Void = { options in
      options.web = { (_, _) throws(StoreError) in for await _ in gate {} }
    }
    try await withServer(tune: tune) { server in
      let first = try await start(server, "/a.txt", "https://example.org/a")
      let job = try #require(first.json["async_job_id"]?.string)
      let other = try MemberList(server.members).add("bob")
      let asked = try await server.call(
        "files/save_url/check_job_status", .members(["async_job_id": .string(job)]), token: other)
      #expect(asked.json.at("error", ".tag").string == "invalid_async_job_id")
      #expect(try await start(server, "/b.txt", "https://example.org/b").status == 200)
      #expect(try await start(server, "/c.txt", "https://example.org/c").status == 429)
      open.finish()
      _ = try await end(server, of: first)
    }
  }
}
