import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Tokens in a row, each of which can be refused.
private final class TokenRow: AccessTokens {
  private let state: Mutex<(left: [String], refused: [String])>

  init(_ tokens: [String]) { state = Mutex((tokens, [])) }

  var refused: [String] { state.withLock { $0.refused } }

  func token(refusing stale: String?) async throws(StoreError) -> String {
    let next: String? = state.withLock { state in
      if let stale {
        state.refused.append(stale)
        state.left.removeAll { $0 == stale }
      }
      return state.left.first
    }
    guard let next else { throw StoreError(.notSignedIn, "You are not signed in.") }
    return next
  }
}

@Suite struct DropboxStoreTests {
  @Test func `an address with a password is refused, and never printed with it`() {
    let address = "https://ray:secret@club.example.org:8080/"
    let error = #expect(throws: StoreError.self) { try DropboxServer(origin: address) }
    #expect(error.map { "\($0)" }?.contains("secret") == false)
    let place = DropboxServer.place(of: StoreDescription(kind: "dropbox", options: ["server": address]))
    #expect(!"\(place)".contains("secret"))
  }

  @Test("A refused token is renewed once, and the call is sent again, body and all")
  func renewal() async throws {
    let tokens = TokenRow(["old", "new", "newer"])
    let scene = try DropboxScene(
      [Dropbox.badToken, .text(200, Dropbox.file("/club/a", tagged: false))], tokens: tokens)
    _ = try await scene.store.put("hello", at: "a", .overwrite)
    let sent = scene.transport.recorded
    #expect(sent.map { $0.request.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    #expect(sent.map(\.text) == ["hello", "hello"])
    #expect(tokens.refused == ["old"])
  }

  @Test("A third token that is refused is notSignedIn, and nothing is asked a fourth time")
  func refusedAgain() async throws {
    let scene = try DropboxScene(
      [Dropbox.badToken, Dropbox.badToken, Dropbox.badToken], tokens: TokenRow(["old", "new", "newer"]))
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == .notSignedIn && thrown?.remedy.contains("byteclub login") == true)
    #expect(scene.routes.count == 3)
  }

  @Test("A fixed token that is refused is notSignedIn with its remedy, after one call")
  func fixedToken() async throws {
    let scene = try DropboxScene([Dropbox.badToken], tokens: StaticToken("t", remedy: "Set it anew."))
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == .notSignedIn && thrown?.remedy == "Set it anew." && scene.routes.count == 1)
    #expect(thrown?.path == (try StorePath("a")))
  }

  @Test("The token is sent to the API and content hosts alone, never with a wait")
  func tokenPlaces() async throws {
    let scene = try DropboxScene([
      Dropbox.cursor, .text(200, #"{"changes":true}"#), Dropbox.page([Dropbox.file("/club/a")]),
      Dropbox.content("hello", Dropbox.file("/club/a")),
    ])
    _ = try await scene.store.capabilities.changes?.wait(since: try #require(scene.store.capabilities.changes).start())
    _ = try await scene.store.text("a")
    for sent in scene.transport.recorded {
      let hasToken = sent.request.headers["Authorization"] != nil
      #expect(hasToken == !sent.request.url.hasPrefix("https://notify."), "\(sent.request.url)")
    }
  }

  @Test("The beginning of a file is asked for as a range, and is as long as that, or as the file")
  func beginning() async throws {
    let long = Dropbox.file("/club/a", size: 11, hash: nil)
    let scene = try DropboxScene([
      Dropbox.content("hello", long, range: "bytes 0-4/11"), Dropbox.content("hello world", long),
      Dropbox.content("hello", Dropbox.file("/club/a"), range: "bytes 0-4/5"),
      Dropbox.content("hel", long, range: "bytes 0-2/11"),
    ])
    for limit in [4, 4, 9] {
      let first = try await scene.store.readBeginning(try StorePath("a"), limit: limit)
      #expect(first.bytes == Array("hello".utf8.prefix(limit)) && first.isCut == (limit == 4))
    }
    let short = await #expect(throws: StoreError.self) {
      _ = try await scene.store.readBeginning(try StorePath("a"), limit: 4)
    }
    #expect(short?.message.contains("sends only 3 of the 11 bytes") == true, "\(String(describing: short))")
    let ranges = scene.transport.recorded.map { $0.request.headers["Range"] }
    #expect(ranges == ["bytes=0-4", "bytes=0-4", "bytes=0-9", "bytes=0-4"])
  }

  @Test("The file's own time goes with its bytes") func ownTime() async throws {
    let scene = try DropboxScene([.text(200, Dropbox.file("/club/a", tagged: false))])
    let source = DataSource("hello".utf8, modified: Timestamp(seconds: 1_000_000_000))
    _ = try await scene.store.put(source, at: try StorePath("a"), mode: .create)
    let argument = scene.transport.recorded[0].request.headers["Dropbox-API-Arg"] ?? ""
    #expect(argument.contains(#""client_modified":"2001-09-09T01:46:40Z""#), "\(argument)")
  }

  @Test("One origin serves for all when a server is named")
  func ownServer() async throws {
    let server = try DropboxServer(origin: "http://127.0.0.1:8080/")
    let scene = try DropboxScene(
      [
        Dropbox.cursor, .text(200, #"{"changes":true}"#), Dropbox.page([Dropbox.file("/club/a")]),
        Dropbox.content("hello", Dropbox.file("/club/a")),
      ], server: server)
    _ = try await scene.store.capabilities.changes?.wait(since: try #require(scene.store.capabilities.changes).start())
    _ = try await scene.store.text("a")
    #expect(scene.transport.recorded.allSatisfy { $0.request.url.hasPrefix("http://127.0.0.1:8080/2/") })
  }

  @Test(
    "What is no server's address is refused:",
    arguments: [
      "", "club", "ftp://x", "https://", "https://a/b", "https://a?x", "https://a#x", "https://u:p@a", "http://a b",
      "http://example.org",
    ])
  func badServer(_ origin: String) {
    let thrown = #expect(throws: StoreError.self) { try DropboxServer(origin: origin) }
    #expect(thrown?.kind == .badInput && thrown?.remedy.isEmpty == false)
  }

  /// Names that no call is made for.
  private static let badNames: [[UInt8]] = [
    [0xFF], Array("a\\b".utf8), Array("a\u{7F}".utf8), Array("end ".utf8), Array("Desktop.ini".utf8),
    Array(".DS_Store".utf8), Array(".byteclub-x".utf8), Array(".Club-Trash".utf8),
    [UInt8](repeating: 120, count: 256),
  ]

  @Test("A name that Dropbox cannot hold is badName when written, without a call:", arguments: badNames)
  func badName(_ name: [UInt8]) async throws {
    let scene = try DropboxScene([])
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
    #expect(scene.routes.isEmpty)
  }

  @Test("A large upload that cannot fit is refused before its first byte; in the place of a large file it may fit")
  func space() async throws {
    func usage(_ used: Int, _ all: Int) -> ScriptedTransport.Answer {
      .text(200, #"{"used":\#(used),"allocation":{".tag":"individual","allocated":\#(all)}}"#)
    }
    func begin(_ scene: DropboxScene) async throws {
      _ = try await #require(scene.store.capabilities.uploads).begin(StorePath("a"), size: 36 << 20)
    }
    let full = try DropboxScene([usage(1_000_000, 2_000_000), Dropbox.notFound])
    let thrown = await #expect(throws: StoreError.self) { try await begin(full) }
    #expect(thrown?.kind == .quota && thrown?.message.contains("no space left for \"a\"") == true)
    #expect(full.routes == ["users/get_space_usage", "files/get_metadata"])
    let session = ScriptedTransport.Answer.text(200, #"{"session_id":"AAAA"}"#)
    let replaced = try DropboxScene([
      usage(40 << 20, 41 << 20), .text(200, Dropbox.file("/club/a", size: 36 << 20)), session,
    ])
    try await begin(replaced)
    #expect(replaced.routes.last == "files/upload_session/start")
    let forbidden = ScriptedTransport.Answer.text(
      401, #"{"error_summary":"missing_scope/","error":{".tag":"missing_scope","required_scope":"account_info.read"}}"#)
    for answer in [usage(0, 1 << 40), forbidden, .text(200, #"{"used":9,"allocation":{".tag":"team"}}"#)] {
      let scene = try DropboxScene([answer, session])
      try await begin(scene)
      #expect(scene.routes == ["users/get_space_usage", "files/upload_session/start"])
    }
  }

  @Test("A folder in the config is taken with and without slashes; what is no path is refused")
  func folders() throws {
    for text in ["club", "/club", "club/", "//club//"] { #expect(try DropboxFolder(text).path == "/club") }
    for text in ["", "/"] { #expect(try DropboxFolder(text).path == "") }
    #expect(try DropboxFolder("/Our club/Garage").depth == 2)
    for text in ["/a/../b", ".", "a\\b", "end /x"] {
      #expect(throws: StoreError.self) { try DropboxFolder(text) }
    }
  }

  @Test("A put whose answer never came is found by its content, and not sent again")
  func lostAnswer() async throws {
    let lost = StoreError(.offline, "The line broke.")
    let scene = try DropboxScene([
      .failure(lost), .text(200, Dropbox.file("/club/a", revision: "a1c10ce0dd7f")),
    ])
    let store = RetryingStore(scene.store, clock: scene.clock, draw: { 0 })
    let entry = try await store.put(DataSource("hello".utf8), at: StorePath("a"), mode: .create)
    #expect(entry.revision == Revision("a1c10ce0dd7f"))
    #expect(scene.routes == ["files/upload", "files/get_metadata"])
  }

  @Test("A put whose answer never came, and that had not happened, is sent again")
  func lostPut() async throws {
    let scene = try DropboxScene([
      .failure(StoreError(.offline, "The line broke.")), Dropbox.notFound,
      .text(200, Dropbox.file("/club/a", tagged: false)),
    ])
    let store = RetryingStore(scene.store, clock: scene.clock, draw: { 0 })
    _ = try await store.put(DataSource("hello".utf8), at: StorePath("a"), mode: .create)
    #expect(scene.routes == ["files/upload", "files/get_metadata", "files/upload"])
  }

  @Test("429 is waited out for as long as the server says")
  func waits() async throws {
    let scene = try DropboxScene([
      .text(429, #"{"error":{"reason":{".tag":"too_many_requests"},"retry_after":9}}"#, headers: ["Retry-After": "9"]),
      .text(200, Dropbox.file("/club/a")),
    ])
    let before = scene.clock.now
    _ = try await RetryingStore(scene.store, clock: scene.clock, draw: { 0 }).entry(at: StorePath("a"))
    #expect(before.duration(to: scene.clock.now) >= .seconds(9))
  }

  @Test("A base that is no revision of this API is a conflict, with what is there, and nothing is sent")
  func strangeBase() async throws {
    let scene = try DropboxScene([.text(200, Dropbox.file("/club/a"))])
    let thrown = await #expect(throws: StoreError.self) {
      try await scene.store.put("x", at: "a", .replace(Revision("fd01-1234")))
    }
    #expect(thrown?.kind == .conflict && thrown?.current?.revision == Revision(Dropbox.revision))
    #expect(scene.routes == ["files/get_metadata"])
  }

  @Test("A replace of what is not there is a conflict, and makes nothing")
  func absentBase() async throws {
    let scene = try DropboxScene([Dropbox.notFound])
    let thrown = await #expect(throws: StoreError.self) {
      try await scene.store.put("x", at: "a", .replace(Revision(Dropbox.revision)))
    }
    #expect(thrown?.kind == .conflict && scene.routes == ["files/get_metadata"])
  }

  @Test("Bytes that come damaged are corrupt; too few or too many are the server's fault")
  func damagedBytes() async throws {
    for (text, kind) in [("hellO", StoreError.Kind.corrupt), ("hell", .server), ("hello!", .server)] {
      let scene = try DropboxScene([Dropbox.content(text, Dropbox.file("/club/a"))])
      let thrown = await #expect(throws: StoreError.self) { try await scene.store.text("a") }
      #expect(thrown?.kind == kind, "\(text): \(String(describing: thrown))")
    }
  }

  @Test("Another revision is a conflict before the first chunk")
  func readConflict() async throws {
    let scene = try DropboxScene([Dropbox.content("hello", Dropbox.file("/club/a"))])
    let thrown = await #expect(throws: StoreError.self) {
      _ = try await scene.store.read(StorePath("a"), from: 0, ifRevision: Revision("000000000")) {
        _ throws(StoreError) in
        throw StoreError(.corrupt, "A chunk came.")
      }
    }
    #expect(thrown?.kind == .conflict && thrown?.current?.revision == Revision(Dropbox.revision))
  }

  @Test("A server that does not know ranges is read all the same")
  func noRanges() async throws {
    let scene = try DropboxScene([Dropbox.content("hello", Dropbox.file("/club/a"))])
    #expect(try await scene.store.text("a", from: 3) == "lo")
  }

  @Test("Another range than was asked for is refused")
  func wrongRange() async throws {
    for range in ["bytes 0-4/5", "bytes 3-4/9", "items 3-4/5", ""] {
      let scene = try DropboxScene([Dropbox.content("lo", Dropbox.file("/club/a"), range: range)])
      let thrown = await #expect(throws: StoreError.self) { try await scene.store.text("a", from: 3) }
      #expect(thrown?.kind == .server, "\(range)")
    }
  }

  @Test("An entry that changes during a listing, and is reported again, is on one page alone")
  func once() async throws {
    let (a, changed, b) = (
      Dropbox.file("/club/a"), Dropbox.file("/club/A", revision: "a1c10ce0dd7f"), Dropbox.file("/club/b")
    )
    let scene = try DropboxScene([
      Dropbox.cursor, Dropbox.page([a], hasMore: true), Dropbox.page([changed, b]), Dropbox.page([changed, b]),
    ])
    let first = try await scene.store.list(.root, ListOptions(.names), after: nil)
    for _ in 0..<2 {
      let second = try await scene.store.list(.root, ListOptions(.names), after: first.next)
      #expect(second.entries.map(\.path.description) == ["b"])
    }
  }

  @Test("A second listing asks for no cursor again")
  func oneCursor() async throws {
    let scene = try DropboxScene([Dropbox.cursor, Dropbox.page([]), Dropbox.page([])])
    for _ in 0..<2 { #expect(try await scene.store.list(.root, ListOptions(.names), after: nil).changes != nil) }
    #expect(scene.routes.filter { $0.hasSuffix("get_latest_cursor") }.count == 1)
  }

  @Test("Metadata with a tag that is not known is listed as something else, never opened")
  func unknownTag() async throws {
    let new = #"{".tag":"hologram","name":"h","path_lower":"/club/h","path_display":"/club/h","new":[{"x":1}]}"#
    let link =
      #"{".tag":"file","name":"l","path_lower":"/club/l","path_display":"/club/l","rev":"a1c10ce0dd78","size":1,"symlink_info":{"target":"x"}}"#
    let scene = try DropboxScene([Dropbox.cursor, Dropbox.page([new, link, Dropbox.file("/club/a")])])
    let entries = try await scene.store.list(.root, ListOptions(.full), after: nil).entries
    #expect(entries.map(\.kind) == [.other, .other, .file])
  }

  @Test("The server's backoff is kept before the next wait")
  func backoff() async throws {
    let scene = try DropboxScene([
      .text(200, #"{"changes":true,"backoff":60}"#), Dropbox.page([Dropbox.file("/club/a")]),
      .text(200, #"{"changes":true}"#), Dropbox.page([Dropbox.file("/club/b")]),
    ])
    let feed = try #require(scene.store.capabilities.changes)
    let start = scene.clock.now
    let set = try await feed.wait(since: ChangeCursor("C"))
    #expect(start.duration(to: scene.clock.now) == .zero, "the news were held back")
    _ = try await feed.wait(since: set.cursor)
    #expect(start.duration(to: scene.clock.now) > .seconds(50))
  }

  @Test("A wait under a sign-in that has ended goes on under the next one, after a list, and is not repeated at once")
  func signedInAgain() async throws {
    let scene = try DropboxScene([
      Dropbox.badToken, .text(200, #"{"cursor":"NEW"}"#), .text(200, #"{"changes":true}"#),
      Dropbox.page([Dropbox.file("/club/a")]),
    ])
    let feed = try #require(scene.store.capabilities.changes)
    let set = try await feed.wait(since: ChangeCursor("OLD"))
    #expect(set.mustRelist && set.cursor.value == "NEW")
    let start = scene.clock.now
    _ = try await feed.wait(since: set.cursor)
    #expect(start.duration(to: scene.clock.now) > .seconds(5))
  }

  @Test("A wait under a sign-in that has ended says who has to sign in, when nobody has")
  func signedOut() async throws {
    let scene = try DropboxScene(
      [Dropbox.badToken, Dropbox.badToken], tokens: StaticToken("t", remedy: "Set it anew."))
    let thrown = await #expect(throws: StoreError.self) {
      _ = try await scene.store.capabilities.changes?.wait(since: ChangeCursor("OLD"))
    }
    #expect(thrown?.kind == .notSignedIn && thrown?.remedy == "Set it anew." && scene.routes.count == 2)
  }

  @Test("A server that answers each wait at once with nothing is asked less and less often")
  func noBusyLoop() async throws {
    let count = Mutex(0)
    let transport = ScriptedTransport { recorded in
      let calls = count.withLock {
        $0 += 1
        return $0
      }
      if recorded.target.hasSuffix("continue") { return Dropbox.page([Dropbox.file("/club/a")]) }
      return .text(200, calls > 10 ? #"{"changes":true}"# : #"{"changes":false}"#)
    }
    let scene = try DropboxScene(transport)
    let start = scene.clock.now
    _ = try await scene.store.capabilities.changes?.wait(since: ChangeCursor("C"))
    #expect(start.duration(to: scene.clock.now) > .seconds(30))
  }

  @Test("A wait may hang longer than the server's own patience, and is cancelled at once")
  func hanging() async throws {
    let gate = Gate()
    let scene = try DropboxScene([.hang(gate)])
    let store = scene.store
    let task = Task { _ = try await store.capabilities.changes?.wait(since: ChangeCursor("C")) }
    await gate.wait()
    let asked = try #require(scene.transport.recorded.first?.request)
    #expect(asked.kind == .longPoll && (asked.timeouts?.idle ?? .zero) > .seconds(240 + 90))
    task.cancel()
    let thrown = await #expect(throws: StoreError.self) { try await task.value }
    #expect(thrown?.kind == .cancelled)
  }

  @Test("A moved file that another member changed in that moment goes back, and the move is a conflict")
  func moveRace() async throws {
    let scene = try DropboxScene([
      .text(200, Dropbox.file("/club/a")),
      .text(200, #"{"metadata":\#(Dropbox.file("/club/b", revision: "a1c10ce0dd80", size: 6, hash: nil))}"#),
      .text(200, #"{"metadata":\#(Dropbox.file("/club/a", revision: "a1c10ce0dd81", size: 6))}"#),
      .text(200, Dropbox.file("/club/a", revision: "a1c10ce0dd81", size: 6)),
    ])
    let thrown = await #expect(throws: StoreError.self) {
      _ = try await scene.store.move(StorePath("a"), to: StorePath("b"), ifRevision: Revision(Dropbox.revision))
    }
    #expect(thrown?.kind == .conflict && thrown?.current?.revision == Revision("a1c10ce0dd81"))
    #expect(scene.transport.recorded[2].text == #"{"from_path":"/club/b","to_path":"/club/a","autorename":false}"#)
  }

  private static let caseConflict = Dropbox.refusal(
    "to/conflict/file", #"{".tag":"to","to":{".tag":"conflict","conflict":{".tag":"file"}}}"#)
  private static let gone = Dropbox.refusal(
    "from_lookup/not_found", #"{".tag":"from_lookup","from_lookup":{".tag":"not_found"}}"#)

  @Test("A change of case whose second half fails goes back, and the error is that of the failure")
  func caseBack() async throws {
    let scene = try DropboxScene([
      Self.caseConflict, .text(200, Dropbox.file("/club/a")), .text(200, #"{"metadata":\#(Dropbox.file("/club/x"))}"#),
      .text(500, ""), .text(200, #"{"metadata":\#(Dropbox.file("/club/a"))}"#),
    ])
    let thrown = await #expect(throws: StoreError.self) {
      _ = try await scene.store.move(StorePath("a"), to: StorePath("A"), ifRevision: nil)
    }
    #expect(thrown?.kind == .server)
    let last = try #require(scene.transport.recorded.last)
    #expect(last.text.contains(#""to_path":"/club/a""#) && last.text.contains("byteclub renames"))
  }

  @Test("A change of case that a broken line left halfway is brought to its end by the next try")
  func caseHalfway() async throws {
    let lost = ScriptedTransport.Answer.failure(StoreError(.offline, "The line broke."))
    let scene = try DropboxScene([
      .text(200, Dropbox.file("/club/a")), Self.caseConflict, .text(200, Dropbox.file("/club/a")), lost, lost,
      Dropbox.notFound, Dropbox.notFound, Self.gone, .text(200, Dropbox.file("/club/byteclub renames")),
      .text(200, #"{"metadata":\#(Dropbox.file("/club/A"))}"#),
    ])
    let store = RetryingStore(scene.store, clock: scene.clock, draw: { 0 })
    // The first try to move finds nothing where it looks: neither the old name nor the new one.
    let moved = try await store.move(StorePath("a"), to: StorePath("A"), ifRevision: nil)
    #expect(moved.path == (try StorePath("A")) && scene.transport.unused == 0)
  }

  @Test("A piece of a put whose answer was lost is not sent again; one that never arrived is:", arguments: [16, 8])
  func lostPiece(_ have: Int) async throws {
    let whole = ContentHash(of: [UInt8](repeating: 1, count: 20))
    let script: [ScriptedTransport.Answer] = [
      Dropbox.notFound, .text(200, #"{"session_id":"A"}"#), .failure(StoreError(.offline, "The line broke.")),
      Dropbox.refusal("incorrect_offset", #"{".tag":"incorrect_offset","correct_offset":\#(have)}"#),
    ]
    let end: [ScriptedTransport.Answer] = [.text(200, Dropbox.file("/club/a", size: 20, hash: whole, tagged: false))]
    let scene = try DropboxScene(script + (have == 8 ? [.text(200, "null")] : []) + end) { $0.pieceBytes = 8 }
    let source = DataSource([UInt8](repeating: 1, count: 20))
    _ = try await scene.store.put(source, at: StorePath("a"), mode: .create)
    let sent = scene.transport.recorded.filter { $0.target.hasSuffix("append_v2") && $0.body.count == 8 }
    #expect(sent.count == (have == 8 ? 2 : 1) && scene.transport.unused == 0)
  }

  /// A file that is sent as it is read, in one call.
  private func streamed(
    _ answers: [ScriptedTransport.Answer], _ source: any ByteSource
  ) async throws -> (DropboxScene, Result<FileEntry, StoreError>) {
    let scene = try DropboxScene([Dropbox.notFound] + answers) {
      $0.pieceBytes = 8
      $0.streamedBytes = 100
    }
    do throws(StoreError) {
      return (scene, .success(try await scene.store.put(source, at: try StorePath("a"), mode: .create)))
    } catch {
      return (scene, .failure(error))
    }
  }

  @Test("A larger file is sent in one call, and what the server says it has is compared")
  func sentAsRead() async throws {
    let bytes = [UInt8](repeating: 1, count: 20)
    let hash = ContentHash(of: bytes)
    let right = ScriptedTransport.Answer.text(200, Dropbox.file("/club/a", size: 20, hash: hash, tagged: false))
    let (scene, result) = try await streamed([right], DataSource(bytes, chunkSize: 7))
    #expect(scene.routes == ["files/get_metadata", "files/upload"])
    #expect(scene.transport.recorded.last?.body == bytes)
    #expect(try result.get().contentHash == hash)
    let wrong = ScriptedTransport.Answer.text(200, Dropbox.file("/club/a", size: 20, tagged: false))
    let (_, damaged) = try await streamed([wrong], DataSource(bytes))
    #expect(throws: StoreError.self) { try damaged.get() }
  }

  @Test(
    "When the line breaks, what arrived is not sent again, and what did not goes in pieces:", arguments: [true, false])
  func brokenWhileRead(_ hasArrived: Bool) async throws {
    let bytes = [UInt8](repeating: 1, count: 20)
    let file = ScriptedTransport.Answer.text(200, Dropbox.file("/club/a", size: 20, hash: ContentHash(of: bytes)))
    let pieces: [ScriptedTransport.Answer] = [
      Dropbox.notFound, Dropbox.notFound, .text(200, #"{"session_id":"A"}"#), .text(200, "null"), file,
    ]
    let (scene, result) = try await streamed(
      [.failure(StoreError(.offline, "The line broke."))] + (hasArrived ? [file] : pieces), DataSource(bytes))
    #expect(try result.get().size == 20)
    #expect(scene.routes.contains("files/upload_session/finish") == !hasArrived)
    #expect(scene.transport.unused == 0)
  }

  @Test("A source that is sent as it is read is held to its size:", arguments: [19, 21] as [UInt64])
  func readToSize(_ size: UInt64) async throws {
    let (_, result) = try await streamed([], OddSource([UInt8](repeating: 1, count: 20), size: size))
    guard case .failure(let error) = result else { throw StoreError(.server, "The file was written.") }
    #expect(error.kind == .badInput)
  }

  @Test("A source is held to its size before its last piece is sent:", arguments: [19, 21] as [UInt64])
  func heldToSize(_ size: UInt64) async throws {
    let scene = try DropboxScene(
      [Dropbox.notFound, .text(200, #"{"session_id":"A"}"#), .text(200, "null"), .text(200, "null")]
    ) {
      $0.pieceBytes = 8
    }
    let thrown = await #expect(throws: StoreError.self) {
      let source = OddSource([UInt8](repeating: 1, count: 20), size: size)
      _ = try await scene.store.put(source, at: StorePath("a"), mode: .overwrite)
    }
    #expect(thrown?.kind == .badInput)
    #expect(!scene.routes.contains("files/upload_session/finish") && !scene.routes.contains("files/upload"))
  }

  @Test(
    "Names in the trash are read back, and what others put there is passed over:",
    arguments: [
      ("dn1x98lj5slc-1", true), ("", false), ("..", false), ("a/b", false), ("x-", false), ("-1", false),
      ("X-1", false),
      ("1-2-3", false), ("01-1", false),
    ])
  func trashNames(_ text: String, _ isOne: Bool) {
    #expect((TrashID(text) != nil) == isOne)
    if isOne { #expect(TrashID(text)?.text == text) }
  }

  @Test(
    "Times are read, and those that are none are nil:",
    arguments: [
      ("2015-05-12T15:50:38Z", 1_431_445_838), ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799),
      ("2015-05-12T15:50:38.123Z", 1_431_445_838), ("2015-13-12T15:50:38Z", nil), ("2015-05-12 15:50:38", nil),
      ("2015-05-12T24:50:38Z", nil), ("2015-05-12T15:60:38Z", nil), ("2015-05-12Z", nil), ("2015-05-12T15:50:38", nil),
      ("", nil),
    ] as [(String, Int64?)])
  func times(_ text: String, _ seconds: Int64?) {
    #expect(DropboxTime(text)?.timestamp == seconds.map { Timestamp(seconds: $0) })
  }
}

@Suite struct DropboxOpeningTests {
  private let pool = BlockingPool(threads: 1)

  @Test("A club of a config is opened without a call, and without a sign-in its calls say so")
  func opens() async throws {
    let what = StoreDescription(kind: "dropbox", options: ["server": "http://127.0.0.1:1", "folder": "/club"])
    let store = try #require(try StoreRegistry.standard.open(what, pool: pool) as? DropboxStore)
    #expect(store.client.server.name == "http://127.0.0.1:1" && store.folder.path == "/club")
    let thrown = await #expect(throws: StoreError.self) { try await store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == .notSignedIn && thrown?.remedy.contains("byteclub login") == true)
  }

  @Test("Without a server it is Dropbox itself, and its three origins alone get the token")
  func official() throws {
    let what = StoreDescription(kind: "dropbox")
    let store = try #require(try StoreRegistry.standard.open(what, pool: pool) as? DropboxStore)
    #expect(store.client.server == .official && store.folder.path == "")
    let origins = try DropboxServer.official.transportOptions(what).origins
    #expect(origins.count == 3 && origins.allSatisfy { $0.isEncrypted && $0.host.hasSuffix(".dropboxapi.com") })
  }

  @Test("The transport and the tokens that are given are the ones that are used")
  func network() async throws {
    let transport = ScriptedTransport([.text(200, Dropbox.file("/a"))])
    let network = StoreNetwork(transport: transport, tokens: StaticToken("t"))
    let store = try StoreRegistry.standard.open(StoreDescription(kind: "dropbox"), pool: pool, network: network)
    _ = try await store.entry(at: StorePath("a"))
    #expect(transport.recorded.first?.request.headers["Authorization"] == "Bearer t")
  }

  @Test("Plain HTTP to another machine is refused unless the config allows it")
  func plain() throws {
    var options = ["server": "http://club.example:8080"]
    #expect(throws: StoreError.self) {
      try StoreRegistry.standard.open(StoreDescription(kind: "dropbox", options: options), pool: pool)
    }
    options["allowPlainHTTP"] = "true"
    _ = try StoreRegistry.standard.open(StoreDescription(kind: "dropbox", options: options), pool: pool)
  }

  @Test("Only a kind behind a network has a transport")
  func transports() throws {
    #expect(try StoreRegistry.standard.transport(for: StoreDescription(kind: "dropbox")) != nil)
    #expect(try StoreRegistry.standard.transport(for: StoreDescription(kind: "folder")) == nil)
  }
}
