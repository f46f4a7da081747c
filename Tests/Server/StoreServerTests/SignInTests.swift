import Basics
import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

@Suite(.serialized) struct SignInTests {
  static let verifier = String(repeating: "v", count: 64)
  static let challenge: String = {
    let hash = SHA256()
    hash.update(Array(verifier.utf8)[...])
    return Base64.text(of: hash.finish(), .url)
  }()

  func address(_ app: String, _ more: KeyValuePairs<String, String> = [:]) -> String {
    let values: [(String, String)] =
      [
        ("response_type", "code"), ("client_id", app), ("code_challenge", Self.challenge),
        ("code_challenge_method", "S256"), ("token_access_type", "offline"),
      ] + more.map { ($0, $1) }
    return "/oauth2/authorize?" + values.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
  }

  /// The code that a member allows on the page.
  func code(_ server: TestServer, _ address: String) async throws -> String {
    let page = try await server.signInPage(address)
    let done = try await server.post(
      "/oauth2/authorize", ["request": page.request, "word": try server.codeWord(), "answer": "allow"],
      [("Cookie", page.cookie)])
    return String(try #require(done.text.split(separator: "<code id=\"code\">").last?.prefix { $0 != "<" }))
  }

  func exchange(
    _ server: TestServer, _ code: String, _ app: String, verifier: String = Self.verifier
  ) async throws -> Reply {
    let reply = try await server.post(
      "/oauth2/token",
      ["grant_type": "authorization_code", "code": code, "client_id": app, "code_verifier": verifier])
    #expect(reply.status == 429 || reply.headers["cache-control"] == "no-store")
    return reply
  }

  func tokens(_ server: TestServer, _ app: String, _ more: KeyValuePairs<String, String> = [:]) async throws
    -> JSON
  {
    let code = try await code(server, address(app, more))
    let reply = try await exchange(server, code, app)
    try #require(reply.status == 200, "\(reply.text)")
    return reply.json
  }

  @Test("A member signs in with a code word, the program gets tokens, renews them, and gives them back")
  func whole() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let tokens = try await tokens(server, app.key)
      let access = try #require(tokens["access_token"]?.string)
      let refresh = try #require(tokens["refresh_token"]?.string)
      #expect(tokens["account_id"]?.string?.count == 40)
      #expect(Int64(tokens["uid"]?.string ?? "") != nil)
      #expect(try await server.call("check/user", .null, token: access).status == 200)
      #expect(try await server.call("check/user", .null, token: refresh).status == 401)
      for credentials in [
        ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": app.key],
        ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": app.key, "client_secret": app.secret],
      ] as [KeyValuePairs<String, String>] {
        let renewed = try await server.post("/1/oauth2/token", credentials)
        let token = try #require(renewed.json["access_token"]?.string)
        #expect(try await server.call("check/user", .null, token: token).status == 200)
      }
      let narrow = try await server.post(
        "/oauth2/token",
        ["grant_type": "refresh_token", "refresh_token": refresh, "scope": "files.metadata.read"],
        [("Authorization", "Basic " + Data("\(app.key):\(app.secret)".utf8).base64EncodedString())])
      let narrowed = try #require(narrow.json["access_token"]?.string)
      let refused = try await server.call("users/get_current_account", .null, token: narrowed)
      #expect(refused.status == 401)
      #expect(refused.json.at("error", ".tag") == "missing_scope")
      #expect(refused.json.at("error", "required_scope") == "account_info.read")
      #expect(try await server.call("files/list_folder", ["path": ""], token: narrowed).status == 200)
      #expect(try await server.call("auth/token/revoke", .null, token: access).text == "null")
      for token in [access, narrowed] {
        let reply = try await server.call("files/list_folder", ["path": ""], token: token)
        #expect(reply.json.at("error", ".tag") == "invalid_access_token")
      }
      let dead = try await server.post(
        "/oauth2/token", ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": app.key])
      #expect(dead.status == 400)
      #expect(dead.json["error"] == "invalid_grant")
      #expect(try await server.call("check/user", .null).status == 200)
    }
  }

  @Test("byteclub signs in with the key that every server knows, and with no secret")
  func ownKey() async throws {
    try await withServer { server in
      let tokens = try await tokens(server, "byteclub")
      let refresh = try #require(tokens["refresh_token"]?.string)
      let form: KeyValuePairs = [
        "grant_type": "refresh_token", "refresh_token": refresh, "client_id": "byteclub",
      ]
      #expect(try await server.post("/oauth2/token", form).json["access_token"]?.string != nil)
      let guessed: KeyValuePairs = [
        "grant_type": "refresh_token", "refresh_token": refresh, "client_id": "byteclub", "client_secret": "guess",
      ]
      #expect(try await server.post("/oauth2/token", guessed).json["error"] == "invalid_client")
    }
  }

  @Test("With a redirect to this machine the code goes there, with the state; a no does, too")
  func redirect() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let more: KeyValuePairs = ["redirect_uri": "http://127.0.0.1:5555/back", "state": "a&b"]
      let page = try await server.signInPage(address(app.key, more))
      let word = try server.codeWord()
      let done = try await server.post(
        "/oauth2/authorize", ["request": page.request, "word": word.uppercased()], [("Cookie", page.cookie)])
      #expect(done.status == 302)
      let location = try #require(done.headers["location"])
      #expect(location.hasPrefix("http://127.0.0.1:5555/back?code="))
      #expect(location.hasSuffix("&state=a%26b"))
      let no = try await server.post(
        "/oauth2/authorize", ["request": page.request, "answer": "deny"], [("Cookie", page.cookie)])
      #expect(no.headers["location"]?.contains("error=access_denied") == true)
      let code = try #require(location.split(separator: "code=").last?.prefix { $0 != "&" })
      let elsewhere = try await server.post(
        "/oauth2/token",
        [
          "grant_type": "authorization_code", "code": String(code), "client_id": app.key,
          "code_verifier": Self.verifier, "redirect_uri": "http://127.0.0.1:5556/back",
        ])
      #expect(elsewhere.json["error"] == "invalid_grant")
    }
  }

  @Test("A code word works once, and in the browser alone that the page was shown in")
  func codeWords() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let page = try await server.signInPage(address(app.key))
      let name = try server.members.members()[0].name
      let word = try CodeWords(server.members).issue(to: name)
      let stranger = try await server.signInPage(address(app.key))
      try await server.expectOnlyOwnForm(at: "/oauth2/authorize", page, stranger: stranger, word: word)
      let replies = try await server.sentAtOnce(to: "/oauth2/authorize", page, word: word)
      #expect(replies.sorted() == [200, 403, 403, 403, 403])
      #expect(throws: StoreError.self) { try CodeWords(server.members).issue(to: "nobody") }
      let old = try CodeWords(server.members).issue(to: name)
      #expect(try CodeWords(server.members).redeem(old, at: ServerOptions.now() + 901) == nil)
    }
  }

  @Test(
    "What a sign-in page is not shown for",
    arguments: [
      "client_id=x&response_type=token", "response_type=code", "response_type=code&client_id=byteclub",
      "response_type=code&client_id=APP&code_challenge=CHALLENGE&code_challenge_method=plain",
      "response_type=code&client_id=APP&code_challenge=short&code_challenge_method=S256",
      "response_type=code&client_id=other&code_challenge=CHALLENGE&code_challenge_method=S256",
      "response_type=code&client_id=APP&code_challenge=CHALLENGE&code_challenge_method=S256&redirect_uri=https%3A%2F%2Fevil.example%2F",
      "response_type=code&client_id=APP&code_challenge=CHALLENGE&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1.evil.example%3A80%2F",
      "response_type=code&client_id=APP&code_challenge=CHALLENGE&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A80%40evil.example%2F",
      "response_type=code&client_id=APP&code_challenge=CHALLENGE&code_challenge_method=S256&redirect_uri=javascript%3Aalert(1)",
      "response_type=code&client_id=APP&code_challenge=CHALLENGE&code_challenge_method=S256&scope=root",
    ])
  func refused(query: String) async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let query = query.replacing("APP", with: app.key).replacing("CHALLENGE", with: Self.challenge)
      try await server.expectNoSignInPage("/oauth2/authorize?" + query)
    }
  }

  @Test(
    "What the token address refuses, in JSON with 400",
    arguments: [
      ("grant_type=refresh_token&refresh_token=x", "invalid_request"), ("client_id=KEY", "invalid_request"),
      ("grant_type=password&client_id=KEY", "unsupported_grant_type"),
      ("grant_type=refresh_token&refresh_token=x&client_id=KEY", "invalid_grant"),
      ("grant_type=refresh_token&refresh_token=x&client_id=other", "invalid_client"),
      ("grant_type=refresh_token&refresh_token=x&client_id=KEY&client_secret=wrong", "invalid_client"),
      ("grant_type=authorization_code&code=x&client_id=KEY", "invalid_grant"),
    ])
  func tokenErrors(form: String, error: String) async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      let reply = try await server.client.request(
        "POST", "/oauth2/token", [("Content-Type", "application/x-www-form-urlencoded")],
        Array(form.replacing("KEY", with: app.key).utf8))
      #expect(reply.status == 400)
      #expect(reply.headers["content-type"] == "application/json")
      #expect(reply.json["error"]?.string == error)
    }
  }

  @Test("A program shows its key and secret where that is enough, and nowhere else")
  func application() async throws {
    try await withServer { server in
      let app = try AppKeys(server.members).make()
      func check(_ route: String, _ credentials: String) async throws -> Int {
        try await server.client.request(
          "POST", "/2/" + route,
          [
            ("Authorization", "Basic " + Data(credentials.utf8).base64EncodedString()),
            ("Content-Type", "application/json"),
          ], Array("{\"query\": \"x\", \"path\": \"\"}".utf8)
        ).status
      }
      #expect(try await check("check/app", "\(app.key):\(app.secret)") == 200)
      #expect(try await check("check/app", "\(app.key):\(app.secret)x") == 401)
      #expect(try await check("check/app", "other:\(app.secret)") == 401)
      #expect(try await check("files/list_folder", "\(app.key):\(app.secret)") == 401)
    }
  }
}
