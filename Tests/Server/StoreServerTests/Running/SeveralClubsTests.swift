import Basics
import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Two clubs of one server: each answers its own credentials, and no word of one reaches the other.
@Suite(.serialized) struct SeveralClubsTests {
  private func withTwo(
    handler: KeptLog? = nil, tune: (inout ServerOptions) -> Void = { _ in },
    _ body: (_ first: TestServer, _ second: TestServer) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: tune, handler: handler?.handler, others: ["garage"]) { server in
        try await body(server, try #require(server.others.first))
      }
    }
  }

  @Test("A token chooses its club: the same paths are other files, and each member sees one club")
  func files() async throws {
    try await withTwo { first, second in
      try await first.upload("/a.txt", "of the club")
      try await second.upload("/a.txt", "of the garage")
      try await second.upload("/b.txt", "only here")
      for (server, text, paths) in [
        (first, "of the club", ["/a.txt"]), (second, "of the garage", ["/a.txt", "/b.txt"]),
      ] {
        // The second answer may come from memory.
        for _ in 0..<3 { #expect(try await server.fetch("files/download", ["path": "/a.txt"]).text == text) }
        #expect(try await server.v1("GET", "files/auto/a.txt").text == text)
        #expect(try await server.paths() == paths)
        #expect(contents(server.root + "/a.txt") == text)
      }
      #expect(try await first.fetch("files/download", ["path": "/b.txt"]).status == 409)
      let accounts = try await first.call("users/get_current_account", .null).json["account_id"]
      #expect(try await second.call("users/get_account", .members(["account_id": accounts])).status == 409)
    }
  }

  @Test("A removed member's token opens neither club")
  func removed() async throws {
    try await withTwo { first, second in
      #expect(try await second.call("check/user", .members([:])).status == 200)
      try MemberList(second.members).remove(try #require(try second.members.members().first).name)
      #expect(try await second.call("check/user", .members([:])).status == 401)
      #expect(try await first.call("check/user", .members([:])).status == 200)
    }
  }

  @Test("Cursors, ids, revs, links, sessions and copy references of one club are nothing in the other")
  func words() async throws {
    try await withTwo { first, second in
      let file = try await first.upload("/secret.txt", "secret of the club")
      let (id, rev) = (file["id"]?.string ?? "?", file["rev"]?.string ?? "?")
      for path in [id, "rev:" + rev] {
        #expect(try await second.fetch("files/download", ["path": .string(path)]).status == 409, "\(path)")
        #expect(try await second.call("files/get_metadata", ["path": .string(path)]).status == 409, "\(path)")
      }
      let cursor = try await first.call("files/list_folder", ["path": ""]).json["cursor"]
      #expect(try await first.call("files/list_folder/continue", ["cursor": cursor ?? .null]).status == 200)
      #expect(try await second.call("files/list_folder/continue", ["cursor": cursor ?? .null]).status == 400)
      #expect(try await second.v1("POST", "delta?cursor=\(cursor?.string ?? "")").status == 400)
      let session = try await first.send("files/upload_session/start", .members([:]), [1]).json["session_id"]
      let at = JSON.members(["cursor": .members(["session_id": session, "offset": .integer(1)])])
      #expect(
        try await second.send("files/upload_session/append_v2", at, [2]).json.at("error", ".tag") == "not_found")
      #expect(try await first.send("files/upload_session/append_v2", at, [2]).status == 200)
      let copy = try await first.v1("GET", "copy_ref/auto/secret.txt").json["copy_ref"]?.string ?? "?"
      #expect(try await second.v1("POST", "fileops/copy?root=auto&from_copy_ref=\(copy)&to_path=/x").status == 404)
      let restore = JSON.members(["path": "/secret.txt", "rev": .string(rev)])
      #expect(try await second.call("files/restore", restore).status == 409)
      #expect(try await second.paths() == [])
    }
  }

  @Test("Words that need no token find their club: links, links for uploads, and waiting for changes")
  func withoutToken() async throws {
    try await withTwo { first, second in
      for (server, text) in [(first, "club"), (second, "garage")] {
        try await server.upload("/a.txt", text)
        let link = try await server.call("files/get_temporary_link", ["path": "/a.txt"]).json["link"]?.string ?? "?"
        let path = "/links/" + (link.split(separator: "/").last ?? "")
        #expect(try await server.client.request("GET", path).text == text)
        let upload =
          try await server.call(
            "files/get_temporary_upload_link", .members(["commit_info": .members(["path": "/by-link"])])
          ).json["link"]?.string ?? "?"
        let sent = try await server.client.request(
          "POST", "/apitul/1/" + (upload.split(separator: "/").last ?? ""),
          [("Content-Type", "application/octet-stream")], Array("linked \(text)".utf8))
        #expect(sent.status == 200, "\(sent.text)")
        #expect(contents(server.root + "/by-link") == "linked \(text)")
      }
      let cursor = try await second.call("files/list_folder/get_latest_cursor", ["path": ""]).json["cursor"] ?? .null
      async let waiting = second.client.request(
        "POST", "/2/files/list_folder/longpoll", [("Content-Type", "application/json")],
        Array(JSON.members(["cursor": cursor, "timeout": .integer(480)]).encoded.utf8))
      try await second.upload("/news", "x")
      #expect(try await waiting.json["changes"] == true)
      let old = try await second.v1Bare("POST", "longpoll_delta", [("cursor", cursor.string ?? "")])
      #expect(old.json["changes"] == true, "\(old.text)")
    }
  }

  @Test("A shared link opens the file of its own club, and is no link of the other") func sharedLinks() async throws {
    try await withTwo(tune: { $0.sharesLinks = true }) { first, second in
      for (server, other, text) in [(first, second, "of the club"), (second, first, "of the garage")] {
        try await server.upload("/a.txt", text)
        let url = try await server.link("/a.txt", .members(["link_password": "rope"]))
        #expect(try await server.open(url).text.contains("This link has a password"))
        let form = [("Content-Type", "application/x-www-form-urlencoded")]
        let right = try await server.client.request("POST", server.path(url), form, Array("password=rope".utf8))
        #expect(right.status == 303)
        let cookie = String((right.headers["set-cookie"] ?? "").prefix { $0 != ";" })
        #expect(try await server.open(url, "?dl=1", [("Cookie", cookie)]).text == text)
        let foreign = try await other.call("sharing/revoke_shared_link", .members(["url": .string(url)]))
        #expect(foreign.json.at("error", ".tag") == "shared_link_not_found", "\(foreign.text)")
        #expect(try await server.links() == [url])
      }
    }
  }

  @Test("A drop page takes pictures for its own club, and its giver has a name there alone") func dropPages()
    async throws
  {
    try await withTwo(tune: { $0.servesDropPages = true }) { first, second in
      for (server, other) in [(first, second), (second, first)] {
        let url = try await server.dropPage(["path": "/in", "from": "Mia"])
        #expect(try await server.drop(url, [.picture("a.jpg")]).status == 200)
        #expect(try await server.paths("/in", recursive: false) == ["/in/a.jpg"])
        let name = try server.members.members()[0].name
        #expect(try await server.shownAuthor("/in/a.jpg") == "Mia (a guest of \(name))")
        let account = try await server.call("files/get_metadata", ["path": "/in/a.jpg"]).json
          .at("sharing_info", "modified_by")
        #expect(try await other.call("users/get_account", ["account_id": account]).status == 409)
        let foreign = try await other.call("sharing/revoke_shared_link", ["url": .string(url)])
        #expect(foreign.json.at("error", ".tag") == "shared_link_not_found", "\(foreign.text)")
      }
    }
  }

  @Test("The sign-in page's code word chooses the club, also for byteclub's own key, which all clubs know")
  func signIn() async throws {
    try await withTwo { first, second in
      try await first.upload("/of-club", "x")
      try await second.upload("/of-garage", "x")
      for (server, path) in [(first, "/of-club"), (second, "/of-garage")] {
        let token = try await signedIn(server, app: "byteclub", word: server)
        #expect(try await server.called(with: token).paths() == [path])
        let app = try AppKeys(server.members).make()
        let own = try await signedIn(server, app: app.key, word: server)
        #expect(try await server.called(with: own).paths() == [path])
        let basic = Base64.text(of: "\(app.key):\(app.secret)".utf8)
        let check = try await server.client.request(
          "POST", "/2/check/app", [("Authorization", "Basic \(basic)"), ("Content-Type", "application/json")],
          Array("{}".utf8))
        #expect(check.status == 200, "\(check.text)")
      }
      // A program of one club cannot sign a member of the other in.
      let app = try AppKeys(first.members).make()
      let thrown = await #expect(throws: StoreError.self) {
        try await signedIn(second, app: app.key, word: second)
      }
      #expect(thrown?.message.contains("The code word is of another club") == true, "\(String(describing: thrown))")
    }
  }

  /// Signs in by the page with a code word, and returns the access token.
  private func signedIn(_ server: TestServer, app: String, word: TestServer) async throws -> String {
    let verifier = String(repeating: "v", count: 43)
    let hash = SHA256()
    hash.update(Array(verifier.utf8)[...])
    let challenge = Base64.text(of: hash.finish(), .url)
    let page = try await server.client.request(
      "GET",
      "/oauth2/authorize?response_type=code&client_id=\(app)&code_challenge=\(challenge)&code_challenge_method=S256")
    let request = String(page.text.split(separator: "name=\"request\" value=\"").last?.prefix { $0 != "\"" } ?? "")
    let cookie = String(page.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")
    let code = try CodeWords(word.members).issue(to: try #require(try word.members.members().first).name)
    let form = [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", cookie)]
    let done = try await server.client.request(
      "POST", "/oauth2/authorize", form, Array("request=\(request)&word=\(code)".utf8))
    guard done.text.contains("<code id=\"code\">") else { throw StoreError(.notPermitted, done.text) }
    let granted = String(done.text.split(separator: "<code id=\"code\">").last?.prefix { $0 != "<" } ?? "")
    let answer = try await server.client.request(
      "POST", "/oauth2/token", form,
      Array("grant_type=authorization_code&code=\(granted)&client_id=\(app)&code_verifier=\(verifier)".utf8))
    return try #require(answer.json["access_token"]?.string, "\(answer.text)")
  }

  @Test("Requests signed by OAuth 1 find their club by the token, in a header and in a form")
  func signed() async throws {
    try await withTwo { first, second in
      for server in [first, second] {
        try await server.upload("/\(server === first ? "club" : "garage")", "x")
        let member = try #require(try server.members.members().first)
        let keys = try OAuth1Tokens(server.members).issue(to: member, app: AppKeys(server.members).make().key)
        let fields = [
          ("oauth_consumer_key", keys.consumerKey), ("oauth_token", keys.token),
          ("oauth_signature_method", "PLAINTEXT"), ("oauth_signature", keys.consumerSecret + "&" + keys.tokenSecret),
        ]
        for reply in [
          try await server.v1Bare("GET", "account/info", fields),
          try await server.v1Bare("POST", "account/info", fields),
        ] { #expect(reply.json["display_name"] == .string(member.name), "\(reply.text)") }
      }
    }
  }

  @Test("The log and the wrong tokens know the club, or that no club was meant")
  func told() async throws {
    let log = KeptLog()
    try await withTwo(handler: log) { first, second in
      let wrong = try await second.call("check/user", .null, token: "bc.unknownunknown12.x")
      #expect(wrong.status == 401)
      // The id of a token of the garage with another secret is the garage's wrong token.
      let id = second.token.split(separator: ".")[1]
      #expect(try await first.call("check/user", .null, token: "bc.\(id).wrong").status == 401)
    }
    #expect(log.all.count { $0.contains("POST /2/check/user 401") } == 2)
  }
}

extension TestServer {
  fileprivate func called(with token: String) -> TestServer {
    var other = self
    other.token = token
    return other
  }

  fileprivate static func === (left: TestServer, right: TestServer) -> Bool { left.root == right.root }
}
