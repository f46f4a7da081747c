import Database
import FileStores
import JSON
import Testing

@testable import StoreServer

/// A member who was invited to read changes nothing, whatever their program uses.
@Suite(.serialized) struct ReaderTests {
  private func reader(_ server: TestServer) async throws -> String {
    let code = try JoinCodes(server.members).invite("ben", seconds: 60, isReader: true).code
    let joined = try await server.join(code)
    #expect(joined.json["read_only"] == true)
    return try #require(joined.json["access_token"]?.string)
  }

  /// A member of each kind of token that a program may have.
  private func tokens(_ server: TestServer) async throws -> [String] {
    let joined = try await reader(server)
    let code = try await server.call("byteclub/device_code", .null, token: joined).json["code"]?.string ?? "?"
    let next = try await server.join(code).json["access_token"]?.string ?? "?"
    let signedIn = try AccessTokens(database: server.members).issue(
      to: server.member("ben"), app: AppKeys.byteclub, scopes: Scopes.all, expires: ServerOptions.now() + 600)
    return [joined, next, signedIn]
  }

  private func isRefused(_ reply: Reply, _ route: Route) -> Bool {
    guard reply.status == 403 else { return false }
    return route.style == .version1
      ? reply.text.contains("reads the club") : reply.json.at("error", ".tag") == "no_write_permission"
  }

  @Test("Every route that changes something refuses a reader with 403, and no other does")
  func routes() async throws {
    try await withServer { server in
      let writer = server.token
      for token in try await tokens(server) {
        for route in RouteTable.all.routes where route.path != "/2/auth/token/revoke" {
          let scope: String
          switch route.access {
          case .member(let wanted), .memberOrApplication(let wanted): scope = wanted
          case .application, .everyone: continue
          }
          if route.path.hasSuffix("disable_access_token") { continue }
          func ask(_ token: String) async throws -> Reply {
            try await server.client.request(
              "POST", route.path,
              [
                ("Authorization", "Bearer " + token), ("Content-Type", "application/json"), ("Dropbox-API-Arg", "{}"),
              ], Array("{}".utf8))
          }
          let reply = try await ask(token)
          let isWriting = scope.hasSuffix(".write") || scope == "files.permanent_delete"
          #expect(isRefused(reply, route) == isWriting, "\(route.path): \(reply.status) \(reply.text)")
          if isWriting { #expect(try await !isRefused(ask(writer), route), "\(route.path)") }
        }
      }
    }
  }

  @Test("A reader makes no temporary links, which need no scope to write", arguments: [true, false])
  func links(isVersion1: Bool) async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      func ask(_ token: String) async throws -> Reply {
        isVersion1
          ? try await server.v1Bare("GET", "media/auto/a", headers: [("Authorization", "Bearer " + token)])
          : try await server.call("files/get_temporary_link", ["path": "/a"], token: token)
      }
      let path = isVersion1 ? "/1/media/" : "/2/files/get_temporary_link"
      let route = try #require(RouteTable.all.routes.first { $0.path == path })
      for token in try await tokens(server) {
        let reply = try await ask(token)
        #expect(isRefused(reply, route), "\(reply.status) \(reply.text)")
      }
      #expect(try await ask(server.token).status == 200)
    }
  }

  @Test("A form with a file, and a request that is signed, do not get past it")
  func olderProtocol() async throws {
    try await withServer { server in
      let token = try await reader(server)
      let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhello\r\n--x--\r\n"
      let sent = try await server.client.request(
        "POST", "/1/files/auto",
        [("Authorization", "Bearer " + token), ("Content-Type", "multipart/form-data; boundary=x")], Array(form.utf8))
      #expect(sent.status == 403)
      let app = try AppKeys(server.members).make()
      let keys = try OAuth1Tokens(server.members).issue(to: server.member("ben"), app: app.key)
      let signed = [
        ("oauth_consumer_key", keys.consumerKey), ("oauth_token", keys.token),
        ("oauth_signature_method", "PLAINTEXT"), ("oauth_signature", keys.consumerSecret + "&" + keys.tokenSecret),
      ]
      #expect(
        try await server.v1Bare("POST", "fileops/delete", signed + [("root", "auto"), ("path", "/a")]).status == 403)
      #expect(try await server.v1Bare("GET", "account/info", signed).status == 200)
      #expect(try await server.paths() == [])
    }
  }

  @Test("A reader reads on, also from the server's memory, and their uploads leave no trace")
  func reading() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      let token = try await reader(server)
      for text in [#"{"path":"/b"}"#, #"{"path":"/a","mode":"overwrite"}"#] {
        let reply = try await server.client.request(
          "POST", "/2/files/upload",
          [
            ("Authorization", "Bearer " + token), ("Content-Type", "application/octet-stream"),
            ("Dropbox-API-Arg", text),
          ], [1])
        #expect(reply.status == 403)
      }
      // The second answer comes from memory.
      for _ in 0..<3 {
        let read = try await server.client.request(
          "POST", "/2/files/download",
          [("Authorization", "Bearer " + token), ("Dropbox-API-Arg", #"{"path":"/a"}"#)])
        #expect(read.text == "text")
      }
      #expect(try await server.paths() == ["/a"])
    }
  }

  @Test("A reader stays one until the member is removed; a new member of that name is what the invitation says")
  func member() async throws {
    try await withServer { server in
      _ = try await reader(server)
      #expect(try server.member("ben").isReader)
      #expect(try server.members.member(id: server.member("ben").id)?.isReader == true)
      try MemberList(server.members).remove("ben")
      #expect(try await server.join(try JoinCodes(server.members).invite("ben", seconds: 60).code).status == 200)
      #expect(try !server.member("ben").isReader)
    }
  }

  @Test("The account's answer marks a reader, in both protocols, and nobody else")
  func account() async throws {
    try await withServer { server in
      let token = try await reader(server)
      for (token, isReader) in [(token, true), (server.token, false)] {
        let current = try await server.call("users/get_current_account", .null, token: token)
        #expect((current.json["read_only"] == true) == isReader, "\(current.text)")
        #expect(current.text.contains("read_only") == isReader)
        let info = try await server.v1Bare("GET", "account/info", headers: [("Authorization", "Bearer " + token)])
        #expect(info.text.contains(#""read_only": true"#) == isReader, "\(info.text)")
      }
    }
  }
}
