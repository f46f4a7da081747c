import Backends
import FileStores
import Synchronization
import TestKit
import Testing

@Suite struct LoggingStoreTests {
  @Test("Each call is one line with what came of it, without content, and names cannot forge lines")
  func lines() async throws {
    let lines = Lines()
    let store = LoggingStore(MemoryStore()) { lines.add($0) }
    let path = try StorePath("a\n\u{1B}[31m")
    _ = try await store.put(DataSource("SECRET".utf8), at: path, mode: .create)
    _ = try await store.readAll(path)
    _ = try await store.list(.root, ListOptions(.names), after: nil)
    _ = try? await store.entry(at: StorePath("nothing"))
    _ = try await store.move(path, to: StorePath("b"), ifRevision: nil)
    try await store.delete(StorePath("b"), ifRevision: nil)
    try await store.createFolder(StorePath("c"))
    let name = #""a\u{a}\u{1b}[31m""#
    #expect(
      lines.all == [
        "put \(name) create: 6 bytes", "read \(name) from 0: 6 bytes", "list \"\" names: 1 entries",
        "entry \"nothing\": notFound: There is no \"nothing\".", "move \(name) to \"b\": 6 bytes", "delete \"b\": done",
        "create folder \"c\": done",
      ])
  }

  @Test("A logging store keeps every promise of the store it wraps", arguments: StoreChecks.all)
  func checks(check: StoreCheck) async throws {
    try await check.run(StoreUnderTest(LoggingStore(MemoryStore(pageEntries: 5)) { _ in }))
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }
}
