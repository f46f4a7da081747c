import Backends
import Basics
import FileStores
import TestKit
import Testing

@testable import Accounts

/// Signing in to servers of the old API.
struct OAuth1Tests {
  private static let requested = ScriptedTransport.Answer.text(200, "oauth_token_secret=rs&oauth_token=rt")
  private static let allowed = ScriptedTransport.Answer.text(200, "oauth_token_secret=as&oauth_token=at&uid=7")
  private static let info = ScriptedTransport.Answer.text(
    200, #"{"uid":7,"display_name":"Ray W","email":"ray@example.com","quota_info":{"quota":1}}"#)

  private func account(
    _ signature: OAuth1Method = .plaintext, secret: String? = "app-s3cret"
  ) throws -> Account {
    try Account(
      club: "museum", service: AccountService(server: "http://127.0.0.1:8080", version: .v1), appKey: "k3y",
      appSecret: secret, signature: signature)
  }

  private func tokens(
    _ account: Account, _ folder: TemporaryFolder, _ transport: ScriptedTransport, _ source: TokenSource = .file
  ) -> AccountTokens {
    AccountTokens(
      account, source: source, directory: folder.path + "/tokens", transport: transport, pool: BlockingPool(),
      now: { 1000 })
  }

  @Test func `a token is asked for, allowed by the member, and exchanged`() async throws {
    let transport = ScriptedTransport([Self.requested, Self.allowed])
    let signIn = try await OAuth1SignIn(try account(), transport: transport) { 1000 }
    #expect(signIn.address == "http://127.0.0.1:8080/1/oauth/authorize?oauth_token=rt")
    let grant = try await signIn.finish(transport: transport) { 1000 }
    #expect(
      grant == Grant(accessToken: "at as", refreshToken: nil, obtained: 1000, expires: nil, accountID: "7"))
    let sent = transport.recorded
    #expect(sent.map(\.request.url) == ["request_token", "access_token"].map { "http://127.0.0.1:8080/1/oauth/" + $0 })
    #expect(
      sent.first?.request.headers["Authorization"]
        == #"OAuth oauth_version="1.0", oauth_signature_method="PLAINTEXT", oauth_consumer_key="k3y", "#
        + #"oauth_signature="app-s3cret%26""#)
    #expect(
      sent.last?.request.headers["Authorization"]
        == #"OAuth oauth_version="1.0", oauth_signature_method="PLAINTEXT", oauth_consumer_key="k3y", "#
        + #"oauth_token="rt", oauth_signature="app-s3cret%26rs""#)
  }

  @Test func `signed by a checksum, no secret is sent, and each call has a word of its own`() async throws {
    let requested = ScriptedTransport.Answer.text(200, "oauth_token_secret=request-s3cret&oauth_token=rt")
    let transport = ScriptedTransport([requested, Self.allowed])
    let signIn = try await OAuth1SignIn(try account(.hmacSHA1), transport: transport) { 1000 }
    _ = try await signIn.finish(transport: transport) { 1000 }
    let sent = transport.recorded.compactMap { $0.request.headers["Authorization"] }
    #expect(sent.allSatisfy { !$0.contains("s3cret") && $0.contains(#"oauth_timestamp="1000""#) })
    let words = sent.compactMap { $0.split(separator: "oauth_nonce=").last?.prefix(18) }
    #expect(Set(words).count == 2)
  }

  @Test(arguments: [
    (401, "", StoreError.Kind.notPermitted), (403, "{}", .notPermitted), (404, "", .unsupported), (500, "", .server),
    (200, "", .server), (200, "oauth_token=a", .server), (200, "oauth_token=a&oauth_token_secret=b%20c", .server),
    (200, "<html>", .server),
  ])
  func `a service that gives no token says why in its own error`(
    _ row: (status: Int, body: String, kind: StoreError.Kind)
  ) async throws {
    let transport = ScriptedTransport([.text(row.status, row.body)])
    let account = try account()
    let error = await #expect(throws: StoreError.self) {
      _ = try await OAuth1SignIn(account, transport: transport) { 1000 }
    }
    #expect(error?.kind == row.kind)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func `a member who has not allowed it is told so`() async throws {
    let transport = ScriptedTransport([Self.requested, .text(401, #"{"error":"rs rt"}"#)])
    let signIn = try await OAuth1SignIn(try account(), transport: transport) { 1000 }
    let error = await #expect(throws: StoreError.self) { try await signIn.finish(transport: transport) { 1000 } }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.description.contains("rs") == false)
  }

  @Test func `what was given is kept, signs who-am-I, and is given back`() async throws {
    let folder = try TemporaryFolder()
    let transport = ScriptedTransport([Self.requested, Self.allowed, Self.info, .text(200, "{}")])
    let account = try account()
    let signIn = try await OAuth1SignIn(account, transport: transport) { 1000 }
    try await tokens(account, folder, transport).keep(try await signIn.finish(transport: transport) { 1000 })
    let tokens = tokens(account, folder, transport)
    #expect(try await tokens.token(refusing: nil) == "at as")
    let profile = try await tokens.profile()
    #expect([profile.accountID, profile.name, profile.email] == ["7", "Ray W", "ray@example.com"])
    try await tokens.signOut(onlyHere: false)
    let sent = transport.recorded.dropFirst(2)
    #expect(sent.map(\.request.method.word) == ["GET", "POST"])
    #expect(
      sent.map(\.request.url) == ["account/info", "disable_access_token"].map { "http://127.0.0.1:8080/1/" + $0 })
    #expect(
      sent.allSatisfy {
        $0.request.headers["Authorization"]?.hasSuffix(#"oauth_token="at", oauth_signature="app-s3cret%26as""#) == true
      })
    await #expect(throws: StoreError.self) { try await tokens.token(refusing: nil) }
  }

  @Test func `a token that is refused cannot be renewed: one signs in again`() async throws {
    let folder = try TemporaryFolder()
    let account = try account()
    let tokens = tokens(account, folder, ScriptedTransport([]))
    try await tokens.keep(
      Grant(accessToken: "at as", refreshToken: nil, obtained: 0, expires: nil, accountID: nil))
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "at as") }
    #expect(error?.kind == .notSignedIn)
  }

  @Test func `tokens of one kind are not taken for the other, though server and key are the same`() async throws {
    let folder = try TemporaryFolder()
    let transport = ScriptedTransport([])
    try await tokens(try account(), folder, transport).keep(
      Grant(accessToken: "at as", refreshToken: nil, obtained: 0, expires: nil, accountID: nil))
    let bearer = tokens(try account(secret: nil), folder, transport)
    await #expect(throws: StoreError.self) { try await bearer.token(refusing: nil) }
    try await bearer.keep(
      Grant(accessToken: "bearer", refreshToken: nil, obtained: 0, expires: nil, accountID: nil))
    #expect(try await tokens(try account(), folder, transport).token(refusing: nil) == "at as")
    #expect(try await tokens(try account(secret: nil), folder, transport).token(refusing: nil) == "bearer")
    let one = tokens(try account(), folder, transport, .variable(name: "BYTECLUB_TOKEN", token: "single"))
    let two = tokens(try account(secret: nil), folder, transport, .variable(name: "BYTECLUB_TOKEN", token: "at as"))
    await #expect(throws: StoreError.self) { try await one.token(refusing: nil) }
    await #expect(throws: StoreError.self) { try await two.token(refusing: nil) }
  }

  @Test func `a v1 server with OAuth 2 has its own addresses`() async throws {
    let folder = try TemporaryFolder()
    let transport = ScriptedTransport([Scene.renewal(), Self.info])
    let account = try account(secret: nil)
    let signIn = SignIn(account)
    #expect(signIn.address.hasPrefix("http://127.0.0.1:8080/1/oauth2/authorize?"))
    let grant = try await signIn.finish(code: "c", transport: transport) { 1000 }
    let tokens = tokens(account, folder, transport)
    try await tokens.keep(grant)
    #expect(try await tokens.profile().name == "Ray W")
    #expect(transport.recorded.first?.request.url == "http://127.0.0.1:8080/1/oauth2/token")
    #expect(transport.recorded.last?.request.headers["Authorization"] == "Bearer second-access")
  }

  @Test func `an account that is printed does not tell the app's secret`() throws {
    let account = try account()
    var text = "\(account) \(String(reflecting: account))"
    dump(account, to: &text)
    #expect(!text.contains("s3cret"))
  }
}
