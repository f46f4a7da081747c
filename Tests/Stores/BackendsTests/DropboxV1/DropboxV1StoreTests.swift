import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Tokens in a row, each of which can be refused.
private final class TokenRow: AccessTokens {
  private let left: Mutex<[String]>

  init(_ tokens: [String]) { left = Mutex(tokens) }

  func token(refusing stale: String?) async throws(StoreError) -> String {
    let next: String? = left.withLock { left in
      if let stale { left.removeAll { $0 == stale } }
      return left.first
    }
    guard let next else { throw StoreError(.notSignedIn, "You are not signed in.") }
    return next
  }
}

@Suite struct DropboxV1StoreTests {
  @Test("The signature of a request is RFC 5849's, as another program computes it")
  func vector() {
    let keys = OAuth1Keys(consumerKey: "key", consumerSecret: "secret", token: "at", tokenSecret: "as")
    let signer = OAuth1Signer(keys, .hmacSHA1, now: { 1_376_176_863 }, nonce: { "12345678" })
    let field = signer.authorization("GET", "https://api.dropbox.com/1/account/info", [("locale", "en")])
    #expect(field.contains(#"oauth_signature="W%2BQGKYkf3z0y2zXQP0T4gQ886OU%3D""#), "\(field)")
    #expect(field.hasPrefix("OAuth oauth_version=\"1.0\", oauth_signature_method=\"HMAC-SHA1\""))
  }

  @Test("The example of RFC 5849, section 1.2, has its signature")
  func example() {
    let keys = OAuth1Keys(
      consumerKey: "dpf43f3p2l4k3l03", consumerSecret: "kd94hf93k423kf44", token: "nnch734d00sl2jdk",
      tokenSecret: "pfkkdhi9sl3r4s00")
    let signer = OAuth1Signer(keys, .plaintext, now: { 0 }, nonce: { "" })
    #expect(
      signer.authorization("GET", "https://photos.example.net/photos", [])
        .hasSuffix(#"oauth_signature="kd94hf93k423kf44%26pfkkdhi9sl3r4s00""#))
  }

  @Test("A refused token is renewed once, and the call is sent again, body and all")
  func renewal() async throws {
    let scene = try DropboxV1Scene(
      [DropboxV1.badToken, .text(200, DropboxV1.file("/club/a"))], signIn: .bearer(TokenRow(["old", "new"])))
    _ = try await scene.store.put("hello", at: "a", .overwrite)
    let sent = scene.transport.recorded
    #expect(sent.map { $0.request.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    #expect(sent.map(\.text) == ["hello", "hello"])
  }

  @Test("A third token that is refused is notSignedIn, and nothing is asked a fourth time")
  func refusedAgain() async throws {
    let scene = try DropboxV1Scene(
      [DropboxV1.badToken, DropboxV1.badToken, DropboxV1.badToken], signIn: .bearer(TokenRow(["old", "new", "newer"])))
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == .notSignedIn && thrown?.remedy.contains("byteclub login") == true)
    #expect(scene.calls.count == 3)
  }

  @Test("A wait under a sign-in that has ended goes on under the next one, after a list, and is not repeated at once")
  func signedInAgain() async throws {
    let clock = ManualClock(advancesOnSleep: true)
    let scene = try DropboxV1Scene(
      [
        DropboxV1.badToken, DropboxV1.cursor, .text(200, #"{"changes":true}"#),
        DropboxV1.delta([#"["/club/a",\#(DropboxV1.file("/club/a"))]"#]),
      ], tune: { $0.clock = clock })
    let feed = try #require(scene.store.capabilities.changes)
    let set = try await feed.wait(since: ChangeCursor("OLD"))
    #expect(set.mustRelist && set.cursor.value == "CURSOR-1")
    let start = clock.now
    #expect(try await feed.wait(since: set.cursor).changes.count == 1)
    #expect(start.duration(to: clock.now) > .seconds(5))
  }

  @Test("A wait under a sign-in that has ended says who has to sign in, when nobody has")
  func signedOut() async throws {
    let scene = try DropboxV1Scene(
      [DropboxV1.badToken, DropboxV1.badToken], signIn: .bearer(StaticToken("t", remedy: "Set it anew.")))
    let thrown = await #expect(throws: StoreError.self) {
      _ = try await scene.store.capabilities.changes?.wait(since: ChangeCursor("OLD"))
    }
    #expect(thrown?.kind == .notSignedIn && thrown?.remedy == "Set it anew." && scene.calls.count == 2)
  }

  @Test("A token without its secret signs nothing")
  func noSecret() async throws {
    let scene = try DropboxV1Scene(
      [], signIn: .oauth1(consumerKey: "k", consumerSecret: "s", StaticToken("alone"), .hmacSHA1))
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == .notSignedIn && scene.calls.isEmpty)
  }

  @Test("A conflicted copy that another member wrote over meanwhile is left alone")
  func copyOfAnother() async throws {
    let scene = try DropboxV1Scene([
      DropboxV1.notFound, .text(200, DropboxV1.file("/club/a (1)", revision: "412e2029684fe")),
      .text(200, DropboxV1.file("/club/a (1)", revision: "422e2029684fe")), .text(200, DropboxV1.file("/club/a")),
    ])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.put("hello", at: "a", .create) }
    #expect(thrown?.kind == .exists && !scene.calls.contains("POST fileops/delete"))
  }

  @Test("Bytes of another length than were sent are reported as damage")
  func short() async throws {
    let scene = try DropboxV1Scene([.text(200, DropboxV1.file("/club/a", size: 4))])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.put("hello", at: "a", .overwrite) }
    #expect(thrown?.kind == .corrupt)
  }

  @Test("A reading of another revision than was asked for is conflict before any byte")
  func otherRevision() async throws {
    let scene = try DropboxV1Scene([DropboxV1.content("hello", DropboxV1.file("/club/a"))])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.text("a", ifRevision: "1") }
    #expect(thrown?.kind == .conflict && thrown?.current?.revision == Revision(DropboxV1.revision))
  }

  @Test("A folder that has not changed is not sent again, and one that has is")
  func unchanged() async throws {
    let scene = try DropboxV1Scene([
      DropboxV1.cursor, .text(200, DropboxV1.folder("/club", [DropboxV1.file("/club/a")], hash: "h1")),
      .response(HTTPResponse(304), []), .text(200, DropboxV1.folder("/club", [], hash: "h2")),
      .response(HTTPResponse(304), []),
    ])
    var counts: [Int] = []
    for _ in 0..<4 { counts.append(try await scene.store.list(.root, ListOptions(.full), after: nil).entries.count) }
    #expect(counts == [1, 1, 0, 0])
    let hashes = scene.transport.recorded.dropFirst().map { String($0.target.suffix(7)) }
    #expect(hashes == ["t=25000", "hash=h1", "hash=h1", "hash=h2"])
  }

  /// Names that no call is made for.
  private static let badNames: [[UInt8]] = [
    [0xFF], Array("a\\b".utf8), Array("Desktop.ini".utf8), Array(".byteclub-x".utf8), Array(".Club-Trash".utf8),
    [UInt8](repeating: 120, count: 256),
  ]

  @Test("A name that cannot be held is badName when written, without a call:", arguments: badNames)
  func badName(_ name: [UInt8]) async throws {
    let scene = try DropboxV1Scene([])
    let path = try StorePath.root.appending(name)
    let calls: [() async throws -> Void] = [
      { _ = try await scene.store.put(DataSource([]), at: path, mode: .create) },
      { try await scene.store.createFolder(path) },
      { _ = try await scene.store.move(StorePath("a"), to: path, ifRevision: nil) },
      { _ = try await scene.store.capabilities.uploads?.begin(path, size: nil) },
    ]
    for call in calls {
      let thrown = await #expect(throws: StoreError.self) { try await call() }
      #expect(thrown?.kind == .badName && thrown?.remedy.isEmpty == false)
    }
    #expect(scene.calls.isEmpty)
  }

  @Test("The registry opens it as its options say, and names what is missing or wrong")
  func registry() throws {
    let pool = BlockingPool(threads: 1)
    let network = StoreNetwork(transport: ScriptedTransport([]), tokens: StaticToken("t"))
    func open(_ options: [String: String]) throws(StoreError) -> DropboxV1Store? {
      try StoreRegistry.standard.open(
        StoreDescription(kind: "dropbox-v1", options: options), pool: pool, network: network)
        as? DropboxV1Store
    }
    let server = ["server": "http://127.0.0.1:8080"]
    #expect(try open(server)?.client.root == "auto")
    guard case .bearer? = try open(server)?.client.signIn else {
      Issue.record("not a bearer token")
      return
    }
    let signed = try open(server.merging(["appKey": "k", "appSecret": "s", "root": "sandbox"]) { $1 })
    guard case .oauth1("k", "s", _, .hmacSHA1)? = signed?.client.signIn else {
      Issue.record("not signed")
      return
    }
    #expect(signed?.client.root == "sandbox")
    for (option, word) in [("signature", "RSA"), ("root", "elsewhere")] {
      let thrown = #expect(throws: StoreError.self) {
        try open(server.merging(["appKey": "k", "appSecret": "s", option: word]) { $1 })
      }
      #expect(thrown?.kind == .badInput && thrown?.description.contains(option) == true)
    }
    let thrown = #expect(throws: StoreError.self) { try open([:]) }
    #expect(thrown?.kind == .badInput && thrown?.message.contains("\"server\"") == true)
  }

  @Test("A server that knows forms alone gets large files, too", arguments: [404, 405, 501], [UInt64?(100_000), nil])
  func largeForm(status: Int, size: UInt64?) async throws {
    let bytes = Array((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    let transport = ScriptedTransport { recorded in
      let target = recorded.target.dropFirst("/1/".count).prefix { $0 != "?" }
      switch recorded.request.method {
      case .post where target.hasPrefix("files/"): return .text(200, DropboxV1.file("/club/a.jpg", size: bytes.count))
      case .get where target.hasPrefix("metadata/"): return DropboxV1.notFound
      default: return DropboxV1.refusal(status, "no")
      }
    }
    var tuning = DropboxTuning()
    tuning.pieceBytes = 30_000
    let store = try DropboxV1Store(
      server: DropboxServer(origin: "http://127.0.0.1:8080"), folder: "/club", transport: transport,
      signIn: .bearer(StaticToken("t")), pool: BlockingPool(threads: 1), tuning: tuning)
    let path = try StorePath("a.jpg")
    let source = HearingSource(OddSource(bytes, size: size))
    let first = try await store.put(source, at: path, mode: .create)
    #expect(first.size == 100_000)
    #expect(source.heard.last == 100_000)
    let form = try #require(transport.recorded.last)
    let boundary = try #require(form.request.headers["Content-Type"]?.split(separator: "=").last)
    #expect(form.body.starts(with: "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"".utf8))
    #expect(form.body.suffix(boundary.utf8.count + 8).elementsEqual("\r\n--\(boundary)--\r\n".utf8))
    let head = try #require(form.body.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
    #expect(Array(form.body[head..<(head + bytes.count)]) == bytes)
    if size != nil { #expect(form.request.body.length == UInt64(form.body.count)) }
    // The next file is not offered in pieces, or by `files_put`, again.
    #expect(store.capabilities.uploads == nil)
    let before = transport.recorded.count
    _ = try await store.put(source, at: path, mode: .overwrite)
    #expect(transport.recorded.dropFirst(before).map(\.request.method).filter { $0 != .get } == [.post])
  }

  @Test("A large file in a form is held to its size", arguments: [99_999, 100_001])
  func largeFormOfAnotherSize(size: UInt64) async throws {
    let scene = try DropboxV1Scene([
      DropboxV1.notFound, DropboxV1.refusal(404, "no"), DropboxV1.refusal(404, "no"),
    ]) { $0.pieceBytes = 30_000 }
    let source = OddSource([UInt8](repeating: 7, count: 100_000), size: size)
    let thrown = await #expect(throws: StoreError.self) {
      try await scene.store.put(source, at: StorePath("a"), mode: .create)
    }
    #expect(thrown?.kind == .badInput)
  }
}
