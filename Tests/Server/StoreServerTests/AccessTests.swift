import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

@Suite(.serialized) struct AccessTests {
  @Test("The routes that need no token are these, each with a reason")
  func publicRoutes() {
    let open = RouteTable.all.routes.filter { if case .everyone = $0.access { true } else { false } }
    #expect(
      Set(open.map(\.path)) == [
        "/2/files/list_folder/longpoll", "/1/longpoll_delta", "/links/", "/oauth2/token", "/1/oauth2/token",
        "/oauth2/authorize", "/1/oauth2/authorize", "/1/oauth/request_token", "/1/oauth/authorize",
        "/1/oauth/access_token", "/apitul/1/", "/s/", "/d/", "/club", "/club/", "/", "/join", "/2/byteclub/about",
        "/2/byteclub/join",
        "/get", "/get/", "/healthz", "/version", "/favicon.ico",
      ])
    for route in open {
      guard case .everyone(let reason) = route.access else { continue }
      #expect(reason.count > 20)
    }
  }

  @Test("No two routes have one address")
  func addresses() {
    let paths = RouteTable.all.routes.map(\.path)
    #expect(Set(paths).count == paths.count)
  }

  @Test("Every other route refuses who brings no token of its own, whatever else they bring")
  func refusals() async throws {
    try await withServer { server in
      let other = try MemberList(server.members).add("ben")
      try MemberList(server.members).remove("ben")
      let wrong = server.token.dropLast() + (server.token.hasSuffix("A") ? "B" : "A")
      let credentials: [[(String, String)]] = [
        [], [("Authorization", "")], [("Authorization", "Bearer ")], [("Authorization", "Bearer x")],
        [("Authorization", "Bearer " + wrong)], [("Authorization", "Bearer " + other)],
        [("Authorization", "Basic " + Data(server.token.utf8).base64EncodedString())],
        [("Authorization", server.token)], [("Authorization", "Bearer bc..")],
        [("Authorization", "Bearer " + String(repeating: "x", count: 20_000))], [("Cookie", "token=" + server.token)],
      ]
      for route in RouteTable.all.routes {
        if case .everyone = route.access { continue }
        for headers in credentials {
          let reply = try await server.client.request(
            "POST", route.path, headers + [("Content-Type", "application/json"), ("Dropbox-API-Arg", "{}")],
            Array("{}".utf8))
          #expect(reply.status == 401, "\(route.path) with \(headers.first?.1.prefix(30) ?? "nothing")")
          #expect(reply.headers["content-type"] == "application/json")
          if route.style == .version1 {
            #expect(reply.json.at("error").string?.isEmpty == false)
          } else {
            #expect(reply.json.at("error", ".tag") == "invalid_access_token")
          }
        }
      }
    }
  }

  @Test("A token counts in the header and in the address, and as long as its member is one")
  func tokens() async throws {
    try await withServer { server in
      #expect(try await server.call("check/user", .members(["query": "hello"])).json == .members(["result": "hello"]))
      let inAddress = try await server.client.request(
        "POST", "/2/check/user?authorization=Bearer%20" + server.token, [("Content-Type", "application/json")],
        Array("null".utf8))
      #expect(inAddress.status == 200)
      let name = try server.members.members()[0].name
      try MemberList(server.members).remove(name)
      #expect(try await server.call("check/user", .null).status == 401)
    }
  }

  @Test("A member whom another process removes is refused at the very next request, though the token is remembered")
  func removedElsewhere() async throws {
    try await withServer { server in
      let parts = server.token.split(separator: ".")
      let id = String(try #require(parts.dropFirst().first))
      // Remembered once the file of the members has been quiet for a moment.
      var tries = 0
      while server.members.remembered(id: id) == nil, tries < 2000 {
        #expect(try await server.call("check/user", .null).status == 200)
        tries += 1
      }
      #expect(server.members.remembered(id: id) != nil)
      let elsewhere = try ServerMembersDatabase(path: server.data + "/members.sqlite")
      try MemberList(elsewhere).remove(try elsewhere.members()[0].name)
      #expect(try await server.call("check/user", .null).status == 401)
    }
  }

  @Test("Tokens are nowhere in the server's data, only their hashes")
  func hashes() async throws {
    try await withServer { server in
      let secret = try #require(server.token.split(separator: ".").last)
      for file in everything(below: server.data) {
        let bytes = FileManager.default.contents(atPath: server.data + "/" + file) ?? Data()
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
      }
    }
  }

  @Test(
    "A member's name can be shown on a line", arguments: ["", " a", "a ", "a\nb", "a\u{1B}[2J", "\u{202E}a", "a\u{0}"])
  func names(name: String) throws {
    let members = MemberList(try ServerMembersDatabase(path: ":memory:"))
    let error = #expect(throws: StoreError.self) { try members.add(name) }
    #expect(error?.kind == .badName)
    _ = try members.add("Ada Ä 山")
  }

  @Test("Too many wrong tokens are told to wait, a right one still counts")
  func guessing() {
    let limit = FailureLimit(most: 3)
    #expect((0..<3).allSatisfy { _ in limit.note("here", at: 100) == nil })
    #expect(limit.note("here", at: 110) == 50)
    #expect(limit.note("there", at: 110) == nil)
    #expect(limit.wait("here", at: 159) == 1 && limit.note("here", at: 159) == 1)
    #expect(limit.wait("here", at: 160) == nil && limit.note("here", at: 160) == nil)
  }

  @Test(
    "Path roots: the account's own are taken, others are 422",
    arguments: [
      (#"{".tag":"home"}"#, 200, ""), (#""home""#, 200, ""), (#"{".tag":"root","root":"SPACE"}"#, 200, ""),
      (#"{".tag":"namespace_id","namespace_id":"SPACE"}"#, 200, ""),
      (#"{".tag":"root","root":"1"}"#, 422, "invalid_root/"),
      (#"{".tag":"namespace_id","namespace_id":"1"}"#, 422, "no_permission/"), ("{", 400, ""), ("{}", 400, ""),
    ])
  func pathRoots(header: String, status: Int, summary: String) async throws {
    try await withServer { server in
      let account = try await server.call("users/get_current_account", .null).json
      let space = try #require(account.at("root_info", "root_namespace_id").string)
      let reply = try await server.client.request(
        "POST", "/2/files/list_folder",
        [
          ("Authorization", "Bearer " + server.token), ("Content-Type", "application/json"),
          ("Dropbox-API-Path-Root", header.replacing("SPACE", with: space)),
        ], Array(#"{"path":""}"#.utf8))
      #expect(reply.status == status)
      #expect(reply.status != 422 || reply.json.at("error_summary").string?.hasPrefix(summary) == true)
    }
  }

  @Test("A server that would listen beyond this machine without TLS is refused unless told otherwise")
  func plain() throws {
    for host in ["0.0.0.0", "192.168.1.5", "::", "club.example"] {
      var options = ServerOptions(host: host, port: 0)
      #expect(throws: StoreError.self) { try options.check() }
      options.allowsPlain = true
      try options.check()
    }
    for host in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] { try ServerOptions(host: host, port: 0).check() }
    #expect(throws: StoreError.self) { try ServerOptions(host: "127.evil.example", port: 0).check() }
  }
}
