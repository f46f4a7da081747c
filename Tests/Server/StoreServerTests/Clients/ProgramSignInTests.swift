import Basics
import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// Signing in as programs do that keep a secret, or that run in a browser.
@Suite(.serialized) struct ProgramSignInTests {
  private func address(_ app: String, _ more: KeyValuePairs<String, String> = [:]) -> String {
    let values = [("response_type", "code"), ("client_id", app)] + more.map { ($0, $1) }
    return "/oauth2/authorize?" + values.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
  }

  /// The code that a browser is sent back with, or shown.
  private func code(_ server: TestServer, _ address: String) async throws -> String {
    let page = try await server.signInPage(address)
    let done = try await server.post(
      "/oauth2/authorize", ["request": page.request, "word": try server.codeWord(), "answer": "allow"],
      [("Cookie", page.cookie)])
    if let location = done.headers["location"] {
      return String(try #require(location.split(separator: "code=").last).prefix { $0 != "&" })
    }
    return String(try #require(done.text.split(separator: "<code id=\"code\">").last?.prefix { $0 != "<" }))
  }

  @Test("With an app secret the code flow works without PKCE, and without the secret it does not")
  func secret() async throws {
    try await withServer { server in
      let (app, other) = (try AppKeys(server.members).make(), try AppKeys(server.members).make())
      func exchange(_ key: String, _ more: [String: String]) async throws -> Reply {
        var form = ["grant_type": "authorization_code", "client_id": key]
        form["code"] = try await code(server, address(app.key))
        let body = form.merging(more) { _, new in new }.map { "\($0)=\(PercentEncoding.encoded($1))" }
        return try await server.client.request(
          "POST", "/oauth2/token", [("Content-Type", "application/x-www-form-urlencoded")],
          Array(body.joined(separator: "&").utf8))
      }
      let good = try await exchange(app.key, ["client_secret": app.secret])
      #expect(good.json["access_token"]?.string != nil, "\(good.text)")
      #expect(try await exchange(app.key, [:]).json["error"] == "invalid_client")
      #expect(try await exchange(app.key, ["client_secret": ""]).json["error"] == "invalid_client")
      #expect(try await exchange(app.key, ["client_secret": other.secret]).json["error"] == "invalid_client")
      #expect(
        try await exchange(other.key, ["client_secret": other.secret]).json["error"] == "invalid_grant")
      // A verifier without a challenge: the challenge was taken away on the way.
      let stripped = ["client_secret": app.secret, "code_verifier": SignInTests.verifier]
      #expect(try await exchange(app.key, stripped).json["error"] == "invalid_grant")
    }
  }

  @Test("With a secret and PKCE both are wanted")
  func secretAndVerifier() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let asked = address(
        app.key, ["code_challenge": SignInTests.challenge, "code_challenge_method": "S256"])
      for (verifier, isGood) in [(SignInTests.verifier, true), (String(SignInTests.verifier.dropLast()) + "x", false)] {
        let reply = try await server.post(
          "/oauth2/token",
          [
            "grant_type": "authorization_code", "code": try await code(server, asked), "client_id": app.key,
            "client_secret": app.secret, "code_verifier": verifier,
          ])
        #expect((reply.status == 200) == isGood, "\(reply.text)")
      }
      let none = try await server.post(
        "/oauth2/token",
        [
          "grant_type": "authorization_code", "code": try await code(server, asked), "client_id": app.key,
          "client_secret": app.secret,
        ])
      #expect(none.json["error"] == "invalid_grant")
    }
  }

  @Test("What is asked for a token may stand in the address")
  func query() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let code = try await code(server, address(app.key, ["token_access_type": "offline"]))
      let values = [
        ("grant_type", "authorization_code"), ("code", code), ("client_id", app.key), ("client_secret", app.secret),
      ]
      let query = values.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
      let reply = try await server.client.request("POST", "/oauth2/token?" + query)
      let refresh = try #require(reply.json["refresh_token"]?.string)
      let renewed = try await server.client.request(
        "POST", "/oauth2/token?grant_type=refresh_token&refresh_token=" + PercentEncoding.encoded(refresh),
        [("Content-Type", "application/x-www-form-urlencoded")], Array("client_id=\(app.key)".utf8))
      #expect(renewed.json["access_token"]?.string != nil, "\(renewed.text)")
      #expect(try await server.client.request("GET", "/oauth2/token?" + query).status == 405)
    }
  }

  @Test("A browser is sent back to an address that is registered for the app key, and to no other")
  func redirects() async throws {
    try await withServer { server in
      let web = "https://club.example.org/signed-in?from=club"
      let own = "org.example.club:/signed-in"
      let app = try AppKeys(server.members).make(redirects: [web])
      let other = try AppKeys(server.members).make()
      func isShown(_ redirect: String, _ key: String) async throws -> Bool {
        try await server.client.request("GET", address(key, ["redirect_uri": redirect])).status == 200
      }
      #expect(try await isShown(web, app.key))
      #expect(try await !isShown(web, other.key))
      for near in [web + "x", String(web.dropLast()), "https://club.example.org/", own, web + "#x", web.uppercased()] {
        #expect(try await !isShown(near, app.key), "\(near)")
      }
      #expect(try await isShown("http://127.0.0.1:5555/", app.key))
      let page = try await server.signInPage(address(app.key, ["redirect_uri": web, "state": "s"]))
      let done = try await server.post(
        "/oauth2/authorize", ["request": page.request, "word": try server.codeWord()], [("Cookie", page.cookie)])
      let location = try #require(done.headers["location"])
      #expect(location.hasPrefix(web + "&code=") && location.hasSuffix("&state=s"))
      let code = String(try #require(location.split(separator: "code=").last).prefix { $0 != "&" })
      let reply = try await server.post(
        "/oauth2/token",
        [
          "grant_type": "authorization_code", "code": code, "client_id": app.key, "client_secret": app.secret,
          "redirect_uri": web,
        ])
      #expect(reply.status == 200, "\(reply.text)")

      try AppKeys(server.members).setRedirects([own, web], of: app.key)
      #expect(try AppKeys(server.members).list().first { $0.key == app.key }?.redirects == [web, own])
      #expect(try await isShown(own, app.key))
      try AppKeys(server.members).setRedirects([], of: app.key)
      #expect(try await !isShown(web, app.key))
      #expect(throws: StoreError.self) { try AppKeys(server.members).setRedirects([web], of: "unknown") }
    }
  }

  @Test(
    "Which addresses may be registered",
    arguments: [
      ("https://club.example.org/signed-in", true), ("https://club.example.org:8443/?a=b", true),
      ("org.example.club:/back", true), ("db-1234567://2/token", true), ("http://club.example.org/", false),
      ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://", false), ("https:club", false),
      ("https://a@b.example/", false), ("https://a.example/#b", false), ("https://a.example/;b", false),
      ("file:///etc/passwd", false), ("", false), (".a:/b", false), ("https://a.example/\r\nX: y", false),
    ])
  func registrable(address: String, isGood: Bool) {
    #expect(RedirectAddress.mayBeRegistered(address) == isGood)
  }

  @Test("The right to write brings the right to read the same, and no other")
  func scopes() async throws {
    #expect(Scopes.read("files.content.write") == ["files.content.write", "files.content.read"])
    #expect(Scopes.read("files.metadata.read") == ["files.metadata.read"])
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let code = try await code(server, address(app.key, ["scope": "files.content.write"]))
      let reply = try await server.post(
        "/oauth2/token",
        ["grant_type": "authorization_code", "code": code, "client_id": app.key, "client_secret": app.secret])
      #expect(reply.json["scope"] == "files.content.read files.content.write")
      let token = try #require(reply.json["access_token"]?.string)
      try await server.upload("/a", "text")
      let link = try await server.call("files/get_temporary_link", ["path": "/a"], token: token)
      #expect(link.status == 200)
      #expect(try await server.call("files/get_metadata", ["path": "/a"], token: token).status == 401)
    }
  }

  @Test("A program of version 1 is sent back to a registered address, too")
  func older() async throws {
    try await withServer { server in
      let back = "https://club.example.org/signed-in"
      for (redirects, status) in [([back], 200), ([], 400)] {
        let app = try AppKeys(server.members).make(redirects: redirects)
        let asked = try await server.v1Bare(
          "POST", "oauth/request_token",
          [
            ("oauth_consumer_key", app.key), ("oauth_signature_method", "PLAINTEXT"),
            ("oauth_signature", app.secret + "&"),
          ])
        let token = try #require(FormText.read(asked.text)["oauth_token"])
        let page = try await server.client.request(
          "GET", "/1/oauth/authorize?oauth_token=\(token)&oauth_callback=" + PercentEncoding.encoded(back))
        #expect(page.status == status)
      }
    }
  }
}
