import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// The other forms of sending a piece of an upload.
@Suite(.serialized) struct ServedAppendTests {
  private func start(_ server: TestServer) async throws -> String {
    let reply = try await server.send("files/upload_session/start", .members([:]), [])
    return try #require(reply.json["session_id"]?.string)
  }

  private func entry(_ id: String, _ offset: Int64, _ length: Int64, close: Bool = false) -> JSON {
    [
      "cursor": ["session_id": .string(id), "offset": .integer(offset)], "length": .integer(length),
      "close": .bool(close),
    ]
  }

  @Test("In the older form the argument is the place itself")
  func older() async throws {
    try await withServer { server in
      let id = try await start(server)
      let good = try await server.send(
        "files/upload_session/append", ["session_id": .string(id), "offset": .integer(0)], Array("abc".utf8))
      #expect(good.text == "null")
      let wrong = try await server.send(
        "files/upload_session/append", ["session_id": .string(id), "offset": .integer(1)], Array("x".utf8))
      #expect(wrong.json["error"] == [".tag": "incorrect_offset", "correct_offset": .integer(3)])
      let commit: JSON = ["path": "/a"]
      let file = try await server.send(
        "files/upload_session/finish",
        ["cursor": ["session_id": .string(id), "offset": .integer(3)], "commit": commit], [])
      #expect(file.json["size"] == .integer(3))
    }
  }

  @Test("Pieces for many sessions come in one body, and each is told what became of it")
  func batch() async throws {
    try await withServer { server in
      let (one, two) = (try await start(server), try await start(server))
      let reply = try await server.send(
        "files/upload_session/append_batch",
        [
          "entries": .array([
            entry(one, 0, 3), entry("none", 0, 1), entry(two, 5, 1), entry(two, 0, 2, close: true),
            entry(one, 3, 3, close: true), entry(two, 2, 0),
          ])
        ], Array("abc?!xydef".utf8))
      let results = reply.json["entries"].elements
      #expect(results.map { $0[".tag"] } == ["success", "failure", "failure", "success", "success", "failure"])
      #expect(results[1]["failure"] == [".tag": "not_found"])
      #expect(results[2]["failure"] == [".tag": "incorrect_offset", "correct_offset": .integer(0)])
      #expect(results[5]["failure"] == [".tag": "closed"])
      let done = try await server.call(
        "files/upload_session/finish_batch_v2",
        [
          "entries": .array([
            ["cursor": ["session_id": .string(one), "offset": .integer(6)], "commit": ["path": "/one"]],
            ["cursor": ["session_id": .string(two), "offset": .integer(2)], "commit": ["path": "/two"]],
          ])
        ])
      #expect(done.json["entries"].elements.map { $0[".tag"] } == ["success", "success"])
      #expect(contents(server.root + "/one") == "abcdef" && contents(server.root + "/two") == "xy")
    }
  }

  @Test("Pieces that are not as long as all of the body, or not what they should be, are refused together")
  func refusals() async throws {
    try await withServer { server in
      let id = try await start(server)
      for length in [2, 4] as [Int64] {
        let reply = try await server.send(
          "files/upload_session/append_batch", ["entries": .array([entry(id, 0, length)])], Array("abc".utf8))
        #expect(reply.json.at("error", ".tag") == "length_mismatch")
      }
      let hash = JSON.string(ContentHash(of: [1]).hex)
      let wrong = try await server.send(
        "files/upload_session/append_batch", ["entries": .array([entry(id, 0, 3)]), "content_hash": hash],
        Array("abc".utf8))
      #expect(wrong.json.at("error", ".tag") == "content_hash_mismatch")
      let empty = try await server.send("files/upload_session/append_batch", ["entries": .array([entry(id, 0, 0)])], [])
      #expect(empty.json["entries"].elements.map { $0[".tag"] } == ["success"])
    }
  }

  @Test("A piece of a batch that is too large for memory is split on the disk")
  func large() async throws {
    try await withServer { server in
      let (one, two) = (try await start(server), try await start(server))
      let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
      let reply = try await server.send(
        "files/upload_session/append_batch",
        ["entries": .array([entry(one, 0, 1_999_999), entry(two, 0, 3_000_001)])], bytes)
      #expect(reply.json["entries"].elements.map { $0[".tag"] } == ["success", "success"])
      for (id, part) in [(one, bytes[..<1_999_999]), (two, bytes[1_999_999...])] {
        let file = try await server.send(
          "files/upload_session/finish",
          [
            "cursor": ["session_id": .string(id), "offset": .integer(Int64(part.count))],
            "commit": ["path": .string("/" + id)],
          ], [])
        #expect(file.json["content_hash"]?.string == ContentHash(of: Array(part)).hex)
      }
    }
  }
}
