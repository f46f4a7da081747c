import Backends
import Basics
import FileStores
import TestKit
import Testing

@testable import Accounts

/// A token belongs to the server and the app that it was given by, whatever the config says later.
struct OriginTests {
  /// A server, and what the member makes of it in the config.
  private static let edits: [(before: String, after: String)] = [
    ("https://club.example", "https://evil.example"), ("https://club.example", "https://club.example.evil.example"),
    ("https://club.example", "https://club.example:8443"), ("https://club.example:8443", "https://club.example"),
    ("https://localhost", "http://localhost"), ("http://127.0.0.1:8080", "http://127.0.0.1:8081"),
    ("http://127.0.0.1:8080", "http://localhost:8080"), ("https://club.example", "https://sub.club.example"),
    ("https://sub.club.example", "https://club.example"), ("https://club.example", "https://dropbox.example"),
  ]

  private func tokens(
    _ scene: Scene, _ service: AccountService, appKey: String? = nil
  ) throws -> AccountTokens {
    AccountTokens(
      try Account(club: "lab", service: service, appKey: appKey), source: .file, directory: scene.directory,
      transport: scene.transport, pool: BlockingPool(), now: { scene.now })
  }

  @Test(arguments: edits)
  func `after an edit of the server nothing that was kept is sent to the new one`(
    _ edit: (before: String, after: String)
  ) async throws {
    let scene = try Scene(ScriptedTransport([]), server: edit.before)
    try scene.signIn()
    let tokens = try tokens(scene, AccountService(server: edit.after))
    for call in 0..<4 {
      let error = await #expect(throws: StoreError.self) {
        switch call {
        case 0: _ = try await tokens.token(refusing: nil)
        case 1: _ = try await tokens.token(refusing: "first-access")
        case 2: _ = try await tokens.profile()
        default: try await tokens.signOut(onlyHere: false)
        }
      }
      #expect(error?.kind == .notSignedIn)
    }
    #expect(scene.transport.recorded.isEmpty)
    #expect(try scene.file.read() != nil)
  }

  @Test func `nor to Dropbox, nor under another app key`() async throws {
    let scene = try Scene()
    try scene.signIn()
    for tokens in [
      try tokens(scene, .dropbox, appKey: "byteclub"), try tokens(scene, scene.account.service, appKey: "other"),
    ] {
      await #expect(throws: StoreError.self) { try await tokens.token(refusing: nil) }
      await #expect(throws: StoreError.self) { try await tokens.profile() }
    }
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test(arguments: ["https://club.example:8443", "http://127.0.0.1:9000"])
  func `every call with a secret in it goes to the origin, and no address has one`(_ server: String) async throws {
    let transport = ScriptedTransport { sent in
      if sent.request.url.hasSuffix("/oauth2/token") { return Scene.renewal(refresh: "second-refresh") }
      if sent.request.url.hasSuffix("/get_current_account") {
        return sent.request.headers["Authorization"] == "Bearer first-access"
          ? .text(401, "{}") : .text(200, #"{"account_id":"1","name":{"display_name":"Ray"}}"#)
      }
      return .text(200, "null")
    }
    let scene = try Scene(transport, server: server)
    let signIn = SignIn(scene.account, redirect: "http://127.0.0.1:1/signed-in")
    let grant = try await signIn.finish(code: "the-code", transport: transport) { scene.now }
    try await scene.tokens().keep(grant)
    try scene.signIn()
    let tokens = scene.tokens()
    _ = try await tokens.profile()
    try await tokens.signOut(onlyHere: false)
    #expect(transport.recorded.count == 5)
    for sent in transport.recorded {
      #expect(HTTPOrigin(sent.request.url)?.description == server)
      for secret in Scene.secrets + ["the-code"] { #expect(!sent.request.url.contains(secret)) }
    }
  }

  @Test func `a redirect is not followed, and is an error`() async throws {
    let scene = try Scene(
      .text(302, "", headers: ["Location": "https://evil.example/oauth2/token"]),
      .text(307, "", headers: ["Location": "https://evil.example/2/users/get_current_account"]))
    try scene.signIn()
    await #expect(throws: StoreError.self) { try await scene.tokens().token(refusing: "first-access") }
    await #expect(throws: StoreError.self) { try await scene.tokens().profile() }
    #expect(scene.transport.recorded.allSatisfy { $0.request.url.hasPrefix("https://club.example:8443/") })
    #expect(scene.transport.recorded.count == 2)
  }

  @Test(arguments: [400, 401, 403, 404, 429, 500, 503])
  func `an answer that repeats the secrets puts none of them into the error`(_ status: Int) async throws {
    let echo = Scene.secrets.joined(separator: " ")
    for body in [echo, #"{"error":"invalid_grant","error_description":"\#(echo)"}"#, #"{"error":"\#(echo)"}"#] {
      let scene = try Scene(.text(status, body))
      try scene.signIn()
      let error = await #expect(throws: StoreError.self) {
        try await scene.tokens().token(refusing: "first-access")
      }
      for secret in ["first-access", "first-refresh"] {
        #expect(error?.description.contains(secret) == false)
      }
    }
  }
}
