import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// A member's devices: how the next one gets in, and how each is shut out.
@Suite(.serialized) struct DeviceTests {
  private func joined(_ server: TestServer) async throws -> String {
    try await joined(server, by: JoinCodes(server.members).invite("ben", seconds: 60).code)
  }

  private func joined(_ server: TestServer, by code: String) async throws -> String {
    let reply = try await server.join(code)
    return try #require(reply.json["access_token"]?.string, "\(reply.text)")
  }

  private func code(_ server: TestServer, _ token: String) async throws -> String {
    let reply = try await server.call("byteclub/device_code", .null, token: token)
    #expect(reply.json["expires"] == .integer(600) && reply.headers["cache-control"] == "no-store")
    return try #require(reply.json["code"]?.string, "\(reply.text)")
  }

  @Test("A member's code lets their next device in, once, for ten minutes")
  func nextDevice() async throws {
    try await withServer { server in
      let first = try await joined(server)
      let next = try await code(server, first)
      let second = try await joined(server, by: next)
      let accounts = try await [first, second].asyncMap {
        try await server.call("users/get_current_account", .null, token: $0).json["account_id"]
      }
      #expect(accounts[0] == accounts[1] && first != second)
      #expect(try await server.join(next).status == 403)
      let late = try await code(server, first)
      let codes = JoinCodes(server.members)
      #expect(try codes.redeem(late, device: "d", name: nil, at: ServerOptions.now() + 601) == nil)
      #expect(try codes.redeem(late, device: "d", name: nil, at: ServerOptions.now() + 590)?.member.name == "ben")
    }
  }

  @Test("A second code ends the first of the same device, and neither another device's nor the answer to a used one")
  func secondCode() async throws {
    try await withServer { server in
      let (first, id) = (try await joined(server), FreshID.word(22))
      let used = try await code(server, first)
      let second = try #require(try await server.join(used, device: id).json["access_token"]?.string)
      let others = try await code(server, second)
      let earlier = try await code(server, first)
      let later = try await code(server, first)
      #expect(try await server.join(earlier).status == 403)
      for good in [others, later] { #expect(try await server.join(good).status == 200) }
      #expect(try await server.join(used, device: id).json["access_token"] == .string(second))
    }
  }

  @Test("A device that is removed is shut out at once, with the codes that it made, and the others stay")
  func removed() async throws {
    try await withServer { server in
      let first = try await joined(server)
      let second = try await joined(server, by: try await code(server, first))
      let pending = try await code(server, second)
      let devices = try await server.call("byteclub/devices", .null, token: first).json["devices"].elements
      #expect(devices.count == 2 && devices.filter { $0["is_this"] == true }.count == 1)
      let other = try #require(devices.first { $0["is_this"] != true })
      #expect(other["made"]?.string?.hasSuffix("Z") == true)
      #expect(other["last_used"]?.string?.hasSuffix("Z") == true)
      let removal = JSON.members(["id": other["id"]])
      // Another member cannot.
      #expect(try await server.call("byteclub/device_remove", removal).status == 409)
      #expect(try await server.call("byteclub/device_remove", removal, token: first).status == 200)
      #expect(try await server.call("byteclub/device_remove", removal, token: first).status == 409)
      #expect(try await server.call("check/user", .null, token: second).status == 401)
      #expect(try await server.call("check/user", .null, token: first).status == 200)
      #expect(try await server.join(pending).status == 403)
    }
  }

  @Test("A device's last use is kept with the next write, in which a device that is gone has no part")
  func uses() async throws {
    try await withServer { server in
      let (token, uses) = (try await joined(server), DeviceUses())
      let (family, ben) = (
        try #require(try AccessTokens(database: server.members).find(token)?.token.family), try server.member("ben").id
      )
      func used() throws -> Int64? { try server.members.devices(of: ben, at: 0).first?.used }
      for second in [100, 200] as [Int64] { uses.note(family, at: second) }
      #expect(try used() == nil && uses[family] == 200)
      try uses.write(to: server.members)
      #expect(try used() == 200 && uses[family] == nil)
      #expect(try server.members.remove(device: family, of: ben))
      uses.note(family, at: 300)
      try uses.write(to: server.members)
      #expect(try used() == nil)
    }
  }

  @Test("The use of a program of version 1 is one, too, and is kept when the server ends")
  func usesOfVersion1() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder) { server in
        let token = try await joined(server)
        #expect(try await server.v1Bare("GET", "account/info", [("access_token", token)]).status == 200)
      }
      let members = try ServerMembersDatabase(path: folder + "/data/members.sqlite")
      let ben = try #require(try members.members().first { $0.name == "ben" })
      #expect(try members.devices(of: ben.id, at: 0).first?.used != nil)
    }
  }

  @Test("A newer program may send more than this server knows")
  func newerProgram() async throws {
    try await withServer { server in
      let code = try JoinCodes(server.members).invite("ben", seconds: 60).code
      let argument = JSON.members([
        "code": .string(code), "device": .string(FreshID.word(22)), "name": "laptop", "later": ["x"],
      ])
      let reply = try await server.client.request(
        "POST", "/2/byteclub/join", [("Content-Type", "application/json")], Array(argument.encoded.utf8))
      #expect(reply.status == 200, "\(reply.text)")
    }
  }

  @Test("With a device its links end, those that take a file and those that give one, and other devices' links work on")
  func links() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      let first = try await joined(server)
      let second = try await joined(server, by: try await code(server, first))
      func path(_ link: JSON?) throws -> String {
        let link = try #require(link?.string)
        return String(link.dropFirst("http://127.0.0.1:\(server.client.port)".count))
      }
      func statuses(_ paths: (give: [String], take: String)) async throws -> [Int] {
        var statuses = try await paths.give.asyncMap { try await server.client.request("GET", $0).status }
        let type = ("Content-Type", "application/octet-stream")
        statuses.append(try await server.client.request("POST", paths.take, [type], [1]).status)
        return statuses
      }
      func links(_ token: String, _ name: String) async throws -> (give: [String], take: String) {
        let give = try await server.call("files/get_temporary_link", ["path": "/a"], token: token).json["link"]
        let old = try await server.v1Bare("GET", "media/auto/a", headers: [("Authorization", "Bearer " + token)])
        let commit = JSON.members(["commit_info": .members(["path": .string(name)])])
        let take = try await server.call("files/get_temporary_upload_link", commit, token: token).json["link"]
        return ([try path(give), try path(old.json["url"])], try path(take))
      }
      let (firsts, seconds) = (try await links(first, "/b"), try await links(second, "/c"))
      let ben = try server.member("ben").id
      let device = try #require(try AccessTokens(database: server.members).find(second)?.token.family)
      #expect(try server.members.remove(device: device, of: ben))
      #expect(try await statuses(seconds) == [410, 410, 410])
      #expect(try await statuses(firsts) == [200, 200, 200])
      #expect(try await server.paths() == ["/a", "/b"])
    }
  }

  @Test("A token made by hand and a sign-in are devices, too, without a name")
  func others() async throws {
    try await withServer { server in
      let member = try server.members.members()[0]
      let tokens = AccessTokens(database: server.members)
      _ = try tokens.issue(to: member, family: "signed-in", app: AppKeys.byteclub, expires: ServerOptions.now() + 60)
      _ = try tokens.issue(to: member, .refresh, family: "signed-in", app: AppKeys.byteclub)
      _ = try tokens.issue(to: member, family: "ended", expires: ServerOptions.now() - 1)
      _ = try server.codeWord()
      let devices = try await server.call("byteclub/devices", .null).json["devices"].elements
      #expect(devices.count == 2 && devices.allSatisfy { $0["name"] == "" && $0["made"] == nil })
      #expect(devices.contains { $0["id"] == "signed-in" })
    }
  }

  @Test(
    "A program that a member only signed in to makes no codes and removes no devices; byteclub's sign-in gives no more")
  func programs() async throws {
    try await withServer { server in
      let member = try server.members.members()[0]
      let tokens = AccessTokens(database: server.members)
      let foreign = try tokens.issue(to: member, app: AppKeys(server.members).make().key)
      let refusal = try await server.call("byteclub/device_code", .null, token: foreign)
      #expect(refusal.status == 409 && refusal.json.at("error", ".tag") == "not_allowed")
      let own = try #require(try server.members.devices(of: member.id, at: 0).first).id
      let removal = JSON.members(["id": .string(own)])
      #expect(try await server.call("byteclub/device_remove", removal, token: foreign).status == 409)
      let reading = try tokens.issue(
        to: member, app: AppKeys.byteclub, scopes: ["account_info.read", "files.content.read", "files.metadata.read"])
      let next = try await joined(server, by: try await code(server, reading))
      #expect(try await server.call("files/list_folder", ["path": ""], token: next).status == 200)
      #expect(try await server.call("files/delete_v2", ["path": "/a"], token: next).status == 401)
    }
  }

  @Test("With its member all devices and codes end")
  func memberRemoved() async throws {
    try await withServer { server in
      let first = try await joined(server)
      let second = try await joined(server, by: try await code(server, first))
      let pending = try await code(server, first)
      try MemberList(server.members).remove("ben")
      for token in [first, second] { #expect(try await server.call("check/user", .null, token: token).status == 401) }
      #expect(try await server.join(pending).status == 403)
      // A new member of that name has none of it.
      _ = try await joined(server)
      #expect(try server.devices("ben").count == 1)
    }
  }

  @Test(
    "A program asks without a token what the server can do, and it tells nothing of a club", arguments: ["GET", "POST"])
  func about(method: String) async throws {
    try await withServer(tune: { $0.version = "9.9" }) { server in
      let reply = try await server.client.request(method, "/2/byteclub/about")
      #expect(reply.status == 200 && reply.json["version"] == "9.9")
      #expect(reply.json["capabilities"] == ["join", "devices", "readers", "presence"])
      #expect(reply.json.list.count == 2)
    }
  }

  @Test("The page of invitations is the same for everybody, and has no script")
  func page() async throws {
    try await withServer { server in
      let pages = try await ["/join", "/join?x=1"].asyncMap { try await server.client.request("GET", $0) }
      #expect(pages[0].status == 200 && pages[0].body == pages[1].body)
      #expect(pages[0].headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(pages[0].headers["referrer-policy"] == "no-referrer" && pages[0].headers["cache-control"] == "no-store")
      #expect(pages[0].text.contains("byteclub join") && !pages[0].text.contains("<script"))
      #expect(try await server.client.request("POST", "/join").status == 400)
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
