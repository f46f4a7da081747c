import Backends
import FileStores
import POSIX
import TestKit
import Testing

@testable import Accounts

/// Who it is, and signing out.
struct AccountTests {
  private static let profile = ScriptedTransport.Answer.text(
    200,
    #"{"account_id":"dbid:1","name":{"given_name":"Ray","surname":"W","familiar_name":"Ray","display_name":"Ray W","abbreviated_name":"RW"},"email":"ray@example.com","new_field":{"x":[1]}}"#
  )
  private static let refused = ScriptedTransport.Answer.text(
    401, #"{"error_summary":"expired_access_token/..","error":{".tag":"expired_access_token"}}"#)

  @Test func `whose account it is is asked with the token, and the answer's new fields do not matter`() async throws {
    let scene = try Scene(Self.profile)
    try scene.signIn()
    let profile = try await scene.tokens().profile()
    #expect(profile.name == "Ray W")
    #expect(profile.email == "ray@example.com")
    #expect(profile.accountID == "dbid:1")
    let sent = try #require(scene.transport.recorded.first)
    #expect(sent.request.url == "https://club.example:8443/2/users/get_current_account")
    #expect(sent.request.headers["Authorization"] == "Bearer first-access")
    #expect(sent.request.headers["Content-Type"] == "application/json")
    #expect(sent.text == "null")
  }

  @Test func `a refused token is renewed once, and a second refusal is the end`() async throws {
    let scene = try Scene(Self.refused, Scene.renewal(), Self.profile)
    try scene.signIn()
    #expect(try await scene.tokens().profile().name == "Ray W")
    #expect(scene.transport.recorded.last?.request.headers["Authorization"] == "Bearer second-access")
    let other = try Scene(Self.refused, Scene.renewal(), Self.refused)
    try other.signIn()
    let error = await #expect(throws: StoreError.self) { try await other.tokens().profile() }
    #expect(error?.kind == .notSignedIn)
    #expect(other.transport.recorded.count == 3)
  }

  @Test(arguments: ["", "{}", "[]", #"{"account_id":1}"#, "nonsense"])
  func `an answer that cannot be read is an error that names the call`(_ body: String) async throws {
    let scene = try Scene(.text(200, body))
    try scene.signIn()
    let error = await #expect(throws: StoreError.self) { try await scene.tokens().profile() }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("get_current_account") == true)
  }

  @Test func `signing out gives the token back, and forgets it`() async throws {
    let scene = try Scene(.text(200, "null"))
    try scene.signIn()
    let tokens = scene.tokens()
    _ = try await tokens.token(refusing: nil)
    try await tokens.signOut(onlyHere: false)
    let sent = try #require(scene.transport.recorded.first)
    #expect(sent.request.url == "https://club.example:8443/2/auth/token/revoke")
    #expect(sent.request.headers["Authorization"] == "Bearer first-access")
    #expect(sent.text == "null")
    #expect(try scene.file.read() == nil)
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: nil) }
    #expect(error?.kind == .notSignedIn)
  }

  @Test func `a token that has ended is renewed first, so that its refresh token goes, too`() async throws {
    let scene = try Scene(Scene.renewal(), .text(200, "null"))
    try scene.signIn()
    scene.pass(20_000)
    try await scene.tokens().signOut(onlyHere: false)
    #expect(scene.transport.recorded.last?.request.headers["Authorization"] == "Bearer second-access")
    #expect(try scene.file.read() == nil)
  }

  @Test(arguments: [
    [ScriptedTransport.Answer.text(401, "{}"), Scene.renewal(), .text(200, "null")],
    [.text(401, "{}"), .text(400, #"{"error":"invalid_grant"}"#)],
    [.text(401, "{}"), Scene.renewal(), .text(401, "{}")],
  ])
  func `a sign-in that the service has ended by itself is forgotten`(_ script: [ScriptedTransport.Answer]) async throws
  {
    let scene = try Scene(ScriptedTransport(script))
    try scene.signIn()
    try await scene.tokens().signOut(onlyHere: false)
    #expect(try scene.file.read() == nil)
    #expect(scene.transport.unused == 0)
  }

  @Test(arguments: [
    (ScriptedTransport.Answer.failure(StoreError(.offline, "The server cannot be reached.")), StoreError.Kind.offline),
    (.text(500, "oops"), .server), (.text(429, "{}"), .rateLimited), (.text(404, ""), .unsupported),
  ])
  func `when the service cannot be reached, nothing is forgotten, and that is said`(
    _ row: (answer: ScriptedTransport.Answer, kind: StoreError.Kind)
  ) async throws {
    let scene = try Scene(row.answer)
    try scene.signIn()
    let error = await #expect(throws: StoreError.self) { try await scene.tokens().signOut(onlyHere: false) }
    #expect(error?.kind == row.kind)
    #expect(error?.message.hasSuffix("You are still signed in.") == true)
    #expect(try scene.file.read() != nil)
    try await scene.tokens().signOut(onlyHere: true)
    #expect(try scene.file.read() == nil)
    #expect(scene.transport.recorded.count == 1)
  }

  @Test func `an unsafe file is not sent anywhere, but can be forgotten`() async throws {
    let scene = try Scene()
    try scene.signIn()
    chmod(scene.file.path, 0o644)
    let error = await #expect(throws: StoreError.self) { try await scene.tokens().signOut(onlyHere: false) }
    #expect(error?.kind == .notPermitted)
    try await scene.tokens().signOut(onlyHere: true)
    #expect(try scene.file.read() == nil)
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test(arguments: [false, true])
  func `who is not signed in cannot sign out`(_ onlyHere: Bool) async throws {
    let scene = try Scene()
    let error = await #expect(throws: StoreError.self) { try await scene.tokens().signOut(onlyHere: onlyHere) }
    #expect(error?.kind == .notSignedIn)
  }

  @Test(arguments: [
    TokenSource.variable(name: "BYTECLUB_TOKEN", token: "given"), TokenSource.command(["/bin/echo", "given"]),
  ])
  func `a token that comes from elsewhere is not given back`(_ source: TokenSource) async throws {
    let scene = try Scene()
    try scene.signIn()
    let error = await #expect(throws: StoreError.self) {
      try await scene.tokens(source).signOut(onlyHere: false)
    }
    #expect(error?.kind == .badInput)
    #expect(try scene.file.read() != nil)
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test func `a new sign-in takes the place of one that has ended`() async throws {
    let scene = try Scene(.text(400, #"{"error":"invalid_grant"}"#))
    try scene.signIn()
    let tokens = scene.tokens()
    await #expect(throws: StoreError.self) { try await tokens.token(refusing: "first-access") }
    try await tokens.keep(
      Grant(accessToken: "again", refreshToken: "first-refresh", obtained: scene.now, expires: nil, accountID: nil))
    #expect(try await tokens.token(refusing: "first-access") == "again")
    #expect(try await scene.tokens().token(refusing: nil) == "again")
  }
}
