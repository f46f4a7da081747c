import FileStores
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Checksums of files that another program wrote.
@Suite(.serialized) struct HashingTests {
  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  @Test("A file that many ask about is read once")
  func shared() async throws {
    let hashes = SharedHashes()
    let (gate, started) = (Gate(), Gate())
    let reads = Counter()
    let version = SharedHashes.Version(path: try StorePath("film"), revision: Revision("1"))
    try await withThrowingTaskGroup(of: ContentHash.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await hashes.hash(of: version) { () throws(StoreError) in
            reads.add()
            started.open()
            await gate.wait()
            return ContentHash(of: [1])
          }
        }
      }
      await started.wait()
      gate.open()
      for try await hash in group { #expect(hash == ContentHash(of: [1])) }
    }
    #expect(reads.count >= 1)
    // Nothing is remembered here: the next one reads again.
    let again = try await hashes.hash(of: version) { () throws(StoreError) in ContentHash(of: [2]) }
    #expect(again == ContentHash(of: [2]))
  }
}
