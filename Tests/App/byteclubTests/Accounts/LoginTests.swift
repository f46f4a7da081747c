import Accounts
import Backends
import Basics
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import byteclub

struct LoginTests {
  /// The fields of an address, or of a form.
  private func fields(_ text: String) -> [String: String] {
    let items = URLComponents(string: text.contains("?") ? text : "x:?" + text)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  @Test func `the page's address is shown, and the code that is pasted signs in`() async throws {
    let scene = try SignInScene([SignInScene.grant, SignInScene.profile], typing: ["  the-code "])
    let answer = try await scene.login()
    let address = try #require(scene.said.split(separator: "\n").first { $0.contains("://") })
      .trimmingCharacters(in: .whitespaces)
    let asked = fields(address)
    #expect(address.hasPrefix("https://club.example:8443/oauth2/authorize?"))
    #expect(asked["client_id"] == "byteclub")
    #expect(asked["token_access_type"] == "offline")
    #expect(asked["code_challenge_method"] == "S256")
    #expect(asked["redirect_uri"] == nil)
    let sent = fields(scene.sent)
    #expect(sent["code"] == "the-code")
    #expect(sent["code_verifier"]?.isEmpty == false)
    #expect(sent["redirect_uri"] == nil)
    #expect(answer.status == .done)
    #expect(answer.notices == ["Signed in to club.example:8443 as Ray W (ray@example.com)."])
    #expect(
      answer.document.encoded
        == #"{"ok":true,"results":[{"club":"lab","service":"club.example:8443","source":"login","name":"Ray W","#
        + #""email":"ray@example.com","account":"dbid:1"}]}"#)
    #expect(try scene.kept.read() != nil)
    #expect(scene.addresses.isEmpty)
  }

  @Test func `a browser of this machine brings the code by itself`() async throws {
    let scene = try SignInScene([SignInScene.grant, SignInScene.profile])
    let answer = try await scene.login(inBrowser: true) { address in
      // What a browser does once the member has said yes.
      let items = URLComponents(string: address)?.queryItems ?? []
      let redirect = items.first { $0.name == "redirect_uri" }?.value ?? ""
      let state = items.first { $0.name == "state" }?.value ?? ""
      _ = try? Spawn("/usr/bin/curl", ["-s", "\(redirect)?code=by-browser&state=\(state)"], environment: [:])
    }
    let address = try #require(scene.addresses.first)
    let sent = fields(scene.sent)
    #expect(sent["code"] == "by-browser")
    #expect(sent["redirect_uri"] == fields(address)["redirect_uri"])
    #expect(sent["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
    #expect(scene.said.contains(address))
    #expect(answer.status == .done)
  }

  @Test func `where no browser opens, the code is asked for`() async throws {
    let scene = try SignInScene([SignInScene.grant, SignInScene.profile], typing: ["the-code"])
    let answer = try await scene.login(inBrowser: true)
    #expect(scene.addresses.count == 1)
    #expect(fields(scene.sent)["redirect_uri"] == nil)
    #expect(answer.status == .done)
  }

  @Test(
    arguments: [
      ([], [], StoreError.Kind.badInput), (["no code"], [], .badInput),
      (["code"], [.text(400, #"{"error":"invalid_grant"}"#)], .notSignedIn),
      (["code"], [.failure(StoreError(.offline, "No network."))], .offline),
    ] as [([String], [ScriptedTransport.Answer], StoreError.Kind)])
  func `a sign-in that does not come about keeps nothing`(
    _ row: (typed: [String], script: [ScriptedTransport.Answer], kind: StoreError.Kind)
  ) async throws {
    let scene = try SignInScene(row.script, typing: row.typed)
    let error = await #expect(throws: StoreError.self) { try await scene.login() }
    #expect(error?.kind == row.kind)
    #expect(error?.remedy.isEmpty == false || row.kind == .offline)
    #expect(try scene.kept.read() == nil)
  }

  @Test func `a service that asks for a pause is waited for, and the code is sent once more`() async throws {
    let busy = ScriptedTransport.Answer.text(429, "{}", headers: ["Retry-After": "20"])
    let scene = try SignInScene([busy, SignInScene.grant, busy, SignInScene.profile], typing: ["the-code"])
    #expect(try await scene.login().status == .done)
    let waits = scene.said.split(separator: "\n").filter { $0.contains("Waiting 20 s") }
    #expect(waits.count == 2 && waits[0].contains(" asks for fewer requests and did not "), "\(waits)")
    #expect(scene.transport.recorded.prefix(2).allSatisfy { fields($0.text)["code"] == "the-code" })
  }

  @Test func `a sign-in is kept when the service does not tell whose it is, and that is said`() async throws {
    let scene = try SignInScene([SignInScene.grant, .text(500, "oops")], typing: ["code"])
    let answer = try await scene.login()
    #expect(answer.status == .done)
    #expect(answer.notices.first?.contains("name is unknown: club.example:8443 failed") == true)
    #expect(try scene.kept.read() != nil)
  }

  @Test(arguments: [
    (TokenSource.variable(name: "BYTECLUB_TOKEN", token: "s3cret"), "the variable BYTECLUB_TOKEN"),
    (.command(["pass", "s3cret"]), #"its "tokenCommand""#),
  ])
  func `where the token comes from elsewhere a sign-in would be of no use, and is not begun`(
    _ row: (source: TokenSource, place: String)
  ) async throws {
    let scene = try SignInScene([], typing: ["code"])
    let error = await #expect(throws: StoreError.self) { try await scene.login(row.source) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(row.place) == true)
    #expect(error?.description.contains("s3cret") == false)
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test func `nothing secret is shown or logged`() async throws {
    let scene = try SignInScene([SignInScene.grant, SignInScene.profile], typing: ["the-code"])
    let answer = try await scene.login()
    answer.write(to: scene.output, asJSON: true)
    answer.write(to: scene.output, asJSON: false)
    let results = try String(contentsOf: scene.folder.appending(path: "results"), encoding: .utf8)
    let verifier = try #require(fields(scene.sent)["code_verifier"])
    for secret in ["the-access", "the-refresh", "the-code", verifier] {
      #expect(!(scene.said + results + "\(answer)").contains(secret))
    }
  }

  @Test func `at a server of the old API the member says when it is done`() async throws {
    let old = try Account(
      club: "museum", service: AccountService(server: "http://127.0.0.1:8080", version: .v1), appKey: "k3y",
      appSecret: "s3cret")
    let script: [ScriptedTransport.Answer] = [
      .text(200, "oauth_token=rt&oauth_token_secret=rs"), .text(200, "oauth_token=at&oauth_token_secret=as"),
      .text(200, #"{"uid":7,"display_name":"Ray W"}"#),
    ]
    let scene = try SignInScene(script, typing: [""], account: old)
    let answer = try await scene.login()
    #expect(scene.said.contains("http://127.0.0.1:8080/1/oauth/authorize?oauth_token=rt"))
    #expect(scene.said.contains("press Enter"))
    #expect(answer.notices == ["Signed in to 127.0.0.1:8080 as Ray W."])
    #expect(try scene.kept.read() != nil)
    let other = try SignInScene(script, account: old)
    let error = await #expect(throws: StoreError.self) { try await other.login() }
    #expect(error?.kind == .badInput)
    #expect(try other.kept.read() == nil)
  }
}
