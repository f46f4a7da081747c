import Accounts
import Backends
import FileStores
import JSON
import TestKit
import Testing

@testable import byteclub

struct WhoamiTests {
  @Test func `name, address and service are one line, and fields for scripts`() async throws {
    let scene = try SignInScene([SignInScene.grant, SignInScene.profile, SignInScene.profile], typing: ["code"])
    _ = try await scene.login()
    let answer = try await WhoamiCommand.answer(scene.club())
    #expect(answer.records.first?.lines == [Array("Ray W <ray@example.com> on club.example:8443".utf8)])
    #expect(answer.records.first?.json["account"] == .string("dbid:1"))
    #expect(answer.records.first?.json["source"] == .string("login"))
    #expect(answer.status == .done)
  }

  @Test(arguments: [
    (TokenSource.command(["echo", "t0ken"]), "command"),
    (.variable(name: "BYTECLUB_TOKEN", token: "t0ken"), "variable"),
  ])
  func `where the token comes from is told, the token is not`(_ row: (source: TokenSource, word: String)) async throws {
    let scene = try SignInScene([SignInScene.profile])
    let answer = try await WhoamiCommand.answer(scene.club(row.source))
    #expect(answer.records.first?.json["source"] == .string(row.word))
    #expect(!answer.document.encoded.contains("t0ken"))
    #expect(scene.transport.recorded.first?.request.headers["Authorization"] == "Bearer t0ken")
  }

  @Test func `who is not signed in is told how, with an exit code of its own`() async throws {
    let scene = try SignInScene([])
    let thrown = await #expect(throws: StoreError.self) { try await WhoamiCommand.answer(scene.club()) }
    let error = try #require(thrown)
    var answer = Answer()
    answer.failures = [error]
    #expect(answer.status == .notSignedIn)
    #expect(answer.status.rawValue == 3)
    #expect(error.description.hasSuffix("Sign in with: byteclub login --club lab"))
  }
}
