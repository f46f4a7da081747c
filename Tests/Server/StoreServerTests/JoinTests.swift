import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Invitations, and codes for a member's next device.
@Suite(.serialized) struct JoinTests {
  private func failure(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func withTwoClubs(_ body: (TestServer) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in try await withServer(in: folder, others: ["garage"], body) }
  }

  private func invite(_ server: TestServer, _ name: String = "ben", seconds: Int64 = 3600) throws -> String {
    try JoinCodes(server.members).invite(name, seconds: seconds).code
  }

  @Test("An invitation makes a member, lets one device in, and can be used once")
  func invitation() async throws {
    try await withServer { server in
      let code = try invite(server, "ben")
      #expect(code.utf8.count == 22)
      #expect(try server.members.members().count == 1, "who is invited is no member yet")
      let joined = try await server.join(code, name: "a laptop\u{1B}[2J")
      #expect(joined.status == 200 && joined.headers["cache-control"] == "no-store")
      let token = try #require(joined.json["access_token"]?.string)
      let account = try await server.call("users/get_current_account", .null, token: token).json
      #expect(account["account_id"] == joined.json["account_id"] && account.at("name", "display_name") == "ben")
      #expect(joined.json["member"] == "ben" && joined.json["club"] == "club" && joined.json["read_only"] == false)
      #expect(try server.members.members().map(\.name).contains("ben"))
      #expect(try JoinCodes(server.members).invitations().isEmpty)
      let devices = try await server.call("byteclub/devices", .null, token: token).json["devices"].elements
      #expect(devices.count == 1 && devices[0]["name"] == "a laptop[2J" && devices[0]["is_this"] == true)
      #expect(try await server.join(code).status == 403)
    }
  }

  @Test("The same device gets the same answer for an hour, and no other gets any")
  func lostAnswer() async throws {
    try await withServer { server in
      let (code, device) = (try invite(server), FreshID.word(22))
      let first = try await server.join(code, device: device)
      let again = try await server.join(code, device: device)
      #expect(first.status == 200 && again.json == first.json)
      #expect(try await server.join(code).status == 403)
      let (codes, now) = (JoinCodes(server.members), ServerOptions.now())
      let late = try codes.redeem(code, device: device, name: nil, at: now + 3590)
      #expect(late?.token == first.json["access_token"]?.string)
      #expect(try codes.redeem(code, device: device, name: nil, at: now + 3602) == nil)
      #expect(try codes.redeem(code, device: FreshID.word(22), name: nil, at: now) == nil)
      // A device that was removed meanwhile does not come back.
      let id = try #require(try server.devices("ben").first?.id)
      let member = try server.member("ben")
      #expect(try server.members.remove(device: id, of: member.id))
      #expect(try await server.join(code, device: device).status == 403)
    }
  }

  @Test("All that can be wrong with a code is answered with the same bytes")
  func refusals() async throws {
    try await withTwoClubs { server in
      let (used, ended, removed) = (try invite(server), try invite(server, "eve"), try invite(server, "kim"))
      #expect(try await server.join(used).status == 200)
      #expect(try JoinCodes(server.members).invite("eve", seconds: 60).code != ended)
      try JoinCodes(server.members).endInvitation(of: "kim")
      let past = try JoinCodes(server.members).invite("old", seconds: 60, at: ServerOptions.now() - 61).code
      let mistyped = String(try invite(server, "max").dropLast(2) + "--")
      let wrong = [
        used, ended, removed, past, mistyped, FreshID.code(), "", " ", "../../x", "Ünïcödé\u{0}", server.token,
        try server.codeWord(), String(repeating: "A", count: 3000),
      ]
      var answers: Set<[String]> = []
      for code in wrong {
        let reply = try await server.join(code)
        let headers = reply.headers.filter { $0.key != "date" && $0.key != "x-dropbox-request-id" }
        answers.insert(["\(reply.status)", reply.text] + headers.map { $0.key + $0.value }.sorted())
        #expect(reply.status == 403 && reply.json.at("error", ".tag") == "invalid_code", "\(code.prefix(30))")
      }
      #expect(answers.count == 1)
      #expect(try server.members.members().count == 2, "only ben joined")
    }
  }

  @Test("A device says which it is by a random value", arguments: ["", "short", String(repeating: "=", count: 22)])
  func malformedDevice(device: String) async throws {
    try await withServer { server in
      let code = try invite(server)
      #expect(try await server.join(code, device: device).status == 400)
      #expect(try await server.join(code).status == 200, "and the code is still good")
    }
  }

  @Test("Of several devices that show one code at the same moment, one gets in")
  func atOnce() async throws {
    try await withServer { server in
      let code = try invite(server)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 { group.addTask { try await server.join(code).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200, 403, 403, 403, 403, 403])
      #expect(try server.devices("ben").count == 1)
    }
  }

  @Test("An address that shows too many wrong codes waits")
  func guessing() async throws {
    try await withServer(tune: { $0.failuresPerMinute = 3 }) { server in
      let code = try invite(server)
      for _ in 0..<3 { #expect(try await server.join(FreshID.code()).status == 403) }
      for guess in [FreshID.code(), code] {
        let reply = try await server.join(guess)
        #expect(reply.status == 429 && reply.headers["retry-after"] != nil)
      }
    }
  }

  @Test("A code finds its club, and no other club takes it")
  func clubs() async throws {
    try await withTwoClubs { server in
      let second = server.others[0]
      let joined = try await server.join(try invite(second))
      #expect(joined.status == 200 && joined.json["club"] == "garage")
      #expect(try second.members.members().count == 2 && server.members.members().count == 1)
      #expect(try JoinCodes(server.members).redeem(invite(second, "kim"), device: "d", name: nil, at: 0) == nil)
    }
  }

  @Test("The name of an invitation is reserved until it ends, and a new one ends the earlier")
  func names() throws {
    let members = try ServerMembersDatabase(path: ":memory:")
    let (codes, list, now) = (JoinCodes(members), MemberList(members), ServerOptions.now())
    _ = try list.add("ann")
    #expect(failure { _ = try codes.invite("a\nb", seconds: 60) }?.kind == .badName)
    let first = try codes.invite("ben", seconds: 60).code
    let refusal = failure { _ = try list.add("ben") }
    #expect(refusal?.kind == .exists && refusal?.remedy.contains("invite rm") == true)
    #expect(failure { try list.remove("ben") }?.remedy.contains("invite rm") == true)
    let second = try codes.invite("ben", seconds: 60).code
    #expect(try codes.redeem(first, device: "d", name: nil, at: now) == nil)
    #expect(try codes.redeem(second, device: "d", name: nil, at: now)?.member.name == "ben")
    _ = try codes.invite("kim", seconds: 60, at: now - 60)
    #expect(try codes.invitations().isEmpty)
    _ = try list.add("kim")
    try codes.endInvitation(of: "kim")
    #expect(failure { try codes.endInvitation(of: "kim") }?.kind == .notFound)
    #expect(try members.members().map(\.name) == ["ann", "ben", "kim"])
  }

  @Test("A member without a device comes back by an invitation, as what they were, and it ends like any other")
  func comeBack() throws {
    let members = try ServerMembersDatabase(path: ":memory:")
    let (codes, now) = (JoinCodes(members), ServerOptions.now())
    _ = try codes.redeem(
      codes.invite("ben", seconds: 60, isReader: true).code, device: "d", name: nil, at: now)
    let ben = try #require(try members.members().first)
    let device = try #require(try members.devices(of: ben.id, at: now).first)
    let ended = try codes.invite("ben", seconds: 600)
    let removed = try codes.invite("ben", seconds: 600)
    #expect(removed.isForDevice && removed.expires >= now + 600)
    #expect(try codes.invitations().map(\.isForDevice) == [true])
    try codes.endInvitation(of: "ben")
    for code in [ended.code, removed.code] { #expect(try codes.redeem(code, device: "e", name: nil, at: now) == nil) }
    #expect(try members.devices(of: ben.id, at: now) == [device], "the member's devices stay")
    #expect(try members.remove(device: device.id, of: ben.id))
    let code = try codes.invite("ben", seconds: 60).code
    #expect(try codes.redeem(code, device: "f", name: "new", at: now)?.member == ben && ben.isReader)
    #expect(try codes.redeem(code, device: "g", name: nil, at: now) == nil && codes.invitations().isEmpty)
    #expect(try members.devices(of: ben.id, at: now).map(\.name) == ["new"])
    // With the member the invitation ends, and the name is free.
    let last = try codes.invite("ben", seconds: 60).code
    try MemberList(members).remove("ben")
    #expect(try codes.redeem(last, device: "h", name: nil, at: now) == nil && codes.invitations().isEmpty)
    _ = try MemberList(members).add("ben")
  }

  @Test("What has ended is forgotten after a day")
  func forgetting() throws {
    let members = try ServerMembersDatabase(path: ":memory:")
    let now = ServerOptions.now()
    let code = try JoinCodes(members).invite("ben", seconds: 60, at: now).code
    try members.forgetTokens(endedBefore: now)
    #expect(try members.holds(code: JoinCodes.row(of: code)) && members.invitations().count == 1)
    try members.forgetTokens(endedBefore: now + 61)
    #expect(try !members.holds(code: JoinCodes.row(of: code)) && members.invitations().isEmpty)
  }

  @Test("A code is nowhere in the list of members, only its digest")
  func kept() throws {
    let members = try ServerMembersDatabase(path: ":memory:")
    let code = try JoinCodes(members).invite("ben", seconds: 60).code
    #expect(!JoinCodes.row(of: code).contains(code))
    #expect(try members.token(id: JoinCodes.row(of: code)) == nil, "it is no token, either")
  }
}

extension TestServer {
  /// Shows a code, as a new device does.
  func join(_ code: String, device: String = FreshID.word(22), name: String? = nil) async throws -> Reply {
    let argument = JSON.members([
      "code": .string(code), "device": .string(device), "name": name.map(JSON.string),
    ])
    return try await client.request(
      "POST", "/2/byteclub/join", [("Content-Type", "application/json")], Array(argument.encoded.utf8))
  }

  func member(_ name: String) throws -> ServerMember {
    try #require(try members.members().first { $0.name == name })
  }

  func devices(_ name: String) throws -> [ServerDevice] {
    try members.devices(of: member(name).id, at: ServerOptions.now())
  }
}
