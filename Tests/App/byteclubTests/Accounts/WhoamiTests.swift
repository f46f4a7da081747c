import Accounts
import Backends
import Basics
import FileStores
import JSON
import TestKit
import Testing

@testable import byteclub

struct WhoamiTests {
  @Test func `name, address and service are one line, and fields for scripts`() async throws {
    let scene = try SignInScene([SignInScene.grant, SignInScene.profile, SignInScene.profile], typing: ["code"])
    _ = try await scene.login()
    let answer = try await WhoamiCommand.answer(scene.club(), scene.output)
    #expect(answer.records.first?.lines == [Array("Ray W <ray@example.com> on club.example:8443".utf8)])
    #expect(answer.records.first?.json["account"] == .string("dbid:1"))
    #expect(answer.records.first?.json["source"] == .string("login"))
    #expect(answer.status == .done)
  }

  @Test(arguments: [
    (TokenSource.command(["echo", "t0ken"]), "command"),
    (.variable(name: "BYTECLUB_TOKEN", token: "t0ken"), "variable"),
  ])
  func `the token's source is shown, the token is not`(_ row: (source: TokenSource, word: String)) async throws {
    let scene = try SignInScene([SignInScene.profile])
    let answer = try await WhoamiCommand.answer(scene.club(row.source), scene.output)
    #expect(answer.records.first?.json["source"] == .string(row.word))
    #expect(!answer.document.encoded.contains("t0ken"))
    #expect(scene.transport.recorded.first?.request.headers["Authorization"] == "Bearer t0ken")
  }

  @Test func `who is not signed in is told how, with an exit code of its own`() async throws {
    let scene = try SignInScene([])
    let thrown = await #expect(throws: StoreError.self) { try await WhoamiCommand.answer(scene.club(), scene.output) }
    let error = try #require(thrown)
    var answer = Answer()
    answer.failures = [error]
    #expect(answer.status == .notSignedIn)
    #expect(answer.status.rawValue == 3)
    #expect(error.description.hasSuffix("Sign in with: byteclub login --club lab"))
  }

  @Test(arguments: [429, 503])
  func `a wait that the service asks for is reported, and the call comes again`(status: Int) async throws {
    let busy = ScriptedTransport.Answer.text(status, "{}", headers: ["Retry-After": "30"])
    let scene = try SignInScene([busy, SignInScene.profile])
    let clock = ManualClock(advancesOnSleep: true)
    let source = TokenSource.variable(name: "BYTECLUB_TOKEN", token: "t0ken")
    let answer = try await WhoamiCommand.answer(scene.club(source), scene.output, clock: clock)
    #expect(answer.status == .done)
    #expect(scene.said.hasPrefix("byteclub: Waiting 30 s: ") && scene.said.contains(" asks for fewer requests "))
    #expect(clock.now.offset >= .seconds(30))
  }

  @Test func `a wait of more than five minutes is an error that says when to come back`() async throws {
    let busy = ScriptedTransport.Answer.text(429, "{}", headers: ["Retry-After": "301"])
    let scene = try SignInScene([busy])
    let source = TokenSource.variable(name: "BYTECLUB_TOKEN", token: "t0ken")
    let error = await #expect(throws: StoreError.self) {
      try await WhoamiCommand.answer(scene.club(source), scene.output, clock: ManualClock(advancesOnSleep: true))
    }
    #expect(error?.kind == .rateLimited && error?.remedy.hasPrefix("Come back ") == true)
    #expect(scene.said.isEmpty)
  }

  @Test(arguments: [502, 503])
  func `a service that is away ends the command with 6, and is not asked again`(status: Int) async throws {
    let scene = try SignInScene([.text(status, "")])
    let source = TokenSource.variable(name: "BYTECLUB_TOKEN", token: "t0ken")
    let error = await #expect(throws: StoreError.self) {
      try await WhoamiCommand.answer(scene.club(source), scene.output, clock: ManualClock(advancesOnSleep: true))
    }
    var answer = Answer()
    answer.failures = [try #require(error)]
    #expect(answer.status.rawValue == 6 && scene.transport.recorded.count == 1)
  }
}
