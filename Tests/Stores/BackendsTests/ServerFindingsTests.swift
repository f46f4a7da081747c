import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

@Suite struct ServerFindingsTests {
  private static let findings = ServerFindings(
    kind: "webdav", version: 3, server: "Apache/2.4 \u{1B}[31m", answers: [.init("create", "kept"), .init("é", "")])

  @Test func `findings come back from their bytes`() {
    #expect(ServerFindings(bytes: Self.findings.bytes) == Self.findings)
    var tested = Self.findings
    tested.tested = 1_795_000_000
    #expect(ServerFindings(bytes: tested.bytes) == tested)
    #expect(Self.findings["create"] == "kept" && Self.findings["other"] == nil)
  }

  @Test(
    arguments: [
      (nil, false), (.min, false), (1000, true), (1001, false), (.max, false), (1000 - Self.week, false),
      (1001 - Self.week, true),
    ] as [(Int64?, Bool)])
  func `findings are fresh for a week, and a damaged time is not`(_ row: (tested: Int64?, isFresh: Bool)) {
    var findings = Self.findings
    findings.tested = row.tested
    #expect(findings.isFresh(at: 1000) == row.isFresh)
  }

  @Test(arguments: [
    "", "{}", "[1]", #"{"kind":"a","version":1.5,"server":"","answers":{}}"#,
    #"{"kind":"a","version":1,"server":"","answers":{"x":1}}"#, #"{"kind":"a","version":1,"server":"","answers":[]}"#,
    #"{"kind":"a","version":1,"server":"\#(String(repeating: "x", count: 20_000))","answers":{}}"#,
  ])
  func `other bytes are no findings`(text: String) {
    #expect(ServerFindings(bytes: Array(text.utf8)) == nil)
  }

  @Test func `any cut or changed byte gives findings or nil`() {
    let whole = Self.findings.bytes
    for place in whole.indices.dropLast() {
      #expect(ServerFindings(bytes: Array(whole[..<place])) == nil)
      for byte: UInt8 in [0, 0x22, 0x7B, 0xFF] {
        var bytes = whole
        bytes[place] = byte
        _ = ServerFindings(bytes: bytes)
      }
    }
  }

  private final class Memory: FindingsKeeping {
    let all = Mutex<[ServerFindings?]>([])
    func kept() -> ServerFindings? { all.withLock { $0.last ?? nil } }
    func keep(_ findings: ServerFindings?) { all.withLock { $0.append(findings) } }
  }

  private final class Tests: Sendable {
    let count = Mutex(0)
  }

  @Test func `a server is tested once, and again after a surprise`() async throws {
    let (memory, tests) = (Memory(), Tests())
    func known() -> KnownServer {
      KnownServer(kind: "webdav", version: 3, keeping: memory, pool: BlockingPool()) { () throws(StoreError) in
        tests.count.withLock { $0 += 1 }
        return Self.findings
      }
    }
    let first = known()
    #expect(first.known == nil)
    try await withThrowingTaskGroup(of: ServerFindings.self) { group in
      for _ in 0..<8 { group.addTask { try await first.findings() } }
      for try await findings in group { #expect(findings.answers == Self.findings.answers) }
    }
    _ = try await known().findings()
    #expect(tests.count.withLock { $0 } == 1)
    first.surprised()
    #expect(memory.kept() == nil)
    _ = try await first.findings()
    #expect(tests.count.withLock { $0 } == 2)
  }

  private static let week: Int64 = 7 * 24 * 3600

  @Test func `a server that runs on, and each later start, tests anew after a week`() async throws {
    let (memory, tests) = (Memory(), Tests())
    let time = Mutex<Int64>(1000)
    let now: @Sendable () -> Int64 = { time.withLock { $0 } }
    func known() -> KnownServer {
      KnownServer(kind: "webdav", version: 3, keeping: memory, pool: BlockingPool(), now: now) {
        () throws(StoreError) in
        let count = tests.count.withLock { count in
          count += 1
          return count
        }
        return ServerFindings(kind: "webdav", version: 3, server: "\(count)", answers: [])
      }
    }
    let running = known()
    for (second, word) in [
      (1000, "1"), (1000 + Self.week - 1, "1"), (1000 + Self.week, "2"), (1000 + 2 * Self.week - 1, "2"),
    ] {
      time.withLock { $0 = second }
      #expect(try await running.findings().server == word, "\(second)")
      #expect(try await known().findings().server == word, "\(second)")
    }
    // The clock was put back.
    time.withLock { $0 = 500 }
    #expect(try await running.findings().server == "3")
  }

  @Test func `old findings hold while the server cannot be tested, which is tried again in ten minutes`() async throws {
    let (memory, tests) = (Memory(), Tests())
    let time = Mutex(Self.week)
    var old = Self.findings
    old.tested = 0
    memory.keep(old)
    let known = KnownServer(
      kind: "webdav", version: 3, keeping: memory, pool: BlockingPool(), now: { time.withLock { $0 } }
    ) { () throws(StoreError) in
      tests.count.withLock { $0 += 1 }
      throw StoreError(.offline, "The line broke.")
    }
    // The last time is that of a clock that was put back.
    for (second, count) in [(Self.week, 1), (Self.week + 599, 1), (Self.week + 600, 2), (Self.week, 3)] {
      time.withLock { $0 = second }
      #expect(try await known.findings() == old)
      #expect(tests.count.withLock { $0 } == count, "\(second)")
    }
  }

  @Test func `findings without a time, of an earlier byteclub, begin to age when they are first read`() async throws {
    let memory = Memory()
    let time = Mutex<Int64>(1000)
    memory.keep(Self.findings)
    func known() -> KnownServer {
      KnownServer(
        kind: "webdav", version: 3, keeping: memory, pool: BlockingPool(), now: { time.withLock { $0 } }
      ) { () throws(StoreError) in ServerFindings(kind: "webdav", version: 3, server: "new", answers: []) }
    }
    #expect(try await known().findings().server == Self.findings.server)
    time.withLock { $0 = 1000 + Self.week }
    #expect(try await known().findings().server == "new")
  }

  @Test func `findings of another test do not count, and a failed test is made again`() async throws {
    let memory = Memory()
    memory.keep(Self.findings)
    let tests = Tests()
    let known = KnownServer(kind: "webdav", version: 4, keeping: memory, pool: BlockingPool()) {
      () throws(StoreError) in
      if tests.count.withLock({ $0 }) == 0 { throw StoreError(.offline, "The line broke.") }
      return ServerFindings(kind: "webdav", version: 4, server: "", answers: [])
    }
    await #expect(throws: StoreError.self) { try await known.findings() }
    tests.count.withLock { $0 = 1 }
    #expect(try await known.findings().version == 4)
  }

  @Test func `a server without conditions is read-only unless the member says otherwise`() throws {
    let path = try StorePath("a")
    var store = StoreDescription(kind: "webdav")
    #expect(throws: StoreError.self) { try WriteGuard(store).check(.none, because: "it is old", path) }
    try WriteGuard(store).check(.byLock, because: "it is old", path)
    store.options["unsafeWrites"] = "true"
    try WriteGuard(store).check(.none, because: "it is old", path)
  }
}
