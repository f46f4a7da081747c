import Basics
import Database
import FileStores
import JSON
import Testing

@testable import StoreServer

extension SignInTests {
  /// What a program has in its hands when it exchanges a code that is not for it.
  enum Thief: CaseIterable, Sendable { case noVerifier, almostTheVerifier, theChallenge, anotherApp }

  @Test(
    "A code is of no use without the verifier that its challenge was made of, nor to another program",
    arguments: Thief.allCases)
  func theft(thief: Thief) async throws {
    try await withServer { server in
      let (app, other) = (try AppKeys(server.members).make(), try AppKeys(server.members).make())
      let code = try await code(server, address(app.key))
      let stolen =
        switch thief {
        case .noVerifier: try await exchange(server, code, app.key, verifier: "")
        case .almostTheVerifier:
          try await exchange(server, code, app.key, verifier: Self.verifier.dropLast() + "w")
        case .theChallenge: try await exchange(server, code, app.key, verifier: Self.challenge)
        case .anotherApp: try await exchange(server, code, other.key)
        }
      #expect(stolen.status == 400 && stolen.json["error"] == "invalid_grant" && stolen.json["access_token"] == nil)
      // Who should have had it finds it used, and knows.
      #expect(try await exchange(server, code, app.key).json["error"] == "invalid_grant")
    }
  }

  @Test("A verifier has at least the 43 characters of RFC 7636, and at most 128", arguments: [42, 43, 128, 129])
  func verifierLength(count: Int) async throws {
    try await withServer { server in
      let verifier = String(repeating: "v", count: count)
      let hash = SHA256()
      hash.update(Array(verifier.utf8)[...])
      let address = address("byteclub").replacing(Self.challenge, with: Base64.text(of: hash.finish(), .url))
      let reply = try await exchange(server, code(server, address), "byteclub", verifier: verifier)
      #expect((reply.status == 200) == (43...128).contains(count))
    }
  }

  @Test("A code that comes a second time ends the tokens that were given for it")
  func repeated() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let code = try await code(server, address(app.key))
      let token = try #require(try await exchange(server, code, app.key).json["access_token"]?.string)
      #expect(try await server.call("check/user", [:], token: token).status == 200)
      #expect(try await exchange(server, code, app.key).json["error"] == "invalid_grant")
      #expect(try await server.call("check/user", [:], token: token).status == 401)
    }
  }

  @Test("A code is good for a minute, and once")
  func codes() {
    let codes = AuthorizationCodes()
    func issue() -> String {
      codes.issue(
        AuthorizationCodes.Grant(
          member: "m", app: "a", redirect: nil, challenge: "", isOffline: false, scopes: nil,
          expires: AuthorizationCodes.end(1000)), at: 1000)
    }
    let (code, late) = (issue(), issue())
    #expect(codes.redeem(code, for: "f", at: 1059)?.member == "m")
    #expect(codes.redeem(code, for: "f", at: 1059) == nil)
    #expect(codes.redeem(late, for: "g", at: 1060) == nil)
    #expect(codes.repeated(late) == nil && !codes.isRepeated(code))
    #expect(codes.repeated(code) == "f" && codes.isRepeated(code))
  }

  @Test("What a program asked for is all that its tokens may do, also when it renews them")
  func scopes() async throws {
    try await withServer { server in
      let (app, other) = (try AppKeys(server.members).make(), try AppKeys(server.members).make())
      let given = try await tokens(server, app.key, ["scope": "files.metadata.read account_info.read"])
      #expect(given["scope"] == "account_info.read files.metadata.read")
      let refresh = try #require(given["refresh_token"]?.string)
      func renew(_ key: String, _ scope: String) async throws -> JSON {
        try await server.post(
          "/oauth2/token",
          ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": key, "scope": scope]
        ).json
      }
      let renewed = try await renew(app.key, "")
      for token in [given["access_token"]?.string, renewed["access_token"]?.string] {
        let token = try #require(token)
        #expect(try await server.call("files/list_folder", ["path": ""], token: token).status == 200)
        let refused = try await server.call("files/create_folder_v2", ["path": "/x"], token: token)
        #expect(refused.json.at("error", ".tag") == "missing_scope")
        // Four hours.
        let id = String(token.split(separator: ".")[1])
        let left = try #require(try server.members.token(id: id)?.token.expires) - ServerOptions.now()
        #expect((14_390...14_400).contains(left))
      }
      #expect(try await renew(app.key, "files.metadata.read files.content.write")["error"] == "invalid_scope")
      #expect(try await renew(other.key, "")["error"] == "invalid_grant")
      #expect(try await server.paths() == [])
    }
  }

  @Test("Who does not ask for a refresh token gets none")
  func online() async throws {
    try await withServer { server in
      let address = address("byteclub").replacing("token_access_type=offline", with: "token_access_type=online")
      let reply = try await exchange(server, code(server, address), "byteclub")
      #expect(reply.json["access_token"] != nil && reply.json["refresh_token"] == nil)
    }
  }

  /// What is guessed.
  enum Guess: CaseIterable, Sendable { case secret, code, refreshToken, word }

  @Test("Guesses are counted, whatever is guessed, and then told to wait", arguments: Guess.allCases)
  func guesses(guess: Guess) async throws {
    try await withServer(tune: { $0.failuresPerMinute = 2 }) { server in
      let app = try AppKeys(server.members).make()
      let page = try await server.signInPage(address(app.key))
      func send(_ word: String) async throws -> Reply {
        let cookie = [("Cookie", page.cookie)]
        return switch guess {
        case .secret:
          try await server.post("/oauth2/token", ["grant_type": "x", "client_id": app.key, "client_secret": "guess"])
        case .code: try await exchange(server, "guess", app.key)
        case .refreshToken:
          try await server.post(
            "/oauth2/token",
            ["grant_type": "refresh_token", "refresh_token": "guess", "client_id": app.key])
        case .word: try await server.post("/oauth2/authorize", ["request": page.request, "word": word], cookie)
        }
      }
      for _ in 0..<2 { #expect([400, 403].contains(try await send("aaaaa-bbbbb-ccccc-ddddd").status)) }
      let reply = try await send("aaaaa-bbbbb-ccccc-ddddd")
      #expect(reply.status == 429 && (1...60).contains(Int(reply.headers["retry-after"] ?? "") ?? 0))
      guard guess == .word else { return }
      // A right word is not even looked at now, and stays good.
      let word = try CodeWords(server.members).issue(to: server.members.members()[0].name)
      #expect(try await send(word).status == 429)
      #expect(try CodeWords(server.members).redeem(word, at: ServerOptions.now()) != nil)
    }
  }

  @Test("A page that was shown too long ago, or a form that is too large, is not taken")
  func pages() async throws {
    try await withServer { server in
      let word = try CodeWords(server.members).issue(to: server.members.members()[0].name)
      let seal = Seal(key: try server.members.secret("seal"))
      for (end, status) in [(ServerOptions.now() - 1, 400), (ServerOptions.now() + 600, 200)] {
        let request = try #require(
          AuthorizeRequest(words: ["byteclub", "", "", "", Self.challenge, "", "files.metadata.read"]))
        let sealed = seal.seal(request.words + ["visit", String(end)], for: "sign-in /oauth2/authorize")
        let reply = try await server.post(
          "/oauth2/authorize", ["request": sealed, "word": word], [("Cookie", "byteclub_sign_in=visit")])
        #expect(reply.status == status, "\(reply.text)")
      }
      let large = String(repeating: "x", count: 17 * 1024)
      let reply = try await server.post("/oauth2/authorize", ["request": large])
      #expect(reply.status == 400 && reply.text.contains("too large"))
    }
  }

  @Test("A member's name is text on the pages, whatever is in it")
  func names() async throws {
    try await withServer { server in
      _ = try MemberList(server.members).add("<b>\"&'</b>")
      let page = try await server.signInPage(address("byteclub"))
      let word = try CodeWords(server.members).issue(to: "<b>\"&'</b>")
      let done = try await server.post(
        "/oauth2/authorize", ["request": page.request, "word": word], [("Cookie", page.cookie)])
      #expect(done.text.contains("&lt;b&gt;&quot;&amp;&#39;&lt;/b&gt;"))
      #expect(!done.text.contains("<b>"))
    }
  }

  @Test(
    "A redirect leads to this machine, with a port",
    arguments: [
      ("http://127.0.0.1:5555/back", true), ("http://localhost:1", true), ("http://[::1]:65535?x=y", true),
      ("http://127.0.0.1:80.evil.example/", false), ("http://localhost:/x", false), ("http://localhost:0/", false),
      ("http://localhost:65536/", false), ("http://127.0.0.1/", false), ("https://127.0.0.1:5555/", false),
      ("http://127.0.0.1:5555@evil.example/", false), ("http://127.0.0.1:5555\\@evil.example/", false),
      ("http://127.0.0.1:5555/\r\nX: y", false),
    ])
  func loopback(address: String, isGood: Bool) {
    #expect(RedirectAddress.isLoopback(address) == isGood)
  }
}
