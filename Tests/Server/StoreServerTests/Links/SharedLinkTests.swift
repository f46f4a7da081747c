import Basics
import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

extension TestServer {
  /// Makes a link, which must succeed, and returns its address.
  func link(_ path: String, _ settings: JSON? = nil, token: String? = nil) async throws -> String {
    let reply = try await call(
      "sharing/create_shared_link_with_settings", .members(["path": .string(path), "settings": settings]), token: token)
    try #require(reply.status == 200, "\(reply.text)")
    return try #require(reply.json["url"]?.string)
  }

  /// The row of an address.
  func row(_ url: String) throws -> ServerLink {
    let word = try #require(ServedLinks.word(inURL: url))
    return try #require(try members.link(id: String(word.prefix(11))))
  }

  /// Lets a link end a second ago.
  func end(_ url: String) throws {
    let row = try row(url)
    _ = try members.set(expires: .changed(ServerOptions.now() - 1), password: .kept, ofLink: row.id)
  }

  func move(_ path: String, to target: String) async throws {
    let reply = try await call("files/move_v2", ["from_path": .string(path), "to_path": .string(target)])
    try #require(reply.status == 200, "\(reply.text)")
  }

  func links(_ argument: JSON = .members([:]), token: String? = nil) async throws -> [String] {
    let reply = try await call("sharing/list_shared_links", argument, token: token)
    try #require(reply.status == 200, "\(reply.text)")
    return reply.json["links"].elements.compactMap { $0["url"]?.string }
  }
}

/// Shared links by the API.
@Suite(.serialized) struct SharedLinkTests {
  @Test("A setting that a call does not name stays as another call sets it")
  func keptSettings() async throws {
    try await withServer(tune: { $0.sharesLinks = true }) { server in
      try await server.upload("/a.md", "text")
      let row = try server.row(try await server.link("/a.md"))
      _ = try server.members.set(expires: .kept, password: .changed([1]), ofLink: row.id)
      _ = try server.members.set(expires: .changed(5_000_000_000), password: .kept, ofLink: row.id)
      var now = try server.members.link(id: row.id)
      #expect(now?.password == [1] && now?.expires == 5_000_000_000)
      _ = try server.members.set(expires: .removed, password: .kept, ofLink: row.id)
      _ = try server.members.set(expires: .kept, password: .removed, ofLink: row.id)
      now = try server.members.link(id: row.id)
      #expect(now != nil && now?.password == nil && now?.expires == nil)
      #expect(try !server.members.set(expires: .kept, password: .kept, ofLink: "another"))
    }
  }

  private static func allow(_ options: inout ServerOptions) { options.sharesLinks = true }

  private func tag(_ reply: Reply) -> String { reply.json["error_summary"]?.string ?? "\(reply.status) \(reply.text)" }

  @Test("A link has its file's metadata by Dropbox's words, and is listed with and without its path")
  func create() async throws {
    try await withServer(tune: Self.allow) { server in
      let file = try await server.upload("/Pier & Sea.md", "# Pier")
      let reply = try await server.call("sharing/create_shared_link_with_settings", ["path": "/Pier & Sea.md"])
      #expect(reply.status == 200)
      let made = reply.json
      let url = try #require(made["url"]?.string)
      #expect(url.hasPrefix("http://127.0.0.1:\(server.client.port)/s/") && url.hasSuffix("/Pier%20%26%20Sea.md?dl=0"))
      #expect(made[".tag"] == "file" && made["name"] == "Pier & Sea.md" && made["path_lower"] == "/pier & sea.md")
      for key in ["id", "rev", "size", "client_modified", "server_modified"] {
        #expect(made[key] == file[key], "\(key)")
      }
      #expect(made["expires"] == nil)
      #expect(made.at("link_permissions", "resolved_visibility", ".tag") == "public")
      #expect(
        made.at("link_permissions", "can_revoke").isTrue && !made.at("link_permissions", "require_password").isTrue)
      let other = try await server.upload("/b.md", "b")
      let second = try await server.link("/b.md")
      #expect(try await server.links() == [url, second])
      #expect(try await server.links(["path": "/PIER & sea.md"]) == [url])
      #expect(try await server.links(["path": other["id"] ?? .null, "direct_only": true]) == [second])
      let metadata = try await server.call("sharing/get_shared_link_metadata", ["url": .string(url)])
      #expect(metadata.json == made)
    }
  }

  @Test("A second link to a file is refused: with the first one's metadata, or without if settings were asked for")
  func twice() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "a")
      let url = try await server.link("/a.md")
      let plain = try await server.call("sharing/create_shared_link_with_settings", ["path": "/a.md"])
      #expect(plain.status == 409 && tag(plain) == "shared_link_already_exists/metadata/.")
      #expect(plain.json.at("error", "shared_link_already_exists", "metadata", "url") == .string(url))
      let custom = try await server.call(
        "sharing/create_shared_link_with_settings",
        ["path": "/a.md", "settings": ["expires": .string(WireTime.text(ServerOptions.now() + 60))]])
      #expect(custom.status == 409 && tag(custom) == "shared_link_already_exists/.")
      // An ended link is in nobody's way.
      try server.end(url)
      #expect(try await server.links() == [])
      #expect(try await server.link("/a.md") != url)
    }
  }

  @Test("Many calls at once make one link")
  func atOnce() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "a")
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await server.call("sharing/create_shared_link_with_settings", ["path": "/a.md"]).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 409 } == 7)
      #expect(try await server.links().count == 1)
    }
  }

  @Test("Settings that make no sense, or that a club does not have, are refused by Dropbox's words")
  func settings() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "a")
      for (settings, error) in [
        (["expires": "2001-01-01T00:00:00Z"], "settings_error/invalid_settings/."),
        (["require_password": true], "settings_error/invalid_settings/."),
        (["require_password": true, "link_password": ""], "settings_error/invalid_settings/."),
        (["requested_visibility": "password"], "settings_error/invalid_settings/."),
        (["requested_visibility": "team_only"], "settings_error/not_authorized/."),
        (["audience": "no_one"], "settings_error/not_authorized/."),
        (["access": "editor"], "settings_error/not_authorized/."),
        (["allow_download": false], "settings_error/not_authorized/."),
      ] as [(JSON, String)] {
        let reply = try await server.call(
          "sharing/create_shared_link_with_settings", ["path": "/a.md", "settings": settings])
        #expect(reply.status == 409 && tag(reply) == error, "\(settings)")
      }
      let none = try await server.call("sharing/create_shared_link_with_settings", ["path": "/none.md"])
      #expect(tag(none) == "path/not_found/.")
      for argument in [
        ["path": ""], ["path": "/a.md", "settings": ["expires": "tomorrow"]],
        ["path": "/a.md", "settings": ["colour": "red"]], [:],
      ] as [JSON] {
        #expect(
          try await server.call("sharing/create_shared_link_with_settings", argument).status == 400, "\(argument)")
      }
      #expect(try await server.links() == [])
    }
  }

  @Test("Without the owner's leave no link is made, and one from before opens nothing, but can be revoked")
  func notAllowed() async throws {
    try await withTemporaryFolder { folder in
      var url = ""
      try await withServer(in: folder, tune: Self.allow) { server in
        try await server.upload("/a.md", "a")
        url = try await server.link("/a.md")
      }
      try await withServer(in: folder) { server in
        let mine = try AccessTokens(database: server.members).issue(to: server.members.members()[0])
        let owner = try server.row(url).member
        let all = try server.members.members()
        let token = try AccessTokens(database: server.members).issue(to: try #require(all.first { $0.id == owner }))
        let made = try await server.call("sharing/create_shared_link_with_settings", ["path": "/a.md"], token: mine)
        #expect(tag(made) == "access_denied/.")
        for route in ["sharing/get_shared_link_metadata", "sharing/modify_shared_link_settings"] {
          let reply = try await server.call(
            route, .members(["url": .string(url), "settings": route.contains("modify") ? [:] : nil]), token: token)
          #expect(tag(reply) == "shared_link_access_denied/.", "\(route)")
        }
        #expect(
          try await server.client.request("GET", ServedLinks.path + (ServedLinks.word(inURL: url) ?? "")).status == 404)
        #expect(try await server.links(token: token).count == 1)
        #expect(try await server.call("sharing/revoke_shared_link", ["url": .string(url)], token: token).status == 200)
      }
      try await withServer(in: folder, tune: Self.allow) { server in
        let reply = try await server.call("sharing/get_shared_link_metadata", ["url": .string(url)])
        #expect(tag(reply) == "shared_link_not_found/.")
      }
    }
  }

  @Test("A link follows its file through renames and edits, not to another file of its old name")
  func follows() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "one")
      let url = try await server.link("/a.md")
      let read = { try await server.fetch("sharing/get_shared_link_file", ["url": .string(url)]) }
      #expect(try await read().text == "one")
      try await server.upload("/a.md", "two", ["mode": "overwrite"])
      #expect(try await read().text == "two")
      #expect(
        try await server.call("files/move_v2", ["from_path": "/a.md", "to_path": "/sub/New name.md"]).status == 200)
      try await server.upload("/a.md", "another")
      let moved = try await read()
      #expect(moved.text == "two" && moved.headers["dropbox-api-result"]?.contains("New name.md") == true)
      #expect(try await server.links()[0].hasSuffix("/New%20name.md?dl=0"))
      #expect(try await server.links(["path": "/a.md"]) == [])
      #expect(try await server.call("files/delete_v2", ["path": "/sub/New name.md"]).status == 200)
      try await server.upload("/sub/New name.md", "third")
      #expect(tag(try await read()) == "shared_link_not_found/.")
      #expect(try await server.links() == [])
    }
  }

  @Test("After the index was lost, a link finds its file by the path")
  func newIndex() async throws {
    try await withTemporaryFolder { folder in
      var url = ""
      try await withServer(in: folder, tune: Self.allow) { server in
        try await server.upload("/a.md", "one")
        url = try await server.link("/a.md")
        _ = try await server.call("files/move_v2", ["from_path": "/a.md", "to_path": "/b.md"])
        _ = try await server.call("sharing/get_shared_link_metadata", ["url": .string(url)])
      }
      for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        try PrivateDirectory(making: folder + "/data").remove(name)
      }
      try await withServer(in: folder, tune: Self.allow) { server in
        #expect(try await server.fetch("sharing/get_shared_link_file", ["url": .string(url)]).text == "one")
        let owner = try #require(server.members.members().first { $0.id == (try? server.row(url).member) })
        let token = try AccessTokens(database: server.members).issue(to: owner)
        let again = try await server.call("sharing/create_shared_link_with_settings", ["path": "/b.md"], token: token)
        #expect(tag(again) == "shared_link_already_exists/metadata/.")
        // Now it follows by the new index's id.
        _ = try await server.call("files/move_v2", ["from_path": "/b.md", "to_path": "/c.md"])
        #expect(try await server.fetch("sharing/get_shared_link_file", ["url": .string(url)]).text == "one")
      }
    }
  }

  @Test("A password is asked of everybody but the link's member, and a wrong one is refused to everybody")
  func password() async throws {
    try await withServer(tune: { ($0.sharesLinks, $0.failuresPerMinute) = (true, 5) }) { server in
      try await server.upload("/a.md", "secret text")
      let url = try await server.link("/a.md", ["require_password": true, "link_password": "Schl\u{FC}ssel"])
      let ben = try MemberList(server.members).add("ben")
      let ask = { (password: String?, token: String) in
        try await server.call(
          "sharing/get_shared_link_metadata",
          .members(["url": .string(url), "link_password": password.map { .string($0) }]), token: token)
      }
      let own = try await ask(nil, server.token)
      #expect(own.json.at("link_permissions", "require_password").isTrue)
      #expect(own.json.at("link_permissions", "resolved_visibility", ".tag") == "password")
      #expect(tag(try await ask(nil, ben)) == "shared_link_access_denied/.")
      let others = try await ask("Schl\u{FC}ssel", ben)
      #expect(others.status == 200 && others.json["path_lower"] == nil)
      #expect(others.json.at("link_permissions", "revoke_failure_reason", ".tag") == "owner_only")
      // The same letters in their other Unicode form.
      #expect(try await ask("Schlu\u{308}ssel", ben).status == 200)
      #expect(tag(try await ask("wrong", server.token)) == "shared_link_access_denied/.")
      for _ in 0..<4 { #expect(tag(try await ask("wrong", ben)) == "shared_link_access_denied/.") }
      // The sixth wrong one ends the guessing, also for the right password.
      #expect(try await ask("wrong", ben).status == 429)
      #expect(try await ask("Schl\u{FC}ssel", ben).status == 429)
    }
  }

  @Test("Settings change: expiry and password are set and removed")
  func modify() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "a")
      let url = try await server.link("/a.md")
      let soon = WireTime.text(ServerOptions.now() + 600)
      let modify = { (settings: JSON, removes: Bool) in
        try await server.call(
          "sharing/modify_shared_link_settings",
          ["url": .string(url), "settings": settings, "remove_expiration": .bool(removes)])
      }
      let both = try await modify(["expires": .string(soon), "link_password": "word"], false)
      #expect(both.json["expires"] == .string(soon) && both.json.at("link_permissions", "require_password").isTrue)
      #expect(try await modify([:], true).json["expires"] == nil)
      #expect(try server.row(url).password != nil)
      _ = try await modify(["require_password": false], false)
      #expect(try server.row(url).password == nil)
      #expect(tag(try await modify(["expires": .string(soon)], true)) == "settings_error/invalid_settings/.")
      let ben = try MemberList(server.members).add("ben")
      let foreign = try await server.call(
        "sharing/modify_shared_link_settings", ["url": .string(url), "settings": [:]], token: ben)
      #expect(tag(foreign) == "shared_link_access_denied/.")
    }
  }

  @Test("A revoked link is unknown at once; only its member revokes it, and its member's end is its own")
  func revoke() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "a")
      let url = try await server.link("/a.md")
      let ben = try MemberList(server.members).add("ben")
      #expect(try await server.links(token: ben) == [])
      let foreign = try await server.call("sharing/revoke_shared_link", ["url": .string(url)], token: ben)
      #expect(tag(foreign) == "shared_link_access_denied/.")
      #expect(try await server.call("sharing/revoke_shared_link", ["url": .string(url)]).json == .null)
      let again = try await server.call("sharing/revoke_shared_link", ["url": .string(url)])
      #expect(tag(again) == "shared_link_not_found/.")
      let theirs = try await server.link("/a.md", token: ben)
      try MemberList(server.members).remove("ben")
      let orphan = try await server.call("sharing/get_shared_link_metadata", ["url": .string(theirs)])
      #expect(tag(orphan) == "shared_link_not_found/.")
    }
  }

  @Test("Addresses that nobody was given lead nowhere, however alike they are")
  func guesses() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "a")
      let url = try await server.link("/a.md")
      let word = try #require(ServedLinks.word(inURL: url))
      let last = word.last == "A" ? "B" : "A"
      for guess in [
        "", "/s/", "/s/a.md", "/s/\(word.dropLast())\(last)", "/s/\(word.prefix(11))" + FreshID.word(22), "/s/\(word)A",
        "/s/" + FreshID.word(33), "/links/\(word)", "http://x/t/\(word)", "a.md", "/a.md",
      ] {
        let reply = try await server.call("sharing/get_shared_link_metadata", ["url": .string(guess)])
        #expect(tag(reply) == "shared_link_not_found/.", "\(guess)")
        let isOfLink = ServedLinks.word(inURL: guess) != nil
        let revoked = try await server.call("sharing/revoke_shared_link", ["url": .string(guess)])
        #expect(tag(revoked) == (isOfLink ? "shared_link_not_found/." : "shared_link_malformed/."), "\(guess)")
      }
      // By whatever name the server is reached, and with whatever name of the file.
      for same in ["https://club.example/s/\(word)/other.txt?dl=1", "/s/\(word)", "http://[::1]:1/s/\(word)/a.md#x"] {
        #expect(
          try await server.call("sharing/get_shared_link_metadata", ["url": .string(same)]).status == 200, "\(same)")
      }
    }
  }

  @Test("A long list comes in pages; a cursor of another member or of nobody is reset")
  func pages() async throws {
    try await withServer(tune: Self.allow) { server in
      let member = try server.members.members()[0].id
      try await server.upload("/a.md", "a")
      let file = try await server.call("files/get_metadata", ["path": "/a.md"]).json["id"]?.string ?? ""
      for number in 0..<450 {
        // Of an earlier index, where each had a file of its own.
        let link = ServerLink(
          id: FreshID.word(11), member: member, file: "id:\(number)", epoch: "\(number)", display: "/a.md", created: 1)
        if number < 449 { _ = try server.members.add(link.at("/gone\(number).md"), atMost: 1000, at: 2) }
      }
      let last = try await server.link(file)
      var (found, cursor, pages): ([String], JSON?, Int) = ([], nil, 0)
      repeat {
        let reply = try await server.call("sharing/list_shared_links", .members(["cursor": cursor])).json
        found += reply["links"].elements.compactMap { $0["url"]?.string }
        cursor = reply["cursor"]
        pages += 1
        #expect(reply["has_more"] == .bool(cursor != nil))
      } while cursor != nil
      #expect(found == [last] && pages == 3)
      let first = try await server.call("sharing/list_shared_links", [:]).json["cursor"] ?? .null
      let ben = try MemberList(server.members).add("ben")
      #expect(tag(try await server.call("sharing/list_shared_links", ["cursor": first], token: ben)) == "reset/.")
      #expect(tag(try await server.call("sharing/list_shared_links", ["cursor": "x"])) == "reset/.")
    }
  }

  @Test("A member has so many links and no more")
  func most() throws {
    let members = try ServerMembersDatabase(path: ":memory:")
    for number in 0..<4 {
      let link = ServerLink(
        id: "\(number)", member: "m", file: "id:\(number)", epoch: "e", display: "/\(number)", created: 1)
      switch try members.add(link, atMost: 3, at: 2) {
      case .added: #expect(number < 3)
      case .tooMany: #expect(number == 3)
      case .exists: Issue.record("\(number) is not there yet")
      }
    }
  }

  @Test("The file comes whole or in parts, and a thumbnail by its link and password; a program's own secret is enough")
  func file() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "0123456789")
      let url = JSON.string(try await server.link("/a.md", ["link_password": "word"]))
      let part = try await server.fetch("sharing/get_shared_link_file", ["url": url], [("Range", "bytes=2-4")])
      #expect(part.status == 206 && part.text == "234" && part.headers["content-range"] == "bytes 2-4/10")
      let app = try AppKeys(server.members).make()
      let basic = "Basic " + Base64.text(of: "\(app.key):\(app.secret)".utf8)
      for (password, status) in [("word", 200), ("wrong", 409)] {
        let reply = try await server.client.request(
          "POST", "/2/sharing/get_shared_link_file",
          [
            ("Authorization", basic),
            ("Dropbox-API-Arg", JSON.members(["url": url, "link_password": .string(password)]).ascii),
          ])
        #expect(reply.status == status && (reply.text == "0123456789") == (status == 200))
      }
      let thumbnail = try await server.fetch(
        "files/get_thumbnail_v2", ["resource": [".tag": "link", "url": url, "password": "wrong"]])
      #expect(tag(thumbnail) == "access_denied/.")
      let noPicture = try await server.fetch(
        "files/get_thumbnail_v2", ["resource": [".tag": "link", "url": url, "password": "word"]])
      #expect(tag(noPicture) == "unsupported_extension/.")
    }
  }

  @Test("Version 1's shares give the same link")
  func version1() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.v1Put("a.md", "hello")
      let first = try await server.v1("POST", "shares/auto/a.md").json
      #expect(first["visibility"] == "PUBLIC" && first["expires"]?.string?.contains("2100") == true)
      #expect(try await server.v1("POST", "shares/auto/a.md").json == first)
      #expect(try await server.links() == [first["url"]?.string ?? ""])
      #expect(try await server.v1("POST", "shares/auto/none").status == 404)
    }
  }
}

extension ServerLink {
  fileprivate func at(_ display: String) -> ServerLink {
    ServerLink(id: id, member: member, file: file, epoch: epoch, display: display, created: created)
  }
}
