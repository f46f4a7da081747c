import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// Answers that no honest server gives.
@Suite struct WebDAVHostileTests {
  private static let pool = BlockingPool()

  private func store(_ answers: [ScriptedTransport.Answer], limit: Int = 1 << 20) throws -> WebDAVStore {
    var tuning = WebDAVTuning()
    tuning.listingBytes = limit
    let description = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    return try WebDAVKind.open(
      description, pool: Self.pool,
      network: StoreNetwork(transport: ScriptedTransport(answers), tokens: StaticToken("x")), tuning: tuning)
  }

  private static func multistatus(_ hrefs: [String]) -> String {
    let files = hrefs.map { href in
      "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>"
        + "<D:resourcetype>\(href.hasSuffix("/") ? "<D:collection/>" : "")</D:resourcetype>"
        + "<D:getcontentlength>1</D:getcontentlength><D:getetag>\"t\"</D:getetag></D:prop>"
        + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }
    return "<D:multistatus xmlns:D=\"DAV:\">\(files.joined())</D:multistatus>"
  }

  @Test(arguments: [
    "/dav/club/../../etc/passwd", "/dav/club/%2e%2e/x", "/dav/club/a%2Fb", "/dav/club/a%00b", "/dav/club/%zz",
    "/dav/club/%4", "https://evil.example/x", "//evil.example/dav/club/x", "/other/x", "/dav/club/a/b", "x", "",
    "javascript:alert(1)", "javascript://h.example/dav/club/x", "/dav/clubs/x", "/club/x",
  ])
  func `a name that leads elsewhere is counted, and not listed`(href: String) async throws {
    let store = try store([.text(207, Self.multistatus(["/dav/club/", "/dav/club/good.md", href]))])
    let page = try await store.list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.map(\.path.description) == ["good.md"] && page.unreadable == 1)
  }

  @Test(arguments: [
    ("/dav/club/a%20b.md", "a b.md"), ("/dav/club/%C3%A9", "é"), ("http://h.example:80/dav/club/x", "x"),
    ("/dav/club/x?y", "x"), ("/%64av/club/x", "x"), ("/dav//club/x", "x"), ("\n /dav/club/x \n", "x"),
    ("http://backend.internal:8080/dav/club/x", "x"), ("HTTPS://ann@other.example/dav/club/x", "x"),
  ])
  func `a name is read in each form that servers write`(row: (href: String, name: String)) async throws {
    let store = try store([.text(207, Self.multistatus([row.href]))])
    let page = try await store.list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.map(\.path.description) == [row.name])
  }

  @Test(arguments: [
    ("/club/", "/club/x"), ("/", "/x"), ("https://other.example/club/", "https://other.example/club/x"),
  ])
  func `names are read behind a proxy that takes the beginning of each path away`(
    row: (own: String, href: String)
  ) async throws {
    let list = Self.multistatus([row.own, row.href])
    let page = try await store([.text(207, list)]).list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.map(\.path.description) == ["x"])
  }

  @Test func `an entry that is listed twice is one entry`() async throws {
    let list = Self.multistatus(["/dav/club/", "/dav/club/x", "/dav/club/%78", "/dav/club/"])
    let page = try await store([.text(207, list)]).list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.map(\.path.description) == ["x"] && page.unreadable == 0)
  }

  @Test(arguments: [["/other/", "/other/x"], ["/dav/club/", "/other/x"], []])
  func `a list of which nothing can be read is an error, and no empty folder`(hrefs: [String]) async throws {
    let base = try store(Array(repeating: .text(207, Self.multistatus(hrefs)), count: 8))
    let store = RetryingStore(base, clock: ManualClock(advancesOnSleep: true))
    let error = await #expect(throws: StoreError.self) { try await store.list(.root, ListOptions(.full), after: nil) }
    #expect(error?.kind == .server && error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test func `a look of which nothing can be read does not show that all files are gone`() async throws {
    let lists = [["/dav/club/", "/dav/club/a.md"], ["/other/", "/other/a.md"], ["/dav/club/", "/dav/club/a.md"]]
    let changes = try #require(try store(lists.map { .text(207, Self.multistatus($0)) }).capabilities.changes)
    let cursor = try await changes.start()
    let error = await #expect(throws: StoreError.self) { try await changes.poll(since: cursor) }
    #expect(error?.kind == .server && error?.isWrongAnswer == true, "\(String(describing: error))")
    #expect(try await changes.poll(since: cursor).changes.isEmpty)
  }

  @Test func `a folder that leads back to itself ends the list in words`() async throws {
    let clock = ManualClock()
    var tuning = WebDAVTuning()
    tuning.clock = clock
    let transport = ScriptedTransport { recorded in
      clock.advance(by: .seconds(1))
      let place = recorded.target.hasSuffix("/") ? recorded.target : recorded.target + "/"
      let folders = ["", "a/", "b/"].map { name in
        "<D:response><D:href>\(place)\(name)</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype>"
          + "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
      }
      return .text(207, "<D:multistatus xmlns:D=\"DAV:\">\(folders.joined())</D:multistatus>")
    }
    let description = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    let store = try WebDAVKind.open(
      description, pool: Self.pool, network: StoreNetwork(transport: transport, tokens: StaticToken("x")),
      tuning: tuning)
    let error = await #expect(throws: StoreError.self) {
      try await store.list(.root, ListOptions(.full, recursive: true), after: nil)
    }
    #expect(error?.kind == .tooLarge && error?.message.contains("within 30 minutes") == true)
    #expect(error?.remedy.contains("a folder may lead back to itself") == true)
  }

  @Test(arguments: [
    "", "<html><body>Please sign in</body></html>", "<D:multistatus xmlns:D=\"DAV:\">", "{\"a\":1}", "\u{0}\u{1}",
    "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><D:multistatus xmlns:D=\"DAV:\">&b;</D:multistatus>",
    "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><x>&a;</x>",
    String(repeating: "<a>", count: 10_000), "<a " + String(repeating: "x", count: 200_000),
  ])
  func `an answer that is no list is an error with a sentence`(body: String) async throws {
    let store = try store([.text(207, body)])
    let error = await #expect(throws: StoreError.self) {
      try await store.list(.root, ListOptions(.full), after: nil)
    }
    #expect(error?.kind == .server && error?.isWrongAnswer == true && error?.message.hasSuffix(".") == true)
  }

  private static func file(_ length: String, tag: String = "\"t\"") -> String {
    """
    <D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/club/a</D:href><D:propstat><D:prop><D:resourcetype/>\
    \(length)<D:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</D:getlastmodified><D:getetag>\(tag)</D:getetag>\
    </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
    """
  }

  private static func length(_ text: String) -> String { "<D:getcontentlength>\(text)</D:getcontentlength>" }

  @Test(arguments: ["", length(""), length("-1"), length("1 2"), length("0x10"), length("99999999999999999999999")])
  func `a file without a length that can be is not taken for an empty one`(length: String) async throws {
    let answers: [ScriptedTransport.Answer] = [.text(207, Self.file(length)), .text(200, "")]
    let page = try await store(answers).list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.isEmpty && page.unreadable == 1)
    let store = try store(answers)
    let error = await #expect(throws: StoreError.self) { try await store.readAll(StorePath("a"), limit: 100) }
    #expect(error?.kind == .notFound)
  }

  @Test(arguments: ["", length("-1")]) func `a file without a length has that of its own answer`(
    length: String
  ) async throws {
    let head = ScriptedTransport.Answer.text(200, "", headers: ["Content-Length": "700"])
    let page = try await store([.text(207, Self.file(length)), head]).list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.map(\.size) == [700])
  }

  @Test(
    arguments: [(3, "longer than three", [:]), (9, "short", [:]), (9, "", [:]), (3, "abcdef", ["ETag": "\"t\""])]
      as [(Int, String, HTTPHeaders)])
  func `bytes that are not as many as the listing says are an error`(
    row: (size: Int, body: String, headers: HTTPHeaders)
  ) async throws {
    let list = Self.file(Self.length("\(row.size)"))
    let store = try store([.text(207, list), .text(200, row.body, headers: row.headers), .text(207, list)])
    let error = await #expect(throws: StoreError.self) { try await store.readAll(StorePath("a"), limit: 100) }
    #expect(error?.message.hasSuffix(".") == true, "\(String(describing: error))")
  }

  @Test(arguments: ["", "\"\"", "\"a\"b\"", "\"a b\"", "\"\u{e9}\"", "\"\(String(repeating: "x", count: 501))\""])
  func `a tag that no header can carry back does not count`(tag: String) async throws {
    let store = try store([.text(207, Self.file(Self.length("1"), tag: tag))])
    let page = try await store.list(.root, ListOptions(.full), after: nil)
    let revision = try #require(page.entries.first?.revision)
    #expect(WebDAVTag.quoted(revision) == nil)
  }

  @Test(arguments: ["", "27"]) func `the page of a network's sign-in does not pass for the bytes of a file`(
    length: String
  ) async throws {
    var headers: HTTPHeaders = ["Content-Type": "text/html"]
    if !length.isEmpty { headers["Content-Length"] = length }
    let page = ScriptedTransport.Answer.text(200, "<html>Welcome to the train", headers: headers)
    let store = try store([.text(207, Self.file(Self.length("5000"))), page])
    var received = 0
    let error = await #expect(throws: StoreError.self) {
      try await store.read(StorePath("a"), ReadOptions()) { received += $0.count }
    }
    #expect(received == 0 && error?.kind == .server && error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test func `the page of a network's sign-in is no success of a write`() async throws {
    let page = ScriptedTransport.Answer.text(200, "<html>Welcome</html>", headers: ["Content-Type": "text/html"])
    let store = try store([page])
    let error = await #expect(throws: StoreError.self) { try await store.createFolder(StorePath("sub")) }
    #expect(error?.kind == .server && error?.isWrongAnswer == true)
  }

  @Test func `a list without an end ends at its limit`() async throws {
    let many = Self.multistatus((0..<20_000).map { "/dav/club/file-\($0).md" })
    let store = try store([.text(207, many)], limit: 100_000)
    let error = await #expect(throws: StoreError.self) { try await store.list(.root, ListOptions(.full), after: nil) }
    #expect(error?.message.contains("100000 bytes") == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (401, StoreError.Kind.notSignedIn), (403, .notPermitted), (301, .unsupported), (429, .rateLimited), (500, .server),
    (502, .offline), (507, .quota), (404, .notFound), (423, .rateLimited),
  ])
  func `a status is an error of its kind`(row: (status: Int, kind: StoreError.Kind)) async throws {
    let store = try store(Array(repeating: .text(row.status, ""), count: 4))
    let error = await #expect(throws: StoreError.self) { try await store.list(.root, ListOptions(.full), after: nil) }
    #expect(error?.kind == row.kind && error?.message.hasSuffix(".") == true, "\(String(describing: error))")
  }

  @Test(arguments: [429, 503]) func `a busy server says when to come again`(status: Int) async throws {
    let store = try store(Array(repeating: .text(status, "", headers: ["Retry-After": "7"]), count: 4))
    let error = await #expect(throws: StoreError.self) { try await store.list(.root, ListOptions(.full), after: nil) }
    #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(7), "\(String(describing: error))")
  }

  @Test func `the owner of a lock is named`() {
    let body = """
      <D:prop xmlns:D="DAV:"><D:lockdiscovery><D:activelock><D:owner><D:href>ben at home</D:href></D:owner>\
      </D:activelock></D:lockdiscovery></D:prop>
      """
    #expect(WebDAVLock.owner(in: Array(body.utf8)) == "ben at home")
    #expect(WebDAVLock.owner(in: Array("<a".utf8)) == nil)
  }
}
