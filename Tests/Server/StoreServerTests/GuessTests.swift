import FileStores
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Limits of guessing.
@Suite struct GuessTests {
  private final class Order: Sendable {
    let peers = Mutex<[String]>([])
  }

  @Test func `the addresses of one host count as one`() {
    let limit = FailureLimit(most: 2)
    for number in 1...2 { #expect(limit.note("2001:db8:1:2::\(number)", at: 100) == nil) }
    #expect(limit.note("2001:db8:1:2:ffff::1", at: 110) == 50)
    #expect(limit.wait("2001:db8:1:2:abcd::9", at: 120) == 40)
    #expect(limit.wait("2001:db8:1:3::1", at: 120) == nil)
    #expect(limit.note("::ffff:192.0.2.1", at: 120) == nil && limit.addresses == 2)
    #expect(limit.note("192.0.2.1", at: 120) == nil && limit.addresses == 2)
    #expect(limit.note("192.0.2.1", at: 120) == 60)
    // After a minute all may try again.
    #expect(limit.wait("2001:db8:1:2::1", at: 160) == nil && limit.wait("192.0.2.1", at: 180) == nil)
    #expect(limit.note("2001:db8:1:2::1", at: 160) == nil)
  }

  @Test func `so many addresses are remembered and no more, and the oldest count goes first`() {
    let limit = FailureLimit(most: 0, addresses: 100)
    for number in 0..<1000 {
      #expect(limit.note("10.0.\(number / 250).\(number % 250)", at: 100) == 60)
      #expect(limit.addresses <= 100)
    }
    #expect(limit.wait("10.0.3.249", at: 100) == 60 && limit.wait("10.0.3.150", at: 100) == 60)
    #expect(limit.wait("10.0.3.149", at: 100) == nil)
    // Those that have ended go at the next failure.
    _ = limit.note("192.0.2.1", at: 160)
    #expect(limit.addresses == 1 && limit.total == 1001)
  }

  @Test func `who guesses much waits for itself, and another caller has the next turn`() async throws {
    let turns = GuessTurns()
    let gate = Gate()
    let order = Order()
    func come(_ peer: String) -> Task<Void, any Error> {
      Task {
        try await turns.with(peer) {
          order.peers.withLock { $0.append(peer) }
          await gate.wait()
        }
      }
    }
    var tasks = [come("2001:db8::1")]
    await gate.arrivals(1)
    tasks += (2..<22).map { come("2001:db8:0:\($0)::1") }
    tasks.append(come("192.0.2.1"))
    while turns.waiting < 1 { await Task.yield() }
    gate.open()
    for task in tasks { try await task.value }
    let peers = order.peers.withLock { $0 }
    #expect(peers.firstIndex(of: "192.0.2.1") == 1 && peers.count == 22)
  }

  @Test func `who leaves gives the place in line up`() async throws {
    let turns = GuessTurns()
    let gate = Gate()
    let first = Task { try await turns.with("192.0.2.1") { await gate.wait() } }
    await gate.arrivals(1)
    let second = Task { try await turns.with("192.0.2.2") { Issue.record("The turn came to one who had left.") } }
    while turns.waiting < 1 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(turns.waiting == 0)
    gate.open()
    try await first.value
    #expect(try await turns.with("192.0.2.2") { 1 } == 1)
  }

  @Test func `so many answers are sent quickly, and all others with little memory`() async {
    let budget = SendBudget(most: 1)
    await budget.with { pace in
      #expect(pace.readsAhead)
      await budget.with { #expect(!$0.readsAhead && $0.chunkBytes == 32 << 10 && $0.pieceBytes == 32 << 10) }
    }
    await budget.with { #expect($0.readsAhead) }
  }
}
