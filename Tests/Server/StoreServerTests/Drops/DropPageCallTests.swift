import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Drop pages by the API: made, listed and ended by the member whose they are.
@Suite(.serialized) struct DropPageCallTests {
  private static func allow(_ options: inout ServerOptions) {
    (options.servesDropPages, options.sharesLinks) = (true, true)
  }

  private func tag(_ reply: Reply) -> String { reply.json["error_summary"]?.string ?? "\(reply.status) \(reply.text)" }

  @Test("A page has its address, folder, end, limit and giver, in a folder that need not be there")
  func make() async throws {
    try await withServer(tune: Self.allow) { server in
      let end = WireTime.text(ServerOptions.now() + 600)
      let reply = try await server.call(
        "byteclub/drop_page",
        ["path": "/Photos/Oslo", "from": " Mia ", "expires": .string(end), "limit": .integer(1_000)])
      let page = reply.json
      let url = try #require(page["url"]?.string)
      #expect(url.hasPrefix("http://127.0.0.1:\(server.client.port)/d/"))
      #expect(page[".tag"] == "drop" && page["path_lower"] == "/photos/oslo" && page["name"] == "Oslo")
      #expect(page["expires"] == .string(end) && page["limit"] == .integer(1_000) && page["from"] == "Mia")
      #expect(try await server.paths() == [])
      let plain = try await server.call("byteclub/drop_page", ["path": ""])
      #expect(plain.json["path_lower"] == "" && plain.json["name"] == "" && plain.json["from"] == nil)
      #expect(plain.json["limit"] == .integer(500 << 20) && plain.json["expires"]?.string != nil)
      try await server.upload("/note.md", "text")
      for (argument, error) in [
        (["path": "/note.md"], "path/not_folder/."), (["path": "/.club-trash"], "path/disallowed_name/."),
        (["path": "/note.md/in"], "path/conflict/file_ancestor/."), (["path": "/a/.."], "path/malformed_path/."),
        (["path": "/a", "expires": "2001-01-01T00:00:00Z"], "settings_error/invalid_settings/."),
        (["path": "/a", "from": "\u{202E}()"], "settings_error/invalid_settings/."),
      ] as [(JSON, String)] {
        let refused = try await server.call("byteclub/drop_page", argument)
        #expect(refused.status == 409 && tag(refused) == error, "\(argument): \(refused.text)")
      }
      for argument in [
        ["path": "/a", "expires": "soon"], ["path": "/a", "limit": .integer(0)], ["path": "/a", "more": true],
        ["path": "/a", "limit": "1"], ["path": "a"],
      ] as [JSON] {
        #expect(try await server.call("byteclub/drop_page", argument).status == 400, "\(argument)")
      }
    }
  }

  @Test("Without --drop-pages none is made and none opens, but those that are there are listed and ended")
  func off() async throws {
    try await withTemporaryFolder { folder in
      var url = ""
      try await withServer(in: folder, tune: Self.allow) { server in
        url = try await server.dropPage()
        #expect(try await server.client.request("GET", server.path(url)).status == 200)
      }
      // The members' list is the same, and the first member's token is new.
      try await withServer(in: folder) { server in
        let refused = try await server.call("byteclub/drop_page", ["path": "/in"])
        #expect(refused.status == 409 && refused.json.at("error", ".tag") == "drop_pages_off", "\(refused.text)")
        #expect(try await server.client.request("GET", server.path(url)).status == 404)
        let owner = try #require(try server.members.dropPage(id: String(server.path(url).dropFirst(3).prefix(11))))
        let token = try MemberList(server.members).token(for: owner.member.name)
        #expect(
          try await server.links(["byteclub_drop_pages": true], token: token).map(server.path) == [server.path(url)])
        let ended = try await server.call("sharing/revoke_shared_link", ["url": .string(url)], token: token)
        #expect(ended.status == 200, "\(ended.text)")
      }
    }
  }

  @Test("Pages are listed among links for those who ask, by folder too, and for nobody else")
  func list() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/in/a.md", "text")
      let link = try await server.link("/in")
      let (one, two) = (try await server.dropPage(), try await server.dropPage(["path": "/other"]))
      #expect(try await server.links() == [link])
      #expect(try await server.links(["byteclub_drop_pages": true]) == [link, one, two])
      #expect(try await server.links(["byteclub_drop_pages": true, "path": "/IN"]) == [link, one])
      let ben = try MemberList(server.members).add("ben")
      #expect(try await server.links(["byteclub_drop_pages": true], token: ben) == [])
      let stolen = try await server.call("sharing/revoke_shared_link", ["url": .string(one)], token: ben)
      #expect(tag(stolen) == "shared_link_access_denied/.")
      #expect(try await server.call("sharing/revoke_shared_link", ["url": .string(one)]).status == 200)
      #expect(
        tag(try await server.call("sharing/revoke_shared_link", ["url": .string(one)])) == "shared_link_not_found/.")
      #expect(try await server.links(["byteclub_drop_pages": true]) == [link, two])
      #expect(try await server.drop(one, [.picture("a.jpg")]).status == 404)
    }
  }

  @Test("An unknown, ended or foreign page and one whose member is gone are the page of a link that is gone")
  func gone() async throws {
    try await withServer(tune: Self.allow) { server in
      var paths = ["/d/", "/d/a", "/d/\(FreshID.word(33))", "/d/%00", "/d/../d"]
      let ended = try await server.dropPage()
      _ = try await server.call("sharing/revoke_shared_link", ["url": .string(ended)])
      let ben = try MemberList(server.members).add("ben")
      paths += [server.path(ended), server.path(try await server.dropPage(token: ben))]
      try MemberList(server.members).remove("ben")
      let old = ServerDropPage(
        id: AddressWords.freshID(), member: try server.members.members()[0], folder: "/in", guest: nil, created: 1,
        expires: ServerOptions.now() - 1, mostBytes: 100)
      #expect(try server.members.add(old, atMost: 9, at: 1))
      let words = AddressWords(Seal(key: try server.members.secret("drop pages")), for: "drop page")
      paths.append("/d/" + words.word(old.id))
      try await withServer(tune: Self.allow) { other in paths.append(other.path(try await other.dropPage())) }
      let first = try await server.client.request("GET", "/s/\(FreshID.word(33))")
      for path in paths {
        for method in ["GET", "POST"] {
          let reply = try await server.client.request(
            method, path, [TestServer.formType], method == "GET" ? [] : TestServer.form([.picture("a.jpg")]))
          #expect(reply.status == 404 && reply.text == first.text, "\(method) \(path)")
          let fields = ["content-security-policy", "cache-control", "referrer-policy"]
          #expect(fields.allSatisfy { reply.headers[$0] == first.headers[$0] }, "\(method) \(path)")
        }
      }
      #expect(try await server.paths() == [])
    }
  }

  @Test("A member has a hundred pages at most, and those that have ended do not count")
  func most() async throws {
    try await withServer(tune: Self.allow) { server in
      var urls: [String] = []
      for _ in 0..<ServedDropPages.mostOfMember { urls.append(try await server.dropPage()) }
      let refused = try await server.call("byteclub/drop_page", ["path": "/in"])
      #expect(tag(refused) == "too_many_drop_pages/.")
      _ = try await server.call("sharing/revoke_shared_link", ["url": .string(urls[0])])
      #expect(try await server.dropPage() != urls[0])
    }
  }
}
