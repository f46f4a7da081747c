import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Servers that lie, break off, or speak of something else.
struct S3HostileTests {
  private func store(
    _ transport: any HTTPTransport, findings: ServerFindings = S3Scene.kept, options: [String: String] = [:]
  ) throws -> S3Store {
    try S3Scene.store(transport, findings: findings, options: options)
  }

  private func xml(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> ScriptedTransport.Answer {
    S3Scene.xml(status, text, headers)
  }

  private func page(_ inside: String, token: String?) -> String { S3Scene.page(inside, token: token) }
  private func file(_ key: String) -> String { S3Scene.file(key) }

  private func listed(_ answers: [ScriptedTransport.Answer]) async throws -> [ListPage] {
    let store = try store(ScriptedTransport(answers))
    var mark = S3ListPlace()
    var pages: [ListPage] = []
    repeat {
      let page = try await store.keys(below: .root, recursive: true, &mark)
      pages.append(ListPage(entries: page.entries, isWhole: true, unreadable: page.unreadable))
    } while mark.token != nil
    return pages
  }

  @Test func `a listing that sends one token for ever ends with corrupt`() async throws {
    let answer = xml(200, page(file("p/a"), token: "again"))
    let error = await #expect(throws: StoreError.self) { try await listed([answer, answer, answer]) }
    #expect(error?.kind == .corrupt && error?.isWrongAnswer == true)
  }

  @Test func `a listing of empty pages without end ends with corrupt`() async throws {
    let pages = (0..<1100).map { xml(200, page("", token: "t\($0)")) }
    let error = await #expect(throws: StoreError.self) { try await listed(pages) }
    #expect(error?.kind == .corrupt)
  }

  @Test func `keys that no path has are counted, the others are listed`() async throws {
    let keys = [
      "p/../x", "p//x", "p/a%2F%2Fb", "other", "p/%FF", "p/a%00b", "p/./b", "p/%2E%2E/c", "p/ok+1%2B.md", "p/",
    ]
    let pages = try await listed([xml(200, page(keys.map(file).joined(), token: nil))])
    #expect(pages.flatMap(\.entries).map(\.path.description) == ["ok 1+.md"])
    #expect(pages.map(\.unreadable) == [8])
    let entry = try #require(pages.first?.entries.first)
    #expect(entry.size == 3 && entry.modified == Timestamp(seconds: 1_767_323_045) && entry.etag == "abc")
  }

  @Test(arguments: [
    "<html><body>Sign in</body></html>", "", "<ListBucketResult><Contents>", "no", "<ListBucketResult/><x/>",
    "<!DOCTYPE l [<!ENTITY a 'b'>]><ListBucketResult/>",
    "<ListBucketResult><Contents><Key>q/a</Key></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
  ])
  func `an answer that is no listing is a wrong answer`(body: String) async throws {
    let error = await #expect(throws: StoreError.self) { try await listed([xml(200, body)]) }
    #expect(error?.kind == .server && error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    "<Size>-1</Size><ETag>\"x\"</ETag>", "<Size>18446744073709551616</Size><ETag>\"x\"</ETag>",
    "<Size>9223372036854775808</Size><ETag>\"x\"</ETag>", "<Size>3</Size>", "<Size>3</Size><ETag></ETag>",
    "<ETag>\"x\"</ETag>", "<Size>three</Size><ETag>\"x\"</ETag>",
  ])
  func `an entry that cannot be costs itself, not the list`(inside: String) async throws {
    let bad = "<Contents><Key>p/bad</Key>\(inside)</Contents>"
    let pages = try await listed([xml(200, page(file("p/a") + bad + file("p/b"), token: nil))])
    #expect(pages.flatMap(\.entries).map(\.path.description) == ["a", "b"])
    #expect(pages.map(\.unreadable) == [1])
  }

  @Test func `a look at the whole bucket fails if no key of any page can be read`() async throws {
    let pages = [xml(200, page(file("p/a%2F%2Fb"), token: "t")), xml(200, page(file("p/%FF"), token: nil))]
    let error = await #expect(throws: StoreError.self) {
      try await store(ScriptedTransport(pages)).allFiles(below: .root)
    }
    #expect(error?.kind == .server && error?.message.hasPrefix("The store lists 2 entries") == true)
  }

  @Test func `a server that ignores the prefix does not make every name taken`() async throws {
    let answer = xml(200, page(file("q/a") + file("r"), token: nil))
    let store = try store(ScriptedTransport([answer, answer]))
    let taken = await #expect(throws: StoreError.self) { try await store.isFolder(StorePath("x")) }
    var mark = S3ListPlace()
    let listed = await #expect(throws: StoreError.self) {
      _ = try await store.keys(below: StorePath("x"), recursive: true, &mark)
    }
    for error in [taken, listed] { #expect(error?.isWrongAnswer == true, "\(String(describing: error))") }
  }

  @Test func `the region that a server names is one line of 300 characters at most`() async throws {
    let region = "eu\nbyteclub: all is well\u{1B}[2J" + String(repeating: "x", count: 900_000)
    let body = "<Error><Code>PermanentRedirect</Code><Region>\(region.replacing("\u{1B}", with: ""))</Region></Error>"
    let error = await #expect(throws: StoreError.self) {
      try await store(ScriptedTransport([xml(301, body)])).isFolder(StorePath("x"))
    }
    #expect(error?.remedy.contains("\n") == false && (error?.remedy.count ?? 1000) < 400)
    #expect(error?.remedy.contains("to \"eu byteclub: all is well") == true)
  }

  @Test func `the page of a network's sign-in is no deletion`() async throws {
    let there = xml(200, "", ["ETag": "\"abc\"", "Content-Length": "3"])
    let signIn = xml(200, "<html>Sign in</html>", ["Content-Type": "text/html; charset=utf-8"])
    let transport = ScriptedTransport([there, signIn])
    let error = await #expect(throws: StoreError.self) {
      try await store(transport).delete(StorePath("a"), ifRevision: nil)
    }
    #expect(transport.recorded.map(\.request.method) == [.head, .delete])
    #expect(error?.kind == .server && error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test(
    arguments: [
      (200, ["ETag": "\"a\"", "Content-Length": "5"], "123"), (200, ["ETag": "\"a\"", "Content-Length": "2"], "123"),
      (200, ["Content-Length": "3"], "123"), (200, ["ETag": "\"a\""], "123"),
      (206, ["ETag": "\"a\"", "Content-Range": "bytes 1-3/4"], "123"),
      (206, ["ETag": "\"a\"", "Content-Range": "x"], "123"),
      (206, ["ETag": "\"a\"", "Content-Range": "bytes 0-3/4", "Content-Length": "3"], "123"),
      (206, ["ETag": "\"a\"", "Content-Range": "bytes 0-1/2", "Content-Length": "3"], "123"),
      (206, ["ETag": "\"a\"", "Content-Range": "bytes */0", "Content-Length": "3"], "123"),
    ] as [(Int, HTTPHeaders, String)])
  func `a reading of another length or part than announced fails`(
    _ row: (status: Int, headers: HTTPHeaders, body: String)
  ) async throws {
    let store = try store(ScriptedTransport([xml(row.status, row.body, row.headers)]))
    let error = await #expect(throws: StoreError.self) { try await store.readAll(StorePath("a"), limit: 100) }
    #expect(error?.kind == .server && error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test func `an empty file is read, whatever the server says to a range of it`() async throws {
    let outside = xml(416, "<Error><Code>InvalidRange</Code></Error>")
    let head = xml(200, "", ["ETag": "\"a\"", "Content-Length": "0"])
    let part = xml(206, "", ["ETag": "\"a\"", "Content-Range": "bytes */0", "Content-Length": "0"])
    for answers in [[outside, head], [part], [head]] {
      let all = try await store(ScriptedTransport(answers)).readAll(StorePath("a"), limit: 100)
      #expect(all.bytes.isEmpty && all.entry.size == 0 && all.entry.etag == "a")
    }
    let full = xml(200, "", ["ETag": "\"b\"", "Content-Length": "3"])
    let error = await #expect(throws: StoreError.self) {
      try await store(ScriptedTransport([outside, full])).readAll(StorePath("a"), limit: 100)
    }
    #expect(error?.kind == .conflict)
  }

  @Test func `another clock is taken from the refusal, once`() async throws {
    let refusal = xml(
      403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", ["Date": "Fri, 24 May 2013 01:00:00 GMT"])
    let good = xml(200, page("", token: nil))
    let transport = ScriptedTransport([refusal, good, good, refusal, refusal])
    let store = try store(transport)
    _ = try await store.isFolder(StorePath("a"))
    #expect(store.client.clockSkew == 3600)
    _ = try await store.isFolder(StorePath("a"))
    let dates = transport.recorded.map { $0.request.headers["X-Amz-Date"] }
    #expect(dates == ["20130524T000000Z", "20130524T010000Z", "20130524T010000Z"])
    let error = await #expect(throws: StoreError.self) { try await store.isFolder(StorePath("a")) }
    #expect(error?.kind == .notSignedIn && error?.remedy.contains("clock") == true)
  }

  @Test(
    arguments: [
      (404, "NoSuchBucket", .notFound), (403, "AccessDenied", .notPermitted),
      (403, "SignatureDoesNotMatch", .notSignedIn),
      (403, "InvalidAccessKeyId", .notSignedIn), (503, "SlowDown", .rateLimited), (500, "InternalError", .server),
      (301, "PermanentRedirect", .badInput), (400, "AuthorizationHeaderMalformed", .badInput),
      (501, "NotImplemented", .unsupported),
      (400, "EntityTooLarge", .tooLarge), (400, "KeyTooLongError", .badName), (403, "QuotaExceeded", .quota),
      (503, "", .offline), (507, "", .quota), (418, "", .badInput),
    ] as [(Int, String, StoreError.Kind)])
  func `an error of the server has a kind and a sentence`(
    _ row: (status: Int, code: String, kind: StoreError.Kind)
  ) async throws {
    let body = row.code.isEmpty ? "" : "<Error><Code>\(row.code)</Code><Message>m</Message></Error>"
    let store = try store(ScriptedTransport([xml(row.status, body), xml(row.status, body)]))
    let error = await #expect(throws: StoreError.self) { try await store.isFolder(StorePath("a")) }
    #expect(error?.kind == row.kind && error?.message.hasSuffix(".") == true, "\(String(describing: error))")
    #expect(error.map { "\($0)".contains("very-secret") } == false)
  }

  @Test(arguments: ["7", "Fri, 24 May 2013 00:00:07 GMT"])
  func `a busy server says when to come again`(wait: String) async throws {
    let answer = xml(503, "<Error><Code>SlowDown</Code></Error>", ["Retry-After": wait])
    let store = try store(ScriptedTransport([answer]))
    let error = await #expect(throws: StoreError.self) { try await store.isFolder(StorePath("a")) }
    #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(7), "\(String(describing: error))")
  }

  @Test(arguments: ["InvalidAccessKeyId", "SignatureDoesNotMatch"])
  func `keys that the server refuses are read again, and new ones are taken`(code: String) async throws {
    let transport = ScriptedTransport([
      xml(403, "<Error><Code>\(code)</Code></Error>"), xml(200, page("", token: nil)),
    ])
    let store = try S3Scene.store(transport) { tuning in
      tuning.variable = { name in
        switch name {
        case "AWS_ACCESS_KEY_ID": "AKIATEST"
        case "AWS_SECRET_ACCESS_KEY": transport.recorded.isEmpty ? "wrong" : "right"
        default: nil
        }
      }
    }
    #expect(try await store.isFolder(StorePath("a")) == false)
    #expect(transport.recorded.count == 2)
  }

  @Test(arguments: [
    (404, "<html><body>Not Found</body></html>", StoreError.Kind.badInput, "does not answer as an S3 server does"),
    (403, "{\"error\":\"no\"}", .badInput, "does not answer as an S3 server does"),
    (404, "", .notFound, "has nothing at the address of the bucket \"b\""),
    (
      400, "<Error><Code>ExpiredToken</Code></Error>", .notSignedIn,
      "The session token of your keys for s3.test has expired."
    ),
    (403, "<Error><Code>InvalidAccessKeyId</Code></Error>", .notSignedIn, "does not accept the keys AKIATEST"),
  ])
  func `a refusal of the bucket says what is wrong with it`(
    row: (status: Int, body: String, kind: StoreError.Kind, words: String)
  ) async throws {
    let store = try store(ScriptedTransport(Array(repeating: xml(row.status, row.body), count: 3)))
    let error = await #expect(throws: StoreError.self) { try await store.list(.root, ListOptions(.names), after: nil) }
    #expect(error?.kind == row.kind && error?.message.contains(row.words) == true, "\(String(describing: error))")
  }

  @Test func `a copy that fails inside of a success leaves the file`() async throws {
    let head = xml(200, "", ["ETag": "\"a\"", "Content-Length": "3"])
    let missing = xml(404, "")
    let empty = xml(200, page("", token: nil))
    let failed = xml(200, "<?xml version=\"1.0\"?>\n   <Error><Code>InternalError</Code></Error>")
    let transport = ScriptedTransport([head, missing, empty, failed])
    let store = try store(transport)
    let error = await #expect(throws: StoreError.self) {
      try await store.move(StorePath("a"), to: StorePath("b"), ifRevision: nil)
    }
    #expect(error?.isTemporary == true)
    #expect(transport.recorded.allSatisfy { $0.request.method != .delete })
  }

  private static let part =
    "<ListPartsResult><Part><PartNumber>1</PartNumber><Size>3</Size><ETag>&quot;e&quot;</ETag></Part></ListPartsResult>"

  @Test(
    arguments: [
      ("InternalError", .server), ("SlowDown", .rateLimited), ("NoSuchUpload", .notFound),
      ("AccessDenied", .notPermitted),
      ("ConditionalRequestConflict", .notFound), ("PreconditionFailed", .exists),
    ] as [(String, StoreError.Kind)])
  func `an error inside of a success at the end of an upload is an error`(
    _ row: (code: String, kind: StoreError.Kind)
  ) async throws {
    let transport = ScriptedTransport([
      xml(200, Self.part), xml(200, page("", token: nil)),
      xml(200, "<?xml version=\"1.0\"?>\n\n <Error><Code>\(row.code)</Code></Error>"),
      xml(200, "", ["ETag": "\"a\"", "Content-Length": "9"]),
    ])
    let session = S3Session(path: try StorePath("a"), upload: "u", partBytes: 8 << 20).word
    let uploads = S3Uploads(store: try store(transport))
    let error = await #expect(throws: StoreError.self) {
      try await uploads.finish(session, size: 3, at: StorePath("a"), mode: .create)
    }
    #expect(error?.kind == row.kind, "\(String(describing: error))")
  }

  @Test(arguments: [
    "", "no", "<ListPartsResult>", "<!DOCTYPE l [<!ENTITY a 'b'>]><ListPartsResult/>",
    "<ListPartsResult><Part><PartNumber>1</PartNumber></Part></ListPartsResult>",
    "<ListPartsResult><Part><PartNumber>0</PartNumber><Size>3</Size><ETag>e</ETag></Part></ListPartsResult>",
    "<ListPartsResult><Part><PartNumber>10001</PartNumber><Size>3</Size><ETag>e</ETag></Part></ListPartsResult>",
    "<ListPartsResult><Part><PartNumber>1</PartNumber><Size>99999999999</Size><ETag>e</ETag></Part></ListPartsResult>",
    "<ListPartsResult><Part><PartNumber>1</PartNumber><Size>-3</Size><ETag>e</ETag></Part></ListPartsResult>",
    "<ListPartsResult><Part><PartNumber>1</PartNumber><Size>3</Size><ETag>&lt;x&gt;</ETag></Part></ListPartsResult>",
    "<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>",
    "<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker></ListPartsResult>",
  ])
  func `an answer that is no list of parts is a wrong answer`(body: String) async throws {
    let session = S3Session(path: try StorePath("a"), upload: "u", partBytes: 8 << 20).word
    let uploads = S3Uploads(store: try store(ScriptedTransport([xml(200, body)])))
    let error = await #expect(throws: StoreError.self) { try await uploads.offset(of: session) }
    #expect(error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test func `a list of the same parts again and again is a wrong answer`() async throws {
    let again = Self.part.replacing(
      "</ListPartsResult>",
      with: "<IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker></ListPartsResult>")
    let session = S3Session(path: try StorePath("a"), upload: "u", partBytes: 8 << 20).word
    let uploads = S3Uploads(store: try store(ScriptedTransport([xml(200, again), xml(200, again)])))
    let error = await #expect(throws: StoreError.self) { try await uploads.offset(of: session) }
    #expect(error?.isWrongAnswer == true)
  }

  @Test func `the test of a server with another clock says so, by how many seconds`() async throws {
    let transport = ScriptedTransport { recorded in
      guard recorded.request.headers["X-Amz-Date"] == "20130524T010000Z" else {
        return .response(
          HTTPResponse(403, headers: ["Date": "Fri, 24 May 2013 01:00:00 GMT"]),
          Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8))
      }
      let body = "<R><UploadId>u</UploadId></R>"
      return .response(HTTPResponse(200, headers: ["ETag": "\"e\""]), Array(body.utf8))
    }
    let findings = try await S3SelfTest().run(store(transport).client, word: 7)
    let sentences = S3SelfTest().sentences(findings)
    #expect(sentences.contains { $0.contains("clock") && $0.contains("3600 seconds") }, "\(sentences)")
    #expect(sentences.contains { $0.contains("damage") })
  }

  @Test func `a server without conditions is read-only, unless the member says otherwise`() async throws {
    let ignored = ServerFindings(
      kind: "s3", version: S3SelfTest().version, server: "", answers: [ServerFindings.Answer("create", "ignored")])
    let transport = ScriptedTransport([
      xml(200, page("", token: nil)), xml(404, ""),
      xml(200, "", ["ETag": "\"a\"", "Date": "Fri, 24 May 2013 01:00:00 GMT"]),
      // It compares no hashes either, so the size is asked for.
      xml(200, "", ["ETag": "\"a\"", "Content-Length": "1"]),
    ])
    let closed = try store(transport, findings: ignored)
    #expect(closed.limits.conditions == .none)
    let error = await #expect(throws: StoreError.self) {
      try await closed.put(DataSource("x".utf8), at: StorePath("a"), mode: .create)
    }
    #expect(error?.kind == .notPermitted && error?.remedy.contains("unsafeWrites") == true)
    let open = try store(transport, findings: ignored, options: ["unsafeWrites": "true"])
    #expect(try await open.put(DataSource("x".utf8), at: StorePath("a"), mode: .create).etag == "a")
  }

  @Test func `a name that was reserved an hour ago is free again, a newer one is not`() async throws {
    let taken = xml(412, "", ["Date": "Fri, 24 May 2013 02:00:00 GMT"])
    func reserved(_ time: String) -> ScriptedTransport.Answer {
      xml(
        200, "",
        [
          "ETag": "\"d\"", "Content-Length": "0", S3Store.reservationField: "x",
          "Last-Modified": "Fri, 24 May 2013 \(time) GMT",
        ])
    }
    for (time, kind) in [("00:59:59", StoreError.Kind.server), ("01:00:01", .exists)] {
      let transport = ScriptedTransport([
        xml(200, page("", token: nil)), taken, reserved(time), reserved(time), xml(204, ""),
      ])
      let store = try store(transport)
      let error = await #expect(throws: StoreError.self) {
        try await store.put(DataSource("x".utf8), at: StorePath("a"), mode: .create)
      }
      #expect(error?.kind == kind)
      #expect(transport.recorded.contains { $0.request.method == .delete } == (kind == .server))
    }
  }

  @Test func `leavings of killed tests go after an hour, newer ones and foreign keys stay`() async throws {
    let paths = Mutex<[String]>([])
    func item(_ key: String, _ time: String) -> String {
      "<Contents><Key>\(key)</Key><LastModified>2013-05-24T\(time).000Z</LastModified></Contents>"
    }
    let list = page(
      item("p/.byteclub-probe/old", "00:30:00") + item("p/.byteclub-probe/new", "01:30:00")
        + item("p/note", "00:30:00"),
      token: nil)
    let transport = ScriptedTransport { recorded in
      if recorded.request.method == .delete { paths.withLock { $0.append(recorded.request.url) } }
      let isList = recorded.request.url.contains("list-type") && !recorded.request.url.contains("max-keys")
      return .response(
        HTTPResponse(isList ? 200 : 503, headers: ["Date": "Fri, 24 May 2013 02:00:00 GMT"]), Array(list.utf8))
    }
    _ = try? await S3SelfTest().run(store(transport).client, word: 7)
    let deleted = paths.withLock { $0 }.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    #expect(deleted == ["7-1", "7-2", "7-3", "old"])
  }

  @Test func `no log has keys or signatures`() async throws {
    let lines = Mutex<[String]>([])
    let transport = LoggingTransport(ScriptedTransport([xml(403, "<Error><Code>AccessDenied</Code></Error>")])) {
      line in
      lines.withLock { $0.append(line) }
    }
    _ = try? await store(transport).isFolder(StorePath("a"))
    let all = lines.withLock { $0.joined() }
    #expect(
      all.contains("GET s3.test/b") && !all.contains("secret") && !all.contains("AKIA") && !all.contains("Signature"))
  }

  @Test(arguments: [
    ([:], "https://b.s3.us-east-1.amazonaws.com", "/p/a%20b"),
    (["endpoint": "https://s3.test:9000/"], "https://s3.test:9000", "/b/p/a%20b"),
    (["endpoint": "https://s3.test", "style": "host"], "https://b.s3.test", "/p/a%20b"),
    (["endpoint": "http://127.0.0.1:1", "prefix": "/x/y"], "http://127.0.0.1:1", "/b/x/y/a%20b"),
    (["region": "eu-west-1", "prefix": ""], "https://b.s3.eu-west-1.amazonaws.com", "/a%20b"),
  ])
  func `settings say where requests go`(_ row: (options: [String: String], origin: String, path: String)) throws {
    let options = ["bucket": "b", "prefix": "p/"].merging(row.options) { $1 }
    let place = try S3Place(StoreDescription(kind: "s3", options: options))
    #expect(place.origin.description == row.origin)
    #expect(place.requestPath(place.key(try StorePath("a b"))) == row.path)
  }

  @Test(arguments: [
    ["endpoint": "s3.test"], ["endpoint": "https://s3.test/path"], ["endpoint": "http://s3.test"], ["bucket": "a b"],
    ["bucket": "a/b"], ["region": "é"], ["region": "evil.example/"], ["region": "evil.example?"],
    ["region": "evil.example:443"], ["bucket": "evil.example?"], ["bucket": "evil.example:443"],
    ["bucket": "evil.example#", "endpoint": "https://s3.test", "style": "host"], ["prefix": "a/../b"],
    ["prefix": "a//b"], ["bucket": ""],
  ])
  func `settings that cannot be are badInput`(options: [String: String]) {
    let all = ["bucket": "b"].merging(options) { $1 }
    let error = #expect(throws: StoreError.self) { try S3Kind().check(StoreDescription(kind: "s3", options: all)) }
    #expect(error?.kind == .badInput && error?.message.hasSuffix(".") == true)
  }
}
