import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Servers whose pages never end, and entries that make no sense. Neither holds a list.
@Suite(.timeLimit(.minutes(5))) struct `A list from a server that lies` {
  private static let server = "http://127.0.0.1:8080"

  /// Counts up, so that cursors differ.
  private final class Numbers: Sendable {
    private let next = Mutex(0)
    func take() -> Int {
      next.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private let pool = BlockingPool(threads: 1)

  private func store(
    _ version: Int, _ answer: @escaping @Sendable (String) -> ScriptedTransport.Answer?
  ) throws -> any FileStore {
    let transport = ScriptedTransport { recorded in answer(String(recorded.target.prefix { $0 != "?" })) }
    var tuning = DropboxTuning()
    tuning.clock = ManualClock(advancesOnSleep: true)
    let server = try DropboxServer(origin: Self.server)
    if version == 2 {
      return try DropboxStore(
        server: server, folder: "", transport: transport, tokens: StaticToken("token"), pool: pool, tuning: tuning)
    }
    return try DropboxV1Store(
      server: server, folder: "", transport: transport, signIn: .bearer(StaticToken("token")), pool: pool,
      tuning: tuning)
  }

  private func all(_ store: any FileStore, recursive: Bool = false) async throws -> (names: [String], unreadable: Int) {
    var (names, unreadable, cursor) = ([String](), 0, ListCursor?.none)
    repeat {
      let page = try await store.list(.root, ListOptions(.full, recursive: recursive), after: cursor)
      names += page.entries.map(\.path.description)
      unreadable += page.unreadable
      cursor = page.next
    } while cursor != nil
    return (names, unreadable)
  }

  private func expect(_ kind: StoreError.Kind, _ words: String, _ body: () async throws -> Void) async {
    let error = await #expect(throws: StoreError.self) { try await body() }
    #expect(error?.kind == kind && error?.isWrongAnswer == true, "\(String(describing: error))")
    #expect(error?.message.contains(words) == true && error?.remedy.isEmpty == false, "\(String(describing: error))")
    #expect(error?.isTemporary == false)
  }

  // MARK: - Version 2

  private static func page2(_ route: String, cursor: String, _ entries: [String] = []) -> ScriptedTransport.Answer? {
    if route.hasSuffix("get_latest_cursor") { return .text(200, #"{"cursor":"now"}"#) }
    if route.hasSuffix("longpoll") { return .text(200, #"{"changes":true}"#) }
    let key = route.contains("search") ? "matches" : "entries"
    return .text(
      200, #"{"\#(key)":[\#(entries.joined(separator: ","))],"cursor":"\#(cursor)","has_more":true,"is_deleted":false}"#
    )
  }

  @Test func `is an error at once when its cursor repeats`() async throws {
    let store = try store(2) { Self.page2($0, cursor: "same", [Dropbox.file("/a")]) }
    let words = "sends the same pages of"
    await expect(.corrupt, words) { _ = try await all(store) }
    await expect(.corrupt, words) { _ = try await store.capabilities.trash?.contents() }
    await expect(.corrupt, words) {
      _ = try await store.capabilities.search?.files(matching: "word", below: .root, limit: 50)
    }
    let path = try StorePath("a")
    let deleted = try self.store(2) { Self.page2($0, cursor: "same", [Dropbox.deleted("/a")]) }
    await expect(.corrupt, words) { _ = try await deleted.capabilities.revisions?.versions(of: path, limit: 50) }
  }

  @Test func `has a bound when its pages are empty, or tell the same over and over`() async throws {
    let numbers = Numbers()
    for entries in [[], [Dropbox.file("/a")]] {
      let store = try store(2) { Self.page2($0, cursor: "c\(numbers.take())", entries) }
      await expect(.tooLarge, "sends only empty pages") { _ = try await all(store) }
    }
  }

  @Test func `has a bound of entries and of pages`() throws {
    var bounds = PageBounds("the trash", about: .root, Self.server)
    for number in 0..<5 { try bounds.add(1_000_000, next: "\(number)") }
    let error = #expect(throws: StoreError.self) { try bounds.add(1, next: "more") }
    #expect(error?.message == "\(Self.server) does not come to the end of the trash in 5 million entries.")
    bounds = PageBounds("the trash", about: .root, Self.server)
    for number in 0..<ListingBounds.mostPages { try bounds.add(1, next: "\(number)") }
    let endless = #expect(throws: StoreError.self) { try bounds.add(1, next: "more") }
    #expect(endless?.message.hasSuffix("in 100,000 pages.") == true)
  }

  @Test func `may be asked for a page twice`() async throws {
    let store = try store(2) { route in
      route.hasSuffix("continue")
        ? Dropbox.page([Dropbox.file("/b")], cursor: "third", hasMore: true)
        : route.hasSuffix("list_folder")
          ? Dropbox.page([Dropbox.file("/a")], cursor: "second", hasMore: true) : Dropbox.cursor
    }
    let first = try await store.list(.root, ListOptions(.full), after: nil)
    for _ in 0..<2 {
      let second = try await store.list(.root, ListOptions(.full), after: first.next)
      #expect(second.entries.map(\.path.description) == ["b"])
    }
  }

  @Test(arguments: [1, 2])
  func `of changes that never ends is as good as none: all is listed anew`(_ version: Int) async throws {
    let store = try store(version) { route in
      if route.hasSuffix("/delta") {
        return .text(200, #"{"entries":[],"reset":false,"cursor":"same","has_more":true}"#)
      }
      if route.contains("longpoll") { return .text(200, #"{"changes":true}"#) }
      return route.hasSuffix("latest_cursor") ? Dropbox.cursor : Self.page2(route, cursor: "same")
    }
    let feed = try #require(store.capabilities.changes)
    let set = try await feed.wait(since: try await feed.start())
    #expect(set.mustRelist && set.changes.isEmpty)
  }

  // MARK: - Version 1

  @Test func `of version 1 is an error at once when its cursor or its folders repeat`() async throws {
    let root = #"{"path":"/","is_dir":true,"hash":"1","contents":[{"path":"/f","is_dir":true}]}"#
    let folder = #"{"path":"/f","is_dir":true,"hash":"1","contents":[{"path":"/f","is_dir":true}]}"#
    let looping = try store(1) { route in
      if route.hasSuffix("delta") {
        return .text(200, #"{"entries":[],"reset":false,"cursor":"same","has_more":true}"#)
      }
      return route.hasSuffix("latest_cursor") ? .text(200, #"{"cursor":"now"}"#) : .text(200, root)
    }
    await expect(.corrupt, "sends the same pages of") { _ = try await all(looping, recursive: true) }
    await expect(.corrupt, "sends the same pages of") { _ = try await looping.capabilities.trash?.contents() }
    let nested = try store(1) { route in
      if route.contains("delta") { return .text(404, #"{"error":"Not found"}"#) }
      return .text(200, route.hasSuffix("/f") ? folder : root)
    }
    await expect(.corrupt, "sends the same pages of") { _ = try await all(nested, recursive: true) }
  }

  // MARK: - Entries

  @Test func `leaves out the entries that cannot be read, and counts them`() async throws {
    let store = try store(2) { route in
      if route.hasSuffix("get_latest_cursor") { return Dropbox.cursor }
      return Dropbox.page([
        Dropbox.file("/a"), Dropbox.file("/b", size: -1), #"{".tag":"file"}"#, "17", Dropbox.file("/c"),
      ])
    }
    let (names, unreadable) = try await all(store)
    // One whose size is nonsense is there all the same.
    #expect(names == ["a", "b", "c"] && unreadable == 2)
    let seen = Reports()
    _ = try await all(RetryingStore(store, observer: { if case .unreadable(let count) = $0 { seen.add(count) } }))
    #expect(seen.all == [2])
  }

  @Test func `is an error if no entry of any page can be read`() async throws {
    let store = try store(2) { route in
      if route.hasSuffix("get_latest_cursor") { return Dropbox.cursor }
      let isLast = route.hasSuffix("continue")
      return Dropbox.page([#"{".tag":"file"}"#, "17"], cursor: isLast ? "B" : "A", hasMore: !isLast)
    }
    let error = await #expect(throws: StoreError.self) { try await all(RetryingStore(store)) }
    #expect(error?.message == "The store lists 4 entries in the club's folder, and byteclub can read none.")
  }

  @Test func `of version 1 leaves out the entries that cannot be read, and counts them`() async throws {
    let store = try store(1) { route in
      if route.hasSuffix("latest_cursor") { return .text(200, #"{"cursor":"now"}"#) }
      let contents = [DropboxV1.file("/a"), DropboxV1.file("/b", size: -1), "{}", DropboxV1.file("/c")]
      return .text(200, DropboxV1.folder("/", contents))
    }
    let (names, unreadable) = try await all(store)
    #expect(names.sorted() == ["a", "b", "c"] && unreadable == 1)
  }

  @Test func `of changes goes on over one that cannot be read`() async throws {
    let store = try store(2) { route in
      if route.hasSuffix("get_latest_cursor") { return Dropbox.cursor }
      if route.hasSuffix("longpoll") { return .text(200, #"{"changes":true}"#) }
      return Dropbox.page([#"{".tag":"file"}"#, Dropbox.file("/a")])
    }
    let feed = try #require(store.capabilities.changes)
    let set = try await feed.wait(since: ChangeCursor("now"))
    #expect(set.changes.count == 1)
  }

  private final class Reports: Sendable {
    private let counts = Mutex<[Int]>([])
    var all: [Int] { counts.withLock { $0 } }
    func add(_ count: Int) { counts.withLock { $0.append(count) } }
  }
}
