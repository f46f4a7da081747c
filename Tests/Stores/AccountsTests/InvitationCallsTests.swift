import Backends
import Basics
import FileStores
import JSON
import TestKit
import Testing

@testable import Accounts

private let code = "AbCdEfGhIjKlMnOpQrSt-_"

struct InvitationCallsTests {
  /// With a field that a later server may add.
  private static let answer =
    #"{"access_token":"tok.en","account_id":"dbid:ann","member":"ann","club":"Garage","read_only":true,"later":[{}]}"#

  private func redeem(_ transport: ScriptedTransport) async throws(StoreError) -> Joined {
    let line = try InvitationLine("https://club.example:8443/join#\(code)")
    return try await InvitationCalls(line, transport: transport, now: { 7 }).redeem(
      device: "device-value", name: "laptop")
  }

  @Test func `a code becomes a member, by one request without a token that may be sent again`() async throws {
    let transport = ScriptedTransport([.text(200, Self.answer)])
    let joined = try await redeem(transport)
    #expect(
      joined.grant
        == Grant(
          accessToken: "tok.en", refreshToken: nil, obtained: 7, expires: nil, accountID: "dbid:ann"))
    #expect(joined.member == "ann" && joined.club == "Garage" && joined.isReader)
    let sent = try #require(transport.recorded.first)
    #expect(sent.request.url == "https://club.example:8443/2/byteclub/join")
    #expect(sent.request.headers["Authorization"] == nil && sent.request.isRepeatable)
    #expect(
      try JSONReader.read(sent.body)
        == .members(["code": .string(code), "device": "device-value", "name": "laptop"]))
  }

  @Test(arguments: [
    (403, #"{"error_summary":"invalid_code/..","error":{".tag":"invalid_code"}}"#, StoreError.Kind.notPermitted),
    (404, "Not found", .unsupported), (405, "", .unsupported), (429, "", .rateLimited), (503, "", .offline),
    (403, "<html>", .server), (500, "", .server), (302, "", .server), (511, "<html>", .server),
    (200, "<html><title>Welcome to the hotel</title>", .server), (200, "", .server), (200, "null", .server),
    (200, #"{"access_token":"a b","account_id":"1","member":"ann","club":"c"}"#, .server),
    (200, #"{"access_token":"a","account_id":"","member":"ann","club":"c"}"#, .server),
    (200, #"{"access_token":"a","account_id":"1","member":"ann"}"#, .server),
  ])
  func `any other answer is one sentence without a secret`(
    _ row: (status: Int, body: String, kind: StoreError.Kind)
  ) async {
    let error = await #expect(throws: StoreError.self) {
      try await redeem(ScriptedTransport([.text(row.status, row.body)]))
    }
    #expect(error?.kind == row.kind, "\(String(describing: error))")
    let said = error?.description ?? ""
    #expect(said.contains("https://club.example:8443") && !said.contains("device-value"))
    #expect(!said.contains(code) && !said.contains("hotel</title>"))
  }

  @Test func `the transport's own error is passed on`() async {
    let away = StoreError(.offline, "The server does not answer.")
    await #expect(throws: away) { try await redeem(ScriptedTransport([.failure(away)])) }
  }
}

struct DeviceCallsTests {
  private func calls(_ transport: ScriptedTransport, _ folder: TemporaryFolder) throws -> DeviceCalls {
    let account = try Account(club: "lab", service: AccountService(server: "https://club.example"), appKey: nil)
    try TokenFile(directory: folder.path, account: account).write(
      Grant(accessToken: "mine", refreshToken: nil, obtained: 0, expires: nil, accountID: "dbid:1"))
    let tokens = AccountTokens(
      account, source: .file, directory: folder.path, transport: transport, pool: BlockingPool(), now: { 7 })
    return DeviceCalls(tokens, transport: transport, now: { 7 })
  }

  @Test func `codes, the list and removal are calls with the member's token`() async throws {
    let folder = try TemporaryFolder()
    let list =
      #"{"devices":[{"id":"d1","name":"laptop","made":"2026-11-27T00:00:00Z","last_used":null,"is_this":true}],"x":1}"#
    let transport = ScriptedTransport([
      .text(200, #"{"code":"abc","expires":600}"#), .text(200, list), .text(200, "null"),
    ])
    let calls = try calls(transport, folder)
    let (code, expires) = try await calls.code()
    #expect(code == "abc" && expires == .integer(600))
    let devices = try await calls.devices()
    #expect(
      devices == [
        Device(id: "d1", name: "laptop", made: .string("2026-11-27T00:00:00Z"), lastUsed: nil, isThis: true)
      ])
    try await calls.remove("d1")
    #expect(
      transport.recorded.map(\.target) == [
        "/2/byteclub/device_code", "/2/byteclub/devices", "/2/byteclub/device_remove",
      ])
    #expect(transport.recorded.allSatisfy { $0.request.headers["Authorization"] == "Bearer mine" })
    #expect(transport.recorded.last?.text == #"{"id":"d1"}"#)
  }

  @Test(arguments: [
    (404, "mine", StoreError.Kind.unsupported), (400, "mine", .unsupported), (409, "not_found/mine", .notFound),
    (409, "not_allowed/mine", .notPermitted), (403, "mine", .notPermitted), (401, "mine", .notSignedIn),
    (500, "mine", .server), (502, "mine", .offline),
  ])
  func `a refusal has a kind and no secret`(_ row: (status: Int, reason: String, kind: StoreError.Kind)) async throws {
    let folder = try TemporaryFolder()
    let refusal = ScriptedTransport.Answer.text(row.status, #"{"error_summary":"\#(row.reason)"}"#)
    let calls = try calls(ScriptedTransport([refusal, refusal]), folder)
    let error = await #expect(throws: StoreError.self) { try await calls.remove("d9") }
    #expect(error?.kind == row.kind && error?.description.contains("mine") == false, "\(String(describing: error))")
  }
}
