import Backends
import FileStores
import TestKit
import Testing

@testable import Accounts

struct AccountSignInTests {
  private static let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")

  private func signIn(redirect: String? = nil, service: AccountService = .dropbox) throws -> SignIn {
    let account = try Account(club: "garage", service: service, appKey: "k3y")
    return SignIn(account, redirect: redirect, state: "st4te", proof: Self.proof)
  }

  @Test func `without a redirect the page shows a code, and is told the challenge`() throws {
    #expect(
      try signIn().address
        == "https://www.dropbox.com/oauth2/authorize?response_type=code&client_id=k3y&token_access_type=offline"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
  }

  @Test func `with a redirect the page is told where to, and the state`() throws {
    let service = try AccountService(server: "https://club.example:8443")
    #expect(
      try signIn(redirect: "http://127.0.0.1:5000/signed-in", service: service).address
        == "https://club.example:8443/oauth2/authorize?response_type=code&client_id=k3y"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A5000%2Fsigned-in&state=st4te&token_access_type=offline"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
  }

  @Test func `a state is right as a whole alone`() {
    #expect(TokenText.matches("st4te", "st4te"))
    for other in ["", "s", "st4t", "st4tf", "st4te ", "St4te"] { #expect(!TokenText.matches(other, "st4te")) }
  }

  @Test func `each try has secrets of its own, and the address does not have the verifier`() throws {
    let account = try Account(club: "garage", service: .dropbox, appKey: "k3y")
    let addresses = (0..<100).map { _ in SignIn(account, redirect: "http://127.0.0.1:1/signed-in").address }
    #expect(Set(addresses).count == 100)
    let states = (0..<100).map { _ in SignIn(account, redirect: "http://127.0.0.1:1/signed-in").state }
    #expect(Set(states).count == 100 && states.allSatisfy { $0.utf8.count == 43 })
    #expect(try !signIn().address.contains(Self.proof.verifier))
  }

  @Test(arguments: [
    ("abc-123_XYZ", "abc-123_XYZ"), ("  abc\r\n", "abc"),
    ("http://127.0.0.1:5000/signed-in?code=abc%2B1&state=st4te#top", "abc+1"),
  ])
  func `a code is taken alone or in the address that has it`(_ row: (pasted: String, code: String)) throws {
    #expect(try signIn(redirect: "http://127.0.0.1:5000/signed-in").code(pasted: row.pasted) == row.code)
  }

  @Test(arguments: [
    "", "  ", "two words", "\u{1B}[2J", "http://127.0.0.1:5000/signed-in?state=st4te",
    "http://127.0.0.1:5000/signed-in?code=abc&state=other", "http://127.0.0.1:5000/signed-in?code=abc",
    String(repeating: "a", count: 5000),
  ])
  func `what is no code, or another sign-in's, is refused`(_ pasted: String) throws {
    let signIn = try signIn(redirect: "http://127.0.0.1:5000/signed-in")
    let error = #expect(throws: StoreError.self) { try signIn.code(pasted: pasted) }
    #expect(error?.kind == .badInput)
  }

  @Test func `the code is exchanged with the verifier, at the token address alone`() async throws {
    let transport = ScriptedTransport([
      .text(
        200,
        #"{"access_token":"sl.abc","token_type":"bearer","expires_in":14400,"refresh_token":"r1","scope":"x","uid":"1","account_id":"dbid:1"}"#
      )
    ])
    let signIn = try signIn(redirect: "http://127.0.0.1:5000/signed-in")
    let grant = try await signIn.finish(code: "c/1", transport: transport) { 1000 }
    #expect(
      grant
        == Grant(accessToken: "sl.abc", refreshToken: "r1", obtained: 1000, expires: 15_400, accountID: "dbid:1"))
    let sent = try #require(transport.recorded.first)
    #expect(transport.recorded.count == 1)
    #expect(sent.request.url == "https://api.dropboxapi.com/oauth2/token")
    #expect(sent.request.method == .post)
    #expect(sent.request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(sent.request.headers["Authorization"] == nil)
    #expect(
      sent.text
        == "grant_type=authorization_code&code=c%2F1&client_id=k3y"
        + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A5000%2Fsigned-in")
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_grant","error_description":"code has expired"}"#, StoreError.Kind.notSignedIn),
    (400, #"{"error":"invalid_client","error_description":"no such app"}"#, .notPermitted),
    (401, #"{"error":"unauthorized_client"}"#, .notPermitted),
    (400, #"{"error":"invalid_request","error_description":"pkce required"}"#, .server),
    (400, "Error in call", .server), (302, "", .server), (404, "<html>", .unsupported), (403, "no", .notPermitted),
    (429, "{}", .rateLimited), (500, "oops", .server), (502, "", .offline),
    (503, "", .offline), (504, "", .offline),
    (200, "", .server), (200, "{", .server), (200, "[]", .server), (200, #"{"access_token":""}"#, .server),
    (200, #"{"access_token":"a\r\nX: y","token_type":"bearer"}"#, .server),
    (200, #"{"access_token":"a","token_type":"mac"}"#, .server),
    (200, #"{"access_token":"a","refresh_token":"b c"}"#, .server),
  ])
  func `each refusal is an error of its own, in a sentence without secrets`(
    _ row: (status: Int, body: String, kind: StoreError.Kind)
  ) async throws {
    let transport = ScriptedTransport([.text(row.status, row.body)])
    let signIn = try signIn()
    let error = await #expect(throws: StoreError.self) {
      try await signIn.finish(code: "the-code", transport: transport) { 1000 }
    }
    #expect(error?.kind == row.kind)
    #expect(error?.message.hasSuffix(".") == true || error?.message.contains("It said:") == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test(arguments: [
    #"{"error":"invalid_grant","error_description":"the-code / dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk is bad"}"#,
    #"{"error":"other","error_description":"the-code / dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk is bad"}"#,
    "the-code / dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk is bad",
  ])
  func `a service that repeats what it was sent is not repeated`(_ body: String) async throws {
    let transport = ScriptedTransport([.text(400, body)])
    let signIn = try signIn()
    let error = await #expect(throws: StoreError.self) {
      try await signIn.finish(code: "the-code", transport: transport) { 1000 }
    }
    let told = String(describing: error)
    #expect(told.contains("[secret] / [secret] is bad"))
    #expect(!told.contains("the-code"))
    #expect(!told.contains(Self.proof.verifier))
  }

  @Test(arguments: [#""expires_in":1e300,"#, #""expires_in":-5,"#, #""expires_in":null,"#, ""])
  func `a life that makes no sense is none`(_ life: String) async throws {
    let transport = ScriptedTransport([.text(200, #"{\#(life)"access_token":"abc"}"#)])
    let grant = try await signIn().finish(code: "c", transport: transport) { 1000 }
    #expect(grant.expires == nil)
    #expect(grant.refreshToken == nil)
  }
}
