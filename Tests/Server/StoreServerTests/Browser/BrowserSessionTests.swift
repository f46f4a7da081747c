import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Sessions of members in a browser.
@Suite(.serialized) struct BrowserSessionTests {
  static let pages = [
    "/club", "/club/", "/club/notes/", "/club/notes/?q=pier", "/club/notes/Walk.md", "/club/photos/",
    "/club/photos/?before=9",
    "/club/photos/photos/pier.jpg", "/club/photos/photos/pier.jpg?preview=1",
    "/club/photos/photos/pier.jpg?preview=small", "/club/bring", "/club/nothing", "/club/notes/none.md", "/club/leave",
  ]

  @Test("The page at /join has a form for a code, over TLS or on this machine, and only with --pages")
  func joinPage() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let page = try await server.client.request("GET", "/join")
      #expect(page.status == 200 && page.text.contains("<form method=\"post\" action=\"/join\">"))
      #expect(page.headers["referrer-policy"] == "same-origin" && page.headers["cache-control"] == "no-store")
      let far = "GET /join HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\n\r\n"
      let plain = try await server.client.exchange(Array(far.utf8))
      #expect(plain.status == 200 && !plain.text.contains("<form") && plain.text.contains("by https"))
    }
    try await withServer { (server: TestServer) async throws in
      let page = try await server.client.request("GET", "/join")
      #expect(!page.text.contains("<form"))
      #expect(try await server.post("/join", ["code": "x"], TestBrowser.ownSite).status == 400)
      for path in Self.pages { #expect(try await server.client.request("GET", path).status == 404, "\(path)") }
    }
    for (origin, can) in [
      ("https://club.example", true), ("http://localhost:8443", true), ("http://127.0.0.1", true),
      ("http://[::1]:1", true), ("http://club.example", false), ("http://localhost.example", false),
    ] {
      #expect(BrowserSession.canBegin(at: origin) == can, "\(origin)")
    }
  }

  @Test("A code in whatever was pasted begins a session, whose cookie no script and no other site gets")
  func begin() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let code = try JoinCodes(server.members).invite("ben", seconds: 60).code
      let (line, device) = ("byteclub join 'https://club.example/join#\(code).\(FreshID.word(43))'", FreshID.word(22))
      let agent = ("User-Agent", "Mozilla/5.0 (Linux; Android 16) Gecko/140.0 Firefox/140.0")
      let reply = try await server.post(
        "/join", ["code": line, "device": device], TestBrowser.ownSite + [agent])
      #expect(reply.status == 303 && reply.headers["location"] == "/club/" && reply.body.isEmpty)
      #expect(reply.headers["cache-control"] == "no-store")
      let field = try #require(reply.headers["set-cookie"])
      #expect(field.hasPrefix("__Host-byteclub=bc."))
      #expect(field.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax"))
      let cookie = try #require(TestServer.cookie(reply))
      #expect(
        try await TestBrowser(server: server, cookie: cookie).open("/club/").text.contains("Here as <bdi>ben</bdi>"))
      // The same form again, such as by a second click, is the same session.
      let again = try await server.post("/join", ["code": line, "device": device], TestBrowser.ownSite)
      #expect(TestServer.cookie(again) == cookie)
      #expect(try server.devices("ben").map(\.name) == ["Firefox on Android"])
      // It is no token of the API, and the server keeps its hash alone.
      #expect(try await server.call("users/get_current_account", .null, token: cookie).status == 401)
      let secret = Array(try #require(cookie.split(separator: ".").last).utf8)
      for file in everything(below: server.data) {
        let bytes = FileManager.default.contents(atPath: server.data + "/" + file) ?? Data()
        #expect(bytes.range(of: Data(secret)) == nil, "\(file)")
      }
    }
  }

  @Test("A wrong code, whatever is wrong with it, gets one answer, and too many wait")
  func wrong() async throws {
    try await withServer(tune: {
      TestServer.allowPages(&$0)
      $0.failuresPerMinute = 6
    }) { server in
      let used = try JoinCodes(server.members).invite("ben", seconds: 60).code
      _ = try await server.join(used)
      let device = FreshID.word(22)
      var answers: Set<String> = []
      for code in [used, FreshID.code(), "", "#", "<script>alert(1)</script>", server.token] {
        let reply = try await server.post("/join", ["code": code, "device": device], TestBrowser.ownSite)
        #expect(reply.status == 403 && reply.headers["set-cookie"] == nil && !reply.text.contains("<script"))
        answers.insert(reply.text)
      }
      #expect(answers.count == 1)
      let late = try await server.post("/join", ["code": used], TestBrowser.ownSite)
      #expect(late.status == 429 && late.headers["retry-after"] != nil)
      let large = try await server.post(
        "/join", ["code": String(repeating: "x", count: Call.largestBrowserForm)], TestBrowser.ownSite)
      #expect(large.status == 413 && large.text.contains("<h1>"))
    }
  }

  @Test(
    "A code that another site sends begins no session", arguments: ["cross-site", "same-site", "none", "foreign", ""])
  func foreignJoin(site: String) async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let code = try JoinCodes(server.members).invite("ben", seconds: 60).code
      let fields =
        site == "foreign" ? [("Origin", "https://evil.example")] : site.isEmpty ? [] : [("Sec-Fetch-Site", site)]
      let reply = try await server.post("/join", ["code": code], fields)
      #expect(reply.status == 403 && reply.headers["set-cookie"] == nil)
      let own = [("Origin", "http://127.0.0.1:\(server.client.port)")]
      #expect(try await server.post("/join", ["code": code], own).status == 303, "the code is still good")
    }
  }

  @Test("Without a session of this club that goes on, each page leads to /join") func nobody() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      let (ben, kim, max) = (
        try await server.browser("ben"), try await server.browser("kim"), try await server.browser("max")
      )
      var cookies = [nil, "", "x", server.token, ben.cookie.map { $0.dropLast() + "!" }]
      // Ended by its member, with its member, and by its time.
      let device = try #require(try server.devices("ben").first)
      #expect(try server.members.remove(device: device.id, of: try server.member("ben").id))
      cookies.append(ben.cookie)
      try MemberList(server.members).remove("kim")
      cookies.append(kim.cookie)
      let old = try JoinCodes(server.members).invite("old", seconds: 60).code
      let now = ServerOptions.now()
      cookies.append(
        try JoinCodes(server.members).redeem(old, device: FreshID.word(22), name: nil, session: now - 1, at: now)?.token
      )
      try await withServer(tune: TestServer.allowPages) { other in cookies.append(try await other.browser("ben").cookie)
      }
      for cookie in cookies {
        let browser = TestBrowser(server: server, cookie: cookie)
        for path in Self.pages {
          let reply = try await browser.open(path)
          #expect(reply.status == 303 && reply.headers["location"] == "/join", "\(path)")
          #expect(
            reply.headers["cache-control"] == "no-store" && reply.body.isEmpty && reply.headers["set-cookie"] == nil)
          let sent = try await browser.post(path, ["form": "x", "text": "words"])
          #expect(sent.status == 303 && sent.headers["location"] == "/join", "\(path)")
        }
      }
      #expect(try await max.open("/club/").status == 200)
    }
  }

  @Test("A session is listed and ended with the devices, and ends itself by its last form") func ends() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let phone = try await server.browser("ben")
      let token = try #require(
        try await server.join(try JoinCodes(server.members).invite("ben", seconds: 60).code, name: "laptop")
          .json["access_token"]?.string)
      let listed = try await server.call("byteclub/devices", .null, token: token).json["devices"].elements
      #expect(Set(listed.map { $0["name"]?.string }) == ["a browser", "laptop"])
      let id = try #require(listed.first { $0["name"] == "a browser" }?["id"])
      #expect(try await phone.open("/club/").status == 200)
      #expect(try await server.call("byteclub/device_remove", ["id": id], token: token).status == 200)
      #expect(try await phone.open("/club/").status == 303)
      let tablet = try await server.browser("ben")
      let left = try await tablet.post("/club/leave", ["form": try await tablet.form(of: "/club/")])
      #expect(left.status == 303 && left.headers["location"] == "/join")
      #expect(left.headers["set-cookie"]?.hasPrefix("__Host-byteclub=; Path=/; Max-Age=0;") == true)
      #expect(try await tablet.open("/club/").status == 303)
      #expect(try server.devices("ben").map(\.name) == ["laptop"])
    }
  }

  @Test("Of several clubs of a server, the code and the cookie choose theirs") func clubs() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: TestServer.allowPages, others: ["garage"]) { server in
        let garage = try #require(server.others.first)
        try await server.upload("/first.md", "one")
        try await garage.upload("/second.md", "two")
        let browser = try await garage.browser("ben")
        let text = try await browser.open("/club/notes/").text
        #expect(text.contains("second.md") && !text.contains("first.md"))
        let code = try JoinCodes(server.members).invite("kim", seconds: 60).code
        let line = "https://club.example/join#" + code
        let first = try await server.post("/join", ["code": line], TestBrowser.ownSite)
        let other = TestBrowser(server: server, cookie: TestServer.cookie(first))
        #expect(try await other.open("/club/notes/").text.contains("first.md"))
      }
    }
  }
}
