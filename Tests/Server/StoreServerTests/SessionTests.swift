import Backends
import Basics
import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct SessionTests {
  private func cursor(_ id: JSON?, _ offset: Int64) -> JSON {
    .members(["session_id": id, "offset": .integer(offset)])
  }

  @Test("A file is sent in pieces, over a restart, and a wrong offset is told the right one")
  func restart() async throws {
    try await withTemporaryFolder { folder in
      var id: JSON?
      var token = ""
      try await withServer(in: folder) { server in
        token = server.token
        id = try await server.send("files/upload_session/start", .members([:]), Array("abc".utf8)).json["session_id"]
        let late = try await server.send(
          "files/upload_session/append_v2", .members(["cursor": cursor(id, 5)]), Array("x".utf8))
        #expect(late.json.at("error", ".tag") == "incorrect_offset")
        #expect(late.json.at("error", "correct_offset") == .integer(3))
        let good = try await server.send(
          "files/upload_session/append_v2", .members(["cursor": cursor(id, 3)]), Array("def".utf8))
        #expect(good.text == "null")
        let wrongHash = try await server.send(
          "files/upload_session/append_v2",
          .members(["cursor": cursor(id, 6), "content_hash": .string(ContentHash(of: [1]).hex)]), Array("x".utf8))
        #expect(wrongHash.json.at("error", ".tag") == "content_hash_mismatch")
      }
      try await withServer(in: folder) { server in
        let same = TestServer(
          client: server.client, token: token, members: server.members, root: server.root, data: server.data)
        let foreign = try await server.send(
          "files/upload_session/append_v2", .members(["cursor": cursor(id, 6)]), [])
        #expect(foreign.json.at("error", ".tag") == "not_found")
        let commit = JSON.members(["path": "/x/y.md", "mode": "add", "client_modified": "2015-05-12T15:50:38Z"])
        let file = try await same.send(
          "files/upload_session/finish", .members(["cursor": cursor(id, 6), "commit": commit]), Array("g".utf8))
        #expect(file.json["client_modified"] == "2015-05-12T15:50:38Z")
        #expect(contents(server.root + "/x/y.md") == "abcdefg")
        let again = try await same.send(
          "files/upload_session/finish", .members(["cursor": cursor(id, 7), "commit": commit]), [])
        #expect(again.json.at("error", "lookup_failed", ".tag") == "not_found")
        #expect(everything(below: server.data + "/uploads") == [])
      }
    }
  }

  @Test("A finish that meets a conflict keeps what was sent")
  func conflict() async throws {
    try await withServer { server in
      try await server.upload("/a.md", "old")
      let id = try await server.send("files/upload_session/start", .members([:]), []).json["session_id"]
      let refused = try await server.send(
        "files/upload_session/finish", .members(["cursor": cursor(id, 0), "commit": .members(["path": "/a.md"])]),
        Array("new".utf8))
      #expect(refused.json.at("error", "path", "conflict", ".tag") == "file")
      for offset in [2, 4] as [Int64] {
        let elsewhere = try await server.send(
          "files/upload_session/finish",
          .members(["cursor": cursor(id, offset), "commit": .members(["path": "/b.md"])]), [])
        #expect(elsewhere.json.at("error", "lookup_failed", ".tag") == "incorrect_offset")
        #expect(elsewhere.json.at("error", "lookup_failed", "correct_offset") == .integer(3))
      }
      let named = try await server.send(
        "files/upload_session/finish", .members(["cursor": cursor(id, 3), "commit": .members(["path": "/b.md"])]), [])
      #expect(named.status == 200)
      #expect(contents(server.root + "/b.md") == "new")
    }
  }

  @Test("What an earlier server left of content, and sessions of more than a week ago, is thrown away; others stay")
  func leftovers() async throws {
    try await withTemporaryFolder { folder in
      let pool = BlockingPool(threads: 2)
      let own = try PrivateDirectory(making: folder + "/own")
      _ = try ContentRoom(below: own, pool: pool)
      for file in ["incoming/half", "uploads/unopenedByAnybody", "uploads/unopenedByAnybody.map"] {
        try write("x", to: folder + "/own/" + file)
      }
      let room = try ContentRoom(below: own, pool: pool)
      #expect(everything(below: folder + "/own/incoming") == [])
      let index = ClubIndex(
        store: MemoryStore(), database: try ServerIndexDatabase(path: ":memory:"), pool: pool,
        now: { 1_795_240_800 })
      let uploads = UploadSessions(index: index, room: room)
      let kept = try await uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      var old = try await uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      old = ServerUpload(
        id: old.id, member: "ann", isConcurrent: false, created: 1_795_240_800 - 7 * 86_400 - 1, isClosed: false)
      try await index.write { [old] in try $0.save(old) }
      try await uploads.removeOld()
      #expect(everything(below: folder + "/own/uploads") == [kept.id])
      #expect(try await uploads.find(kept.id, member: "ann").id == kept.id)
      await #expect(throws: UploadSessions.Fault.notFound) { try await uploads.find(old.id, member: "ann") }
    }
  }

  @Test("Of one member's unfinished uploads the one left alone longest goes for a new one; those in use stay")
  func limits() async throws {
    try await withTemporaryFolder { folder in
      let pool = BlockingPool(threads: 2)
      let room = try ContentRoom(below: PrivateDirectory(making: folder + "/own"), pool: pool)
      let later: Int64 = 3600
      let index = ClubIndex(
        store: MemoryStore(), database: try ServerIndexDatabase(path: ":memory:"), pool: pool,
        now: { ServerOptions.now() + later })
      var uploads = UploadSessions(index: index, room: room)
      (uploads.limits.count, uploads.limits.totalBytes) = (2, 8 << 20)
      func start(_ member: String = "ann") async throws -> ServerUpload {
        try await uploads.start(member: member, isConcurrent: false, isClosed: false)
      }
      let (ben, first, second) = (try await start("ben"), try await start(), try await start())
      try await uploads.append(to: first, at: 0, close: false, Content([1], pool: pool))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: room.uploads.path(of: second.id))
      let third = try await start()
      #expect(Set(everything(below: folder + "/own/uploads")) == [ben.id, first.id, third.id])
      uploads.limits.idleSeconds = 7200
      await #expect(throws: APIFailure.self) { _ = try await start() }
      // By their bytes: the other one goes, and what is added to stays.
      (uploads.limits.idleSeconds, uploads.limits.totalBytes) = (0, 1 << 20)
      let large = Content([UInt8](repeating: 1, count: 1 << 20), pool: pool)
      try await uploads.append(to: third, at: 0, close: false, large)
      #expect(Set(everything(below: folder + "/own/uploads")) == [ben.id, third.id])
      await #expect(throws: UploadSessions.Fault.tooLarge) {
        try await uploads.append(to: third, at: 1 << 20, close: false, large)
      }
      #expect(try await uploads.find(third.id, member: "ann").id == third.id)
    }
  }

  @Test("A closed session takes no more; a batch wants closed ones and tells of each")
  func batch() async throws {
    try await withServer { server in
      let ids = try await server.call("files/upload_session/start_batch", .members(["num_sessions": .integer(3)]))
        .json["session_ids"].elements
      for (number, id) in ids.prefix(2).enumerated() {
        let reply = try await server.send(
          "files/upload_session/append_v2", .members(["cursor": cursor(id, 0), "close": true]),
          number == 0 ? [] : Array("text".utf8))
        #expect(reply.status == 200)
      }
      let closed = try await server.send("files/upload_session/append_v2", .members(["cursor": cursor(ids[1], 4)]), [1])
      #expect(closed.json.at("error", ".tag") == "closed")
      let entries = [(ids[0], 0), (ids[1], 4), (ids[2], 0), (.string("none"), 0)].enumerated().map { number, entry in
        JSON.members(["cursor": cursor(entry.0, entry.1), "commit": .members(["path": .string("/\(number).md")])])
      }
      let reply = try await server.call("files/upload_session/finish_batch_v2", .members(["entries": .array(entries)]))
      let results = reply.json["entries"].elements
      #expect(results.map { $0[".tag"]?.string } == ["success", "success", "failure", "failure"])
      #expect(results[1]["size"] == .integer(4))
      #expect(results[2].at("failure", "lookup_failed", ".tag") == "not_closed")
      #expect(results[3].at("failure", "lookup_failed", ".tag") == "not_found")
      let old = try await server.call("files/upload_session/finish_batch", .members(["entries": .array([])]))
      #expect(old.json[".tag"] == "complete")
    }
  }

  @Test("Pieces of a concurrent session come in any order, and none may be missing")
  func concurrent() async throws {
    try await withServer { server in
      let id = try await server.send(
        "files/upload_session/start", .members(["session_type": "concurrent"]), []
      ).json["session_id"]
      let block = [UInt8](repeating: 7, count: 4 << 20)
      let crooked = try await server.send("files/upload_session/append_v2", .members(["cursor": cursor(id, 5)]), block)
      #expect(crooked.json.at("error", ".tag") == "concurrent_session_invalid_offset")
      let short = try await server.send("files/upload_session/append_v2", .members(["cursor": cursor(id, 0)]), [1])
      #expect(short.json.at("error", ".tag") == "concurrent_session_invalid_data_size")
      let last = try await server.send(
        "files/upload_session/append_v2", .members(["cursor": cursor(id, 4 << 20), "close": true]), [1, 2, 3])
      #expect(last.status == 200)
      let finish = JSON.members([
        "cursor": cursor(id, 4 << 20 | 3), "commit": .members(["path": "/big"]),
      ])
      let holed = try await server.send("files/upload_session/finish", finish, [])
      #expect(holed.json.at("error", "lookup_failed", ".tag") == "incorrect_offset")
      #expect(holed.json.at("error", "lookup_failed", "correct_offset") == .integer(0))
    }
  }
}
