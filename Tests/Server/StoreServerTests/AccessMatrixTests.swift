import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// Every route, with everything that is not a member's token with the right that the route wants.
@Suite(.serialized) struct AccessMatrixTests {
  private func ask(_ server: TestServer, _ route: Route, _ headers: [(String, String)]) async throws -> Reply {
    try await server.client.request(
      "POST", route.path, headers + [("Content-Type", "application/json"), ("Dropbox-API-Arg", "{}")],
      Array("{}".utf8))
  }

  @Test("A token that was given back, has ended, or is for something else is refused by every route")
  func tokens() async throws {
    try await withServer { server in
      let member = try server.members.members()[0]
      let tokens = AccessTokens(database: server.members)
      let revoked = try tokens.issue(to: member)
      #expect(try await server.call("auth/token/revoke", .null, token: revoked).status == 200)
      let ended = try tokens.issue(to: member, expires: ServerOptions.now() - 1)
      let refresh = try tokens.issue(to: member, .refresh)
      let word = try CodeWords(server.members).issue(to: member.name)
      let app = try AppKeys(server.members).make()
      let basic = "Basic " + Data("\(app.key):\(app.secret)".utf8).base64EncodedString()
      let gone = try MemberList(server.members).add("ben")
      try MemberList(server.members).remove("ben")
      let mixed = "bc." + server.token.split(separator: ".")[1] + "." + revoked.split(separator: ".")[2]
      for route in RouteTable.all.routes {
        let mayBeApp: Bool
        switch route.access {
        case .everyone: continue
        case .application, .memberOrApplication: mayBeApp = true
        case .member: mayBeApp = false
        }
        for token in [revoked, ended, refresh, word, gone, mixed] {
          let reply = try await ask(server, route, [("Authorization", "Bearer " + token)])
          #expect(reply.status == 401, "\(route.path): \(reply.status)")
        }
        let reply = try await ask(server, route, [("Authorization", basic)])
        #expect((reply.status == 401) != mayBeApp, "\(route.path) with an app's secret: \(reply.status)")
        // And a member's own gets past it, whatever the route then says to an empty argument.
        if case .application = route.access { continue }
        let own = try tokens.issue(to: member)
        #expect(try await ask(server, route, [("Authorization", "Bearer " + own)]).status != 401, "\(route.path)")
      }
    }
  }

  @Test("A token with all rights but the one that a route wants is refused by it")
  func scopes() async throws {
    try await withServer { server in
      let member = try server.members.members()[0]
      let tokens = AccessTokens(database: server.members)
      for route in RouteTable.all.routes {
        let scope: String
        switch route.access {
        case .member(let wanted), .memberOrApplication(let wanted): scope = wanted
        case .application, .everyone: continue
        }
        #expect(Scopes.all.contains(scope))
        let token = try tokens.issue(to: member, scopes: Scopes.all.subtracting([scope]))
        let reply = try await ask(server, route, [("Authorization", "Bearer " + token)])
        if route.style == .version1 {
          #expect(reply.status == 403, "\(route.path): \(reply.status)")
        } else {
          #expect(reply.status == 401 && reply.json.at("error", "required_scope") == .string(scope), "\(route.path)")
        }
      }
    }
  }

  @Test("A route that changes something wants the right to write")
  func writing() {
    let words = [
      "upload", "delete", "move", "copy", "create", "restore", "put", "fileops", "commit", "modify", "revoke_shared",
      "update", "share_folder", "/lock_file", "unlock_file",
    ]
    for route in RouteTable.all.routes {
      guard case .member(let scope) = route.access, words.contains(where: { route.path.contains($0) }),
        route.path != "/1/copy_ref/", route.path != "/2/byteclub/device_remove"
      else { continue }
      let others = [
        ("/tags/", "files.metadata.write"), ("/sharing/", "sharing.write"), ("/file_requests/", "file_requests.write"),
        ("/permanently_delete", "files.permanent_delete"),
      ]
      let right = others.first { route.path.contains($0.0) }?.1 ?? "files.content.write"
      #expect(scope == right, "\(route.path)")
    }
  }

  @Test("Wrong signatures are refused by every route of version 1")
  func signatures() async throws {
    try await withServer { server in
      let member = try server.members.members()[0]
      let (app, other) = (try AppKeys(server.members).make(), try AppKeys(server.members).make())
      let keys = try OAuth1Tokens(server.members).issue(to: member, app: app.key)
      let theirs = try OAuth1Tokens(server.members).issue(to: member, app: other.key)
      let waiting = ("oauth_token", "0123456789abcdef")
      for route in RouteTable.all.routes where route.style == .version1 {
        guard case .member = route.access else { continue }
        for (key, token, signature, status) in [
          (app.key, keys.token, "x", 403), (app.key, keys.token, keys.consumerSecret + "&", 403),
          (app.key, keys.token, keys.consumerSecret + "&" + theirs.tokenSecret, 403),
          (app.key, theirs.token, keys.consumerSecret + "&" + theirs.tokenSecret, 403),
          (app.key, waiting.1, keys.consumerSecret + "&" + keys.tokenSecret, 401),
        ] {
          let parameters = [
            ("oauth_consumer_key", key), ("oauth_token", token), ("oauth_signature_method", "PLAINTEXT"),
            ("oauth_signature", signature),
          ]
          let reply = try await server.v1Bare("POST", String(route.path.dropFirst(3)), parameters)
          #expect(reply.status == status, "\(route.path) \(reply.status)")
        }
      }
    }
  }
}
