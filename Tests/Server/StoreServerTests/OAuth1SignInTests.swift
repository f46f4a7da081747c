import Accounts
import Backends
import Basics
import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Signing in by OAuth 1.0: request token, page, access token.
@Suite(.serialized) struct OAuth1SignInTests {
  private func signed(
    _ server: TestServer, _ step: String, _ app: (key: String, secret: String), _ token: (String, String) = ("", ""),
    _ method: OAuth1Method = .hmacSHA1, at second: Int64? = nil, nonce: String = FreshID.word(12)
  ) async throws -> Reply {
    let signer = OAuth1Signer(
      OAuth1Keys(consumerKey: app.key, consumerSecret: app.secret, token: token.0, tokenSecret: token.1), method,
      now: { second ?? ServerOptions.now() }, nonce: { nonce })
    let url = "http://127.0.0.1:\(server.client.port)/1/oauth/\(step)"
    return try await server.client.request(
      "POST", "/1/oauth/" + step, [("Authorization", signer.authorization("POST", url, []))])
  }

  private func requestToken(
    _ server: TestServer, _ app: (key: String, secret: String), _ method: OAuth1Method = .hmacSHA1
  ) async throws -> (String, String) {
    let reply = try await signed(server, "request_token", app, ("", ""), method)
    try #require(reply.status == 200, "\(reply.text)")
    #expect(reply.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(reply.headers["cache-control"] == "no-store")
    let fields = FormText.read(reply.text)
    return (try #require(fields["oauth_token"]), try #require(fields["oauth_token_secret"]))
  }

  /// The page on which a member allows a token.
  private func shown(
    _ server: TestServer, _ token: String, _ more: String = ""
  ) async throws -> TestServer.SignInPage {
    try await server.signInPage("/1/oauth/authorize?oauth_token=" + token + more)
  }

  private func allow(_ server: TestServer, _ token: String) async throws {
    let page = try await shown(server, token)
    let done = try await server.post(
      "/1/oauth/authorize", ["request": page.request, "word": try server.codeWord(), "answer": "allow"],
      [("Cookie", page.cookie)])
    try #require(done.status == 200 && done.text.contains("Signed in as"), "\(done.text)")
  }

  @Test(
    "A program asks, a member allows it, and it gets a token, once", arguments: [OAuth1Method.hmacSHA1, .plaintext])
  func whole(_ method: OAuth1Method) async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let token = try await requestToken(server, app, method)
      #expect(try await signed(server, "access_token", app, token, method).status == 401)
      try await allow(server, token.0)
      let reply = try await signed(server, "access_token", app, token, method)
      try #require(reply.status == 200, "\(reply.text)")
      let fields = FormText.read(reply.text)
      let keys = OAuth1Keys(
        consumerKey: app.key, consumerSecret: app.secret, token: try #require(fields["oauth_token"]),
        tokenSecret: try #require(fields["oauth_token_secret"]))
      let signer = OAuth1Signer(keys, method, now: { ServerOptions.now() }, nonce: { FreshID.word(12) })
      let url = "http://127.0.0.1:\(server.client.port)/1/account/info"
      let account = try await server.v1Bare(
        "GET", "account/info", headers: [("Authorization", signer.authorization("GET", url, []))])
      #expect(account.status == 200)
      #expect(account.json["uid"] == .integer(Int64(fields["uid"] ?? "") ?? -1))
      #expect(try await signed(server, "access_token", app, token, method).status == 401)
    }
  }

  @Test("byteclub signs in so, uses the token, and gives it back", arguments: [OAuth1Method.hmacSHA1, .plaintext])
  func ownClient(_ method: OAuth1Method) async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let origin = "http://127.0.0.1:\(server.client.port)"
      let account = try Account(
        club: "museum", service: AccountService(server: origin, version: .v1), appKey: app.key, appSecret: app.secret,
        signature: method)
      let transport = try #require(
        try StoreRegistry.standard.transport(
          for: StoreDescription(kind: "dropbox-v1", options: ["server": origin]), adjust: { $0.timeouts = .patient }))
      let now: @Sendable () -> Int64 = { ServerOptions.now() }
      let signIn = try await OAuth1SignIn(account, transport: transport, now: now)
      let early = await #expect(throws: StoreError.self) { try await signIn.finish(transport: transport, now: now) }
      #expect(early?.kind == .notSignedIn)
      #expect(signIn.address.hasPrefix(origin + "/1/oauth/authorize?oauth_token="))
      try await allow(server, String(signIn.address.split(separator: "=").last ?? ""))
      let grant = try await signIn.finish(transport: transport, now: now)
      try await withTemporaryFolder { folder in
        let tokens = AccountTokens(
          account, source: .file, directory: folder + "/tokens", transport: transport, pool: BlockingPool(threads: 2),
          now: now)
        try await tokens.keep(grant)
        let name = try server.members.members()[0].name
        #expect(try await tokens.profile().name == name)
        try await tokens.signOut(onlyHere: false)
        await #expect(throws: StoreError.self) { try await tokens.profile() }
      }
      // A wrong secret is refused for what it is.
      let wrong = try Account(
        club: "museum", service: AccountService(server: origin, version: .v1), appKey: app.key, appSecret: "guess",
        signature: method)
      let error = await #expect(throws: StoreError.self) {
        try await OAuth1SignIn(wrong, transport: transport, now: now)
      }
      #expect(error?.kind == .notPermitted)
    }
  }

  @Test("With a callback to this machine the browser goes there; a no does, too, and ends the token")
  func callback() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let back = "&oauth_callback=" + PercentEncoding.encoded("http://127.0.0.1:5555/back")
      let token = try await requestToken(server, app)
      let page = try await shown(server, token.0, back)
      let done = try await server.post(
        "/1/oauth/authorize", ["request": page.request, "word": try server.codeWord()], [("Cookie", page.cookie)])
      #expect(done.status == 302)
      let location = try #require(done.headers["location"])
      #expect(location.hasPrefix("http://127.0.0.1:5555/back?oauth_token=\(token.0)&uid="))
      let other = try await requestToken(server, app)
      let second = try await shown(server, other.0, back)
      let no = try await server.post(
        "/1/oauth/authorize", ["request": second.request, "answer": "deny"], [("Cookie", second.cookie)])
      #expect(no.headers["location"]?.contains("not_approved=true") == true)
      #expect(try await signed(server, "access_token", app, other).status == 401)
      #expect(try await server.client.request("GET", "/1/oauth/authorize?oauth_token=" + other.0).status == 400)
    }
  }

  @Test("The form works in its own browser alone, for its own token, with a right word, and once")
  func forms() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let token = try await requestToken(server, app)
      let page = try await shown(server, token.0)
      let word = try server.codeWord()
      let stranger = try await shown(server, token.0)
      try await server.expectOnlyOwnForm(at: "/1/oauth/authorize", page, stranger: stranger, word: word)
      // A page of the other kind is no page of this one.
      let moved = try await server.post(
        "/oauth2/authorize", ["request": page.request, "word": word], [("Cookie", page.cookie)])
      #expect(moved.status == 400)
      #expect(try await signed(server, "access_token", app, token).status == 401)
      let statuses = try await server.sentAtOnce(to: "/1/oauth/authorize", page, word: word)
      // Whoever comes second finds the word used, or the token allowed.
      #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.allSatisfy { [200, 400, 403].contains($0) })
    }
  }

  @Test("What asks without the right secret gets no token, and is counted")
  func signatures() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let other = try AppKeys(server.members).make()
      for method in [OAuth1Method.hmacSHA1, .plaintext] {
        #expect(try await signed(server, "request_token", (app.key, "guess"), ("", ""), method).status == 403)
        #expect(try await signed(server, "request_token", (app.key, other.secret), ("", ""), method).status == 403)
        #expect(try await signed(server, "request_token", ("other", app.secret), ("", ""), method).status == 401)
        #expect(try await signed(server, "request_token", ("byteclub", ""), ("", ""), method).status == 403)
        let token = try await requestToken(server, app, method)
        try await allow(server, token.0)
        #expect(try await signed(server, "access_token", app, (token.0, "guess"), method).status == 403)
        #expect(try await signed(server, "access_token", app, ("guess", token.1), method).status == 401)
        // Another program cannot take it, though it knows the token's secret.
        #expect(try await signed(server, "access_token", other, token, method).status == 401)
        #expect(try await signed(server, "access_token", app, token, method).status == 200)
      }
      #expect(try await server.client.request("POST", "/1/oauth/request_token").status == 401)
      #expect(try await server.client.request("POST", "/1/oauth/access_token").status == 401)
      let second = ServerOptions.now()
      #expect(try await signed(server, "request_token", app, at: second, nonce: "again").status == 200)
      #expect(try await signed(server, "request_token", app, at: second, nonce: "again").status == 403)
      #expect(try await signed(server, "request_token", app, at: second - 700).status == 403)
    }
  }

  @Test("Wrong secrets, tokens and words are counted together, and then told to wait")
  func guessing() async throws {
    try await withServer(tune: { $0.failuresPerMinute = 6 }) { server in
      let app = try AppKeys(server.members).make()
      let token = try await requestToken(server, app)
      let page = try await shown(server, token.0)
      for _ in 0..<2 {
        #expect(try await signed(server, "request_token", (app.key, "guess")).status == 403)
        #expect(try await signed(server, "access_token", app, ("guess", "")).status == 401)
        let wrong: KeyValuePairs = ["request": page.request, "word": "aaaaa-bbbbb-ccccc-ddddd"]
        #expect(try await server.post("/1/oauth/authorize", wrong, [("Cookie", page.cookie)]).status == 403)
      }
      for _ in 0..<2 { #expect(try await signed(server, "request_token", (app.key, "guess")).status == 429) }
      // A right word is not even looked at now.
      let right: KeyValuePairs = ["request": page.request, "word": try server.codeWord()]
      let reply = try await server.post("/1/oauth/authorize", right, [("Cookie", page.cookie)])
      #expect(reply.status == 429 && Int(reply.headers["retry-after"] ?? "") ?? 0 > 0)
      // Who has a right signature goes on.
      #expect(try await signed(server, "request_token", app).status == 200)
    }
  }

  @Test(
    "What the page is not shown for",
    arguments: [
      "", "oauth_token=", "oauth_token=other", "oauth_token=TOKEN&oauth_callback=https%3A%2F%2Fevil.example%2F",
      "oauth_token=TOKEN&oauth_callback=http%3A%2F%2F127.0.0.1%3A80%40evil.example%2F",
      "oauth_token=TOKEN&oauth_callback=javascript%3Aalert(1)",
    ])
  func refused(query: String) async throws {
    try await withServer { server in
      let token = try await requestToken(server, AppKeys(server.members).make())
      try await server.expectNoSignInPage("/1/oauth/authorize?" + query.replacing("TOKEN", with: token.0))
    }
  }

  @Test("A token waits a quarter of an hour for its member, and a minute for its program")
  func times() {
    let tokens = RequestTokens()
    let (token, _) = tokens.issue(to: "app", peer: "here", at: 1000)
    #expect(tokens.find(token, at: 1899) != nil)
    #expect(tokens.find(token, at: 1900) == nil)
    #expect(tokens.redeem(token, at: 1001) == nil)
    #expect(!tokens.allow(token, by: "ann", at: 1900))
    #expect(tokens.allow(token, by: "ann", at: 1100))
    #expect(!tokens.allow(token, by: "ben", at: 1101))
    #expect(tokens.redeem(token, at: 1160) == nil)
    let (other, _) = tokens.issue(to: "app", peer: "here", at: 1000)
    #expect(tokens.allow(other, by: "ann", at: 1000))
    #expect(tokens.redeem(other, at: 1059) == "ann")
    #expect(tokens.redeem(other, at: 1059) == nil)
    // Whoever asks without end pushes out what is oldest, and takes no more memory.
    let (first, _) = tokens.issue(to: "app", peer: "here", at: 2000)
    for _ in 0..<1000 { _ = tokens.issue(to: "app", peer: "there", at: 2001) }
    #expect(tokens.find(first, at: 2001) == nil)
  }

  @Test("An app key that is removed signs nobody in, and what it was given ends at once")
  func removedApp() async throws {
    try await withServer { server in
      let apps = AppKeys(server.members)
      let (app, other) = (try apps.make(), try apps.make())
      #expect(try apps.list().map(\.key).sorted() == [app.key, other.key].sorted())
      let token = try await requestToken(server, app)
      try await allow(server, token.0)
      let member = try server.members.members()[0]
      let access = try AccessTokens(database: server.members).issue(to: member, app: app.key)
      let kept = try AccessTokens(database: server.members).issue(to: member, app: other.key)
      let signed1 = try OAuth1Tokens(server.members).issue(to: member, app: app.key)
      #expect(try await server.call("check/user", .null, token: access).status == 200)
      try apps.remove(app.key)
      #expect(try apps.list().map(\.key) == [other.key])
      #expect(try await server.call("check/user", .null, token: access).status == 401)
      #expect(try await server.call("check/user", .null, token: kept).status == 200)
      #expect(try await signed(server, "access_token", app, token).status == 401)
      #expect(try await signed(server, "request_token", app).status == 401)
      let call = [
        ("oauth_consumer_key", app.key), ("oauth_token", signed1.token), ("oauth_signature_method", "PLAINTEXT"),
        ("oauth_signature", signed1.consumerSecret + "&" + signed1.tokenSecret),
      ]
      #expect(try await server.v1Bare("GET", "account/info", call).status == 401)
      for key in [app.key, "other", "byteclub", ""] { #expect(throws: StoreError.self) { try apps.remove(key) } }
    }
  }
}
