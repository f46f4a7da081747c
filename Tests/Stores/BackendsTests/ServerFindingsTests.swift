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
    #expect(Self.findings["create"] == "kept" && Self.findings["other"] == nil)
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
      for try await findings in group { #expect(findings == Self.findings) }
    }
    _ = try await known().findings()
    #expect(tests.count.withLock { $0 } == 1)
    first.surprised()
    #expect(memory.kept() == nil)
    _ = try await first.findings()
    #expect(tests.count.withLock { $0 } == 2)
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
    #expect(throws: StoreError.self) { try WriteGuard(store).check(.none, server: "It", path) }
    try WriteGuard(store).check(.byLock, server: "It", path)
    store.options["unsafeWrites"] = "true"
    try WriteGuard(store).check(.none, server: "It", path)
  }
}
