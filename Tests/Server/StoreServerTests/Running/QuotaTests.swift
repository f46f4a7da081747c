import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Quotas of clubs and members, by the API's own words.
@Suite(.serialized) struct QuotaTests {
  private static let refused = "insufficient_space"

  private func withQuota(
    _ quota: UInt64?, tune: (inout ServerOptions) -> Void = { _ in }, _ body: (TestServer) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: tune, arrange: { $0.quota = quota }, body)
    }
  }

  private func send(
    _ server: TestServer, _ path: String, _ count: Int, _ mode: JSON = "add", byte: UInt8 = 1
  ) async throws -> Reply {
    try await server.send(
      "files/upload", .members(["path": .string(path), "mode": mode]), [UInt8](repeating: byte, count: count))
  }

  private func space(_ server: TestServer) async throws -> (used: JSON, allocated: JSON) {
    let usage = try await server.call("users/get_space_usage", .null).json
    let old = try await server.v1("GET", "account/info").json["quota_info"] ?? .null
    #expect(usage.at("used") == old.at("normal") && usage.at("allocation", "allocated") == old.at("quota"))
    return (usage.at("used"), usage.at("allocation", "allocated"))
  }

  @Test("A file that fills the club to the last byte is taken, and one byte more is refused in every way of writing")
  func club() async throws {
    try await withQuota(1000) { server in
      #expect(try await send(server, "/a", 600).status == 200)
      #expect(try await space(server) == (.integer(600), .integer(1000)))
      let tooLarge = try await send(server, "/b", 401)
      #expect(tooLarge.status == 409)
      #expect(tooLarge.json.at("error", ".tag") == "path")
      #expect(tooLarge.json.at("error", "reason", ".tag") == .string(Self.refused))
      #expect(try await send(server, "/b", 400).status == 200)
      #expect(try await space(server) == (.integer(1000), .integer(1000)))
      // Upload sessions, one and many.
      let id = try await server.send("files/upload_session/start", .members(["close": true]), [1]).json["session_id"]
      let cursor = JSON.members(["session_id": id, "offset": .integer(1)])
      let finish = JSON.members(["cursor": cursor, "commit": .members(["path": "/c"])])
      let one = try await server.send("files/upload_session/finish", finish, [])
      #expect(one.json.at("error", "path", ".tag") == .string(Self.refused))
      let many = try await server.call("files/upload_session/finish_batch_v2", .members(["entries": .array([finish])]))
      #expect(many.json["entries"].elements.first?.at("failure", "path", ".tag") == .string(Self.refused))
      // Copies.
      let paths = JSON.members(["from_path": "/a", "to_path": "/copy"])
      #expect(try await server.call("files/copy_v2", paths).json.at("error", "to", ".tag") == .string(Self.refused))
      let batch = try await server.call("files/copy_batch_v2", .members(["entries": .array([paths])])).json
      #expect(
        batch["entries"].elements.first?.at("failure", "relocation_error", "to", ".tag") == .string(Self.refused))
      // Links for one upload.
      let link =
        try await server.call(
          "files/get_temporary_upload_link", .members(["commit_info": .members(["path": "/d"])])
        ).json["link"]?.string ?? ""
      let byLink = try await server.client.request(
        "POST", String(link.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }),
        [("Content-Type", "application/octet-stream")], [1])
      #expect(byLink.status == 409 && byLink.text.contains(Self.refused))
      // Version 1.
      #expect(try await server.v1("PUT", "files_put/auto/e", body: [1]).status == 507)
      let chunk = try await server.v1("PUT", "chunked_upload", body: [1]).json["upload_id"]?.string ?? ""
      #expect(try await server.v1("POST", "commit_chunked_upload/auto/e?upload_id=\(chunk)").status == 507)
      #expect(try await server.v1("POST", "fileops/copy?root=auto&from_path=/a&to_path=/e").status == 507)
      #expect(try await server.paths() == ["/a", "/b"])
      #expect(try await space(server).used == .integer(1000))
    }
  }

  @Test("A file that replaces another counts by its growth; one that shrinks is taken above the quota, too")
  func growth() async throws {
    try await withQuota(1000) { server in
      #expect(try await send(server, "/a", 600).status == 200)
      #expect(try await send(server, "/a", 1000, "overwrite", byte: 2).status == 200)
      #expect(try await send(server, "/a", 1001, "overwrite", byte: 3).status == 409)
      // Another program fills the folder past the quota.
      try write(String(repeating: "x", count: 2000), to: server.root + "/foreign")
      #expect(try await server.paths() == ["/a", "/foreign"])
      #expect(try await space(server) == (.integer(3000), .integer(3000)))
      #expect(try await send(server, "/a", 900, "overwrite", byte: 4).status == 200)
      #expect(try await send(server, "/new", 1).status == 409)
      // A move adds nothing, and a folder has no size.
      #expect(try await server.call("files/move_v2", ["from_path": "/a", "to_path": "/moved"]).status == 200)
      #expect(try await server.call("files/create_folder_v2", ["path": "/folder"]).status == 200)
      #expect(try await server.call("files/delete_v2", ["path": "/foreign"]).status == 200)
      #expect(try await send(server, "/new", 100).status == 200)
      #expect(try await space(server) == (.integer(1000), .integer(1000)))
    }
  }

  @Test("An old version is restored only where it fits")
  func restoring() async throws {
    try await withQuota(1000) { server in
      let large = try await send(server, "/a", 900).json["rev"]
      #expect(try await send(server, "/a", 1, "overwrite").status == 200)
      #expect(try await send(server, "/b", 500).status == 200)
      let restore = JSON.members(["path": "/a", "rev": large])
      let refused = try await server.call("files/restore", restore)
      #expect(refused.status == 409 && refused.json.at("error", "path_write", ".tag") == .string(Self.refused))
      let old = try await server.v1("POST", "restore/auto/a?rev=\(large?.string ?? "")")
      #expect(old.status == 507)
      #expect(try await server.call("files/delete_v2", ["path": "/b"]).status == 200)
      #expect(try await server.call("files/restore", restore).status == 200)
    }
  }

  @Test("A member's quota counts the files whose last version the member wrote, and takes effect at once")
  func member() async throws {
    try await withQuota(nil) { server in
      let list = MemberList(server.members)
      let ann = try #require(try server.members.members().first).name
      var ben = server
      ben.token = try list.add("ben")
      #expect(try await send(server, "/a", 600).status == 200)
      try list.setQuota(1000, of: ann)
      #expect(try await space(server) == (.integer(600), .integer(1000)))
      #expect(try await send(server, "/b", 401).json.at("error", "reason", ".tag") == .string(Self.refused))
      #expect(try await send(ben, "/b", 5000).status == 200)
      // Ann's new version of Ben's file counts for Ann with all its bytes.
      #expect(try await send(server, "/b", 401, "overwrite", byte: 2).status == 409)
      #expect(try await send(server, "/b", 400, "overwrite", byte: 2).status == 200)
      #expect(try await space(server) == (.integer(1000), .integer(1000)))
      // Ben's new version of Ann's file frees Ann's space.
      #expect(try await send(ben, "/a", 10, "overwrite", byte: 3).status == 200)
      #expect(try await space(server).used == .integer(400))
      try list.setQuota(nil, of: ann)
      #expect(try await send(server, "/c", 9000).status == 200)
      #expect(throws: StoreError.self) { try list.setQuota(1, of: "nobody") }
      #expect(try server.members.members().map(\.quota) == [nil, nil])
    }
  }

  @Test("Of a member's quota and the club's, space usage has the one that leaves less")
  func tighter() async throws {
    try await withQuota(1000) { server in
      let ann = try #require(try server.members.members().first).name
      var ben = server
      ben.token = try MemberList(server.members).add("ben")
      #expect(try await send(ben, "/b", 500).status == 200)
      #expect(try await send(server, "/a", 100).status == 200)
      try MemberList(server.members).setQuota(300, of: ann)
      #expect(try await space(server) == (.integer(100), .integer(300)))
      try MemberList(server.members).setQuota(900, of: ann)
      #expect(try await space(server) == (.integer(600), .integer(1000)))
    }
  }

  @Test("Content that cannot fit is refused before its bytes come, and an upload in pieces at the piece that passes it")
  func early() async throws {
    try await withQuota(1000, tune: { $0.lingerSeconds = 1 }) { server in
      #expect(try await send(server, "/a", 600).status == 200)
      // The length is there, and the bytes are not.
      let head =
        "POST /2/files/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer \(server.token)\r\n"
        + "Content-Type: application/octet-stream\r\nDropbox-API-Arg: {\"path\":\"/b\"}\r\nContent-Length: 401\r\n\r\n"
      let refused = try await server.client.exchange(Array(head.utf8))
      #expect(refused.status == 409 && refused.json.at("error", "reason", ".tag") == .string(Self.refused))
      let id = try await server.send("files/upload_session/start", .null, [UInt8](repeating: 1, count: 900))
        .json["session_id"]
      func append(_ offset: Int64, _ count: Int) async throws -> Reply {
        let cursor = JSON.members(["session_id": id, "offset": .integer(offset)])
        return try await server.send(
          "files/upload_session/append_v2", .members(["cursor": cursor]), [UInt8](repeating: 1, count: count))
      }
      #expect(try await append(900, 100).status == 200)
      #expect(try await append(1000, 1).json.at("error", ".tag") == .string(Self.refused))
    }
  }

  /// In several rounds: without its lock the ledger is right in some of them.
  @Test("Uploads at the same moment fill the quota exactly, and never pass it", arguments: [false, true], 1...4)
  func together(byMember: Bool, round: Int) async throws {
    let (size, fitting, all) = (50_000, 7, 24)
    // Room for seven, and for nearly an eighth.
    let quota = UInt64(size * fitting + size - 1)
    try await withQuota(byMember ? nil : quota) { server in
      if byMember {
        try MemberList(server.members).setQuota(quota, of: try #require(try server.members.members().first).name)
      }
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<all {
          group.addTask { try await send(server, "/\(number)", size, byte: UInt8(number)).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 200 } == fitting)
      #expect(statuses.count { $0 == 409 } == all - fitting)
      #expect(try await server.paths().count == fitting)
      let used = try await space(server).used
      #expect(used == .integer(Int64(size * fitting)))
    }
  }
}
