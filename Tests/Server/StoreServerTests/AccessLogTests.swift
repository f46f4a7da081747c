import Basics
import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// The server's log has no secret in it, at any level.
@Suite(.serialized) struct AccessLogTests {
  private func form(_ server: TestServer, _ path: String, _ fields: [(String, String)], cookie: String = "")
    async throws
    -> Reply
  {
    let body = fields.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }.joined(separator: "&")
    return try await server.client.request(
      "POST", path, [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", cookie)], Array(body.utf8))
  }

  @Test("Tokens, secrets, signatures, code words, codes, cursors and links are in no line, wherever they were sent")
  func secrets() async throws {
    let lines = KeptLog()
    var secrets: [String] = []
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: { $0.sharesLinks = true }, handler: lines.handler) { server in
        let name = try server.members.members()[0].name
        let app = try AppKeys(server.members).make()
        let keys = try OAuth1Tokens(server.members).issue(to: server.members.members()[0], app: app.key)
        let wrong = "bc.wrongwrongwrong.thisIsNoTokenOfOurs"
        secrets += [server.token, wrong, app.secret, keys.token, keys.tokenSecret]
        // As they are described when somebody describes what has them.
        for name in ["seal", "oauth1", "apps"] { secrets.append("\(try server.members.secret(name))") }
        // The token in the header, the query and the form; right and wrong.
        try await server.upload("/a", "text of a note")
        for token in [server.token, wrong] {
          _ = try await server.call("check/user", .null, token: token)
          for target in ["/2/check/user?authorization=Bearer%20", "/1/account/info?access_token=", "/nothing?token="] {
            _ = try await server.client.request("POST", target + token)
          }
          _ = try await server.v1Bare("POST", "account/info", [("access_token", token)])
        }
        // Signed requests in query and header.
        let signature = keys.consumerSecret + "&" + keys.tokenSecret
        let signed = [
          ("oauth_consumer_key", keys.consumerKey), ("oauth_token", keys.token),
          ("oauth_signature_method", "PLAINTEXT"), ("oauth_signature", signature),
        ]
        #expect(try await server.v1Bare("GET", "account/info", signed).status == 200)
        let header = "OAuth " + signed.map { "\($0.0)=\"\(PercentEncoding.encoded($0.1))\"" }.joined(separator: ", ")
        _ = try await server.v1Bare("GET", "metadata/auto/a", headers: [("Authorization", header)])
        _ = try await server.v1Bare("GET", "account/info", signed.dropLast() + [("oauth_signature", "guess")])
        // Cursors and links.
        let cursor = try await server.call("files/list_folder/get_latest_cursor", ["path": ""]).json["cursor"]
        secrets.append(cursor?.string ?? "?")
        _ = try await server.call("files/list_folder/continue", ["cursor": cursor ?? .null])
        let link = try await server.call("files/get_temporary_link", ["path": "/a"]).json["link"]?.string ?? "?"
        secrets.append(String(link.split(separator: "/").last ?? "?"))
        _ = try await server.client.request("GET", "/links/" + secrets[secrets.count - 1])
        let shared = try await server.link("/a", ["link_password": "low tide at the pier"])
        secrets += [
          try #require(ServedLinks.word(inURL: shared)), "low tide at the pier", "low%20tide%20at%20the%20pier",
          "\(try server.members.secret("links"))",
        ]
        _ = try await server.open(shared)
        let opened = try await server.post(server.path(shared), ["password": "low tide at the pier"])
        secrets.append(String(opened.headers["set-cookie"]?.split(separator: "=")[1].prefix { $0 != ";" } ?? "?"))
        // Invitations and codes for devices, right and wrong.
        let invitation = try JoinCodes(server.members).invite("ben", seconds: 60).code
        let device = FreshID.word(22)
        for code in [invitation, invitation, wrong] {
          let joined = try await server.client.request(
            "POST", "/2/byteclub/join", [("Content-Type", "application/json")],
            Array(#"{"code":"\#(code)","device":"\#(device)","name":"a laptop"}"#.utf8))
          if let token = joined.json["access_token"]?.string { secrets.append(token) }
        }
        _ = try await server.client.request("GET", "/join")
        let next = try await server.call("byteclub/device_code", .null).json["code"]?.string ?? "?"
        secrets += [invitation, device, next]
        // Both ways of signing in.
        let challenge = Base64.text(of: [UInt8](repeating: 7, count: 32), .url)
        let page = try await server.client.request(
          "GET",
          "/oauth2/authorize?response_type=code&client_id=\(app.key)&code_challenge=\(challenge)&code_challenge_method=S256"
        )
        let word = try CodeWords(server.members).issue(to: name)
        let request = String(page.text.split(separator: "name=\"request\" value=\"").last?.prefix { $0 != "\"" } ?? "")
        let cookie = String(page.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")
        let done = try await form(
          server, "/oauth2/authorize", [("request", request), ("word", word)], cookie: cookie)
        let code = String(done.text.split(separator: "<code id=\"code\">").last?.prefix { $0 != "<" } ?? "")
        try #require(code.count > 20)
        secrets += [word, request, code, String(cookie.split(separator: "=").last ?? "?")]
        _ = try await form(
          server, "/oauth2/token",
          [
            ("grant_type", "authorization_code"), ("code", code), ("client_id", app.key), ("client_secret", app.secret),
            ("code_verifier", "x"),
          ])
        let asked = try await server.v1Bare(
          "POST", "oauth/request_token",
          [
            ("oauth_consumer_key", app.key), ("oauth_signature_method", "PLAINTEXT"),
            ("oauth_signature", app.secret + "&"),
          ])
        let waiting = FormText.read(asked.text)
        secrets += [waiting["oauth_token"] ?? "?", waiting["oauth_token_secret"] ?? "?"]
        _ = try await server.client.request("GET", "/1/oauth/authorize?oauth_token=\(waiting["oauth_token"] ?? "?")")
        // Failures of a kind that is logged.
        secrets.append("text of a note")
        _ = try await server.client.exchange(
          Array("GET /2/check/user?authorization=Bearer%20\(server.token) HTTP/1.1\r\nX-Bad : \(wrong)\r\n\r\n".utf8),
          closing: true)
      }
    }
    let log = lines.all.joined(separator: "\n")
    #expect(log.contains("POST /2/files/upload 200") && log.contains("POST /2/byteclub/join 403"))
    #expect(log.contains("/links/ 200") && log.contains("/1/account/info 200"))
    for secret in secrets {
      #expect(secret.count > 10)
      for written in [secret, PercentEncoding.encoded(secret)] { #expect(!log.contains(written), "\(secret)") }
    }
    // Not even what finds a token.
    #expect(!log.contains("Bearer") && !log.contains("oauth_"))
  }
}
