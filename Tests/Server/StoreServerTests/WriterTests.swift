import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// The member who wrote a version, as both versions of the API report it.
@Suite(.serialized) struct WriterTests {
  /// The name of the member that metadata of version 2 names; nil without one.
  private func writer(_ path: String, _ server: TestServer) async throws -> String? {
    let file = try await server.call("files/get_metadata", .members(["path": .string(path)])).json
    return try await name(of: file, server)
  }

  private func name(of file: JSON, _ server: TestServer) async throws -> String? {
    guard let id = file["sharing_info"]?["modified_by"]?.string else { return nil }
    let asked = try await server.call("users/get_account_batch", .members(["account_ids": .array([.string(id)])])).json
    return asked.elements?.first?["name"]?["display_name"]?.string
  }

  /// Both versions of the API name Bob for the file.
  private func expectBob(_ path: String, _ server: TestServer, _ comment: Comment) async throws {
    #expect(try await writer("/" + path, server) == "Bob", comment)
    let old = try await server.v1("GET", "metadata/auto/" + path).json
    #expect(old["modifier"]?["display_name"] == "Bob", comment)
    let bob = try await server.named("Bob").v1("GET", "account/info").json
    #expect(old["modifier"]?["uid"] == bob["uid"], comment)
  }

  @Test func `each route that writes a file notes its member`() async throws {
    try await withServer { server in
      var bob = server
      bob.token = try MemberList(server.members).add("Bob")
      try await server.upload("/base", "by Ann")
      try await bob.upload("/upload", "1")
      try await expectBob("upload", server, "upload")

      let session = try await bob.send("files/upload_session/start", .object([]), Array("2".utf8)).json["session_id"]
      let cursor = JSON.members(["session_id": session, "offset": .integer(1)])
      _ = try await bob.send(
        "files/upload_session/finish", .members(["cursor": cursor, "commit": .members(["path": "/session"])]), [])
      try await expectBob("session", server, "upload_session/finish")

      _ = try await bob.call("files/copy_v2", .members(["from_path": "/base", "to_path": "/copy"]))
      try await expectBob("copy", server, "copy_v2")

      let link = try await bob.call(
        "files/get_temporary_upload_link", .members(["commit_info": .members(["path": "/link"])])
      ).json["link"]?.string
      let address = try #require(link?.split(separator: "/apitul/").last)
      let sent = try await server.client.request(
        "POST", "/apitul/" + address, [("Content-Type", "application/octet-stream")], Array("3".utf8))
      #expect(sent.status == 200)
      try await expectBob("link", server, "a temporary upload link")

      let first = try await server.upload("/restored", "one")
      try await server.upload("/restored", "two", ["mode": "overwrite"])
      _ = try await bob.call("files/restore", .members(["path": "/restored", "rev": first["rev"]]))
      try await expectBob("restored", server, "restore")

      try await bob.v1Put("v1", "4")
      try await expectBob("v1", server, "files_put")
      _ = try await bob.v1(
        "POST", "fileops/copy", [("root", "auto"), ("from_path", "/base"), ("to_path", "/v1copy")])
      try await expectBob("v1copy", server, "fileops/copy")
      #expect(try await writer("/base", server) != "Bob")
    }
  }

  @Test func `a move keeps the writer, a listing names each, and other programs have no name`() async throws {
    try await withServer { server in
      var bob = server
      bob.token = try MemberList(server.members).add("Bob")
      try await bob.upload("/a", "by Bob")
      _ = try await server.call("files/move_v2", .members(["from_path": "/a", "to_path": "/b"]))
      try await expectBob("b", server, "moved")
      let listed = try await server.call("files/list_folder", .members(["path": ""])).json["entries"].elements
      #expect(listed.count == 1 && listed[0]["sharing_info"]?["parent_shared_folder_id"]?.string?.isEmpty == false)
      try write("by nobody", to: server.root + "/b")
      #expect(try await server.call("files/get_metadata", .members(["path": "/b"])).json["sharing_info"] == nil)
      #expect(try await server.v1("GET", "metadata/auto/b").json["modifier"] == nil)
    }
  }

  @Test func `versions keep their writers, also after the server starts again`() async throws {
    try await withTemporaryFolder { folder in
      var token = ""
      try await withServer(in: folder) { server in
        var bob = server
        bob.token = try MemberList(server.members).add("Bob")
        token = bob.token
        try await bob.upload("/a", "one")
        try await server.upload("/a", "two", ["mode": "overwrite"])
        try await bob.upload("/a", "three", ["mode": "overwrite"])
      }
      try await withServer(in: folder) { server in
        let versions = try await server.call("files/list_revisions", .members(["path": "/a"])).json["entries"].elements
        var names: [Bool] = []
        for version in versions { names.append(try await name(of: version, server) == "Bob") }
        #expect(names == [true, false, true])
        let old = try await server.v1("GET", "revisions/auto/a").json.elements ?? []
        #expect(old.map { $0["modifier"]?["display_name"] == "Bob" } == [true, false, true])
        #expect(!token.isEmpty)
      }
    }
  }
}

extension TestServer {
  /// The same server for a member who is there already, by a new token.
  fileprivate func named(_ name: String) throws -> TestServer {
    var server = self
    let member = try #require(try members.members().first { $0.name == name })
    server.token = try AccessTokens(database: members).issue(to: member)
    return server
  }
}
