import FileStores
import JSON
import Logging
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Each fault as a client sees it that speaks HTTP by hand.
@Suite struct ChaosFaultTests {
  private static let text = String(repeating: "panorama ", count: 30_000)

  @Test("A refusal on purpose looks as one of the service's", arguments: [("429", 429), ("503", 503), ("500", 500)])
  func refusals(fault: String, status: Int) async throws {
    try await withChaos("\(fault)@/2/files/upload,\(fault)@/1/account/info") { server, _ in
      let reply = try await server.send("files/upload", .members(["path": "/a.md"]), Array("x".utf8))
      #expect(reply.status == status)
      #expect(reply.headers["retry-after"] == (status == 500 ? nil : "1"))
      if status == 429 { #expect(reply.json.at("error", "reason", ".tag").string == "too_many_requests") }
      let old = try await server.v1("GET", "account/info")
      #expect(old.status == status)
      #expect(old.headers["retry-after"] == (status == 500 ? nil : "1"))
      #expect(try await server.paths() == [], "nothing was done")
    }
  }

  @Test func `Retry-After is what is asked for, in whole seconds`() async throws {
    try await withChaos("429@/2/files/upload=1:1500ms") { server, _ in
      let reply = try await server.send("files/upload", .members(["path": "/a.md"]), [])
      #expect(reply.headers["retry-after"] == "2")
    }
  }

  @Test func `A request that is refused gets no answer, and nothing is done`() async throws {
    try await withChaos("refuse@/2/files/upload") { server, _ in
      let reply = try await server.send("files/upload", .members(["path": "/a.md"]), Array("x".utf8))
      #expect(reply.status == 0)
      #expect(try await server.paths() == [])
    }
  }

  @Test func `A dropped answer leaves the file there`() async throws {
    try await withChaos("drop@/2/files/upload") { server, _ in
      let reply = try await server.send("files/upload", .members(["path": "/a.md"]), Array("x".utf8))
      #expect(reply.status == 0)
      #expect(try await server.paths() == ["/a.md"])
    }
  }

  @Test func `A cut within the request leaves nothing behind`() async throws {
    try await withChaos("cutbody@/2/files/upload=1:64KiB") { server, _ in
      let bytes = Array(ChaosFaultTests.text.utf8)
      let reply = try await server.send("files/upload", .members(["path": "/a.md"]), bytes)
      #expect(reply.status == 0)
      #expect(try await server.paths() == [])
      #expect(
        try await server.send("files/upload", .members(["path": "/b.md"]), bytes.dropLast(210_000).map { $0 }).status
          == 200)
      #expect(try await server.paths() == ["/b.md"], "one that is shorter comes whole")
    }
  }

  @Test func `An answer is cut after the bytes that were named`() async throws {
    try await withChaos("cut@/2/files/download=1:64KiB") { server, _ in
      try await server.upload("/a.md", ChaosFaultTests.text)
      let reply = try await server.fetch("files/download", .members(["path": "/a.md"]))
      #expect(reply.status == 200)
      #expect(reply.headers["content-length"] == "270000")
      #expect(reply.body == Array(ChaosFaultTests.text.utf8.prefix(65_536)))
    }
  }

  @Test func `A cut without a place comes where the seed says`() async throws {
    var lengths: [Int] = []
    for seed in [1, 1, 2] as [UInt64] {
      try await withChaos("cut@/2/files/download", seed: seed) { server, _ in
        try await server.upload("/a.md", ChaosFaultTests.text)
        lengths.append(try await server.fetch("files/download", .members(["path": "/a.md"])).body.count)
      }
    }
    #expect(lengths[0] == lengths[1] && lengths[1] != lengths[2] && lengths.allSatisfy { $0 < 270_000 })
  }

  @Test func `Junk is a page with status 200, and nothing is done`() async throws {
    try await withChaos("junk@/2/files/upload") { server, _ in
      let reply = try await server.send("files/upload", .members(["path": "/a.md"]), Array("x".utf8))
      #expect(reply.status == 200)
      #expect(reply.headers["content-type"] == "text/html")
      #expect(reply.text.contains("<html>"))
      #expect(try await server.paths() == [])
    }
  }

  @Test func `Latency comes before the work, and a stall in the middle of the answer`() async throws {
    try await withChaos("latency@/2/files/upload=80ms,stall@/2/files/download=1:80ms") { server, _ in
      let clock = ContinuousClock()
      let upload = try await clock.measure { try await server.upload("/a.md", ChaosFaultTests.text) }
      #expect(upload >= .milliseconds(80))
      let download = try await clock.measure {
        let reply = try await server.fetch("files/download", .members(["path": "/a.md"]))
        #expect(reply.text == ChaosFaultTests.text)
      }
      #expect(download >= .milliseconds(80))
    }
  }

  @Test func `Bandwidth holds both ways, and no byte is lost`() async throws {
    try await withChaos("bandwidth@/2/files/upload=1MiB,bandwidth@/2/files/download=1MiB") { server, _ in
      let clock = ContinuousClock()
      let least = Duration.seconds(Double(ChaosFaultTests.text.utf8.count) / 1_048_576)
      let upload = try await clock.measure { try await server.upload("/a.md", ChaosFaultTests.text) }
      #expect(upload >= least)
      let download = try await clock.measure {
        let reply = try await server.fetch("files/download", .members(["path": "/a.md"]))
        #expect(reply.text == ChaosFaultTests.text)
      }
      #expect(download >= least)
    }
  }

  @Test func `The access log says what was done on purpose`() async throws {
    try await withChaos("drop@/2/files/upload,429@/2/users/*,latency@/2/files/get_metadata=1ms") { server, lines in
      _ = try await server.send("files/upload", .members(["path": "/a.md"]), Array("x".utf8))
      _ = try await server.call("users/get_current_account", .null)
      _ = try await server.call("files/get_metadata", .members(["path": "/a.md"]))
      _ = try await server.paths()
      let log = lines.all
      #expect(log.contains { $0.contains("POST /2/files/upload 200") && $0.hasSuffix(", chaos: drop") })
      #expect(log.contains { $0.contains("POST /2/users/get_current_account 429") && $0.hasSuffix(", chaos: 429") })
      #expect(log.contains { $0.contains("POST /2/files/get_metadata 200") && $0.hasSuffix(", chaos: latency") })
      #expect(log.contains { $0.contains("POST /2/files/list_folder 200") && !$0.contains("chaos") })
    }
  }

  private func withChaos(
    _ specification: String, seed: UInt64 = 1, _ body: (TestServer, ChaosLog) async throws -> Void
  ) async throws {
    let lines = ChaosLog()
    let chaos = try Chaos(specification, seed: seed)
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: { $0.chaos = chaos }, handler: lines) { server in
        try await body(server, lines)
      }
    }
  }
}

/// Keeps what is logged.
final class ChaosLog: LogHandler {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .info }
    set {}
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
