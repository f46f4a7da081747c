import Basics
import Synchronization
import TestKit
import Testing

@Suite struct KeyedLocksTests {
  @Test func `a reading that is cancelled leaves the line, and the others get their turn in order`() async throws {
    let locks = KeyedLocks()
    let (stream, gate) = AsyncStream.makeStream(of: Void.self)
    let first = Task { await locks.with("a") { for await _ in stream { return } } }
    while locks.count(of: "a") == 0 { await Task.yield() }
    let second = Task { try await locks.reading("a") { 2 } }
    while locks.waiting(for: "a") < 1 { await Task.yield() }
    let third = Task { try await locks.reading("a") { 3 } }
    while locks.waiting(for: "a") < 2 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(locks.waiting(for: "a") == 1)
    gate.yield()
    await first.value
    #expect(try await third.value == 3)
    #expect(await locks.with("a") { 4 } == 4)
  }

  @Test func `so many tasks as are admitted hold a key at once`() async throws {
    let (locks, latch) = (KeyedLocks(most: 2), Gate())
    let order = Passages()
    let early = (0..<2).map { index in
      Task { [locks, latch, order] in
        try await locks.reading("a") {
          await latch.wait()
          order.note(index)
        }
      }
    }
    await latch.arrivals(2)
    let late = (2..<5).map { index in
      Task { [locks, order] in try await locks.reading("a") { order.note(index) } }
    }
    while locks.waiting(for: "a") < 3 { await Task.yield() }
    #expect(order.all == [])
    late[1].cancel()
    await #expect(throws: CancellationError.self) { try await late[1].value }
    latch.open()
    for task in early + [late[0], late[2]] { try await task.value }
    #expect(order.all.sorted() == [0, 1, 2, 4])
    // All room is free again.
    try await locks.reading("a") {}
    #expect(locks.waiting(for: "a") == 0)
  }

  @Test func `a place that comes while its reading is cancelled goes on to the next in line`() async {
    let locks = KeyedLocks()
    for _ in 0..<200 {
      let gate = Gate()
      let first = Task { await locks.with("a") { await gate.wait() } }
      await gate.arrivals(1)
      let second = Task { try await locks.reading("a") {} }
      while locks.waiting(for: "a") < 1 { await Task.yield() }
      let third = Task { await locks.with("a") { 3 } }
      while locks.waiting(for: "a") < 2 { await Task.yield() }
      let cancelling = Task { second.cancel() }
      gate.open()
      await cancelling.value
      await first.value
      // Without a place for it, the test does not end.
      #expect(await third.value == 3)
      _ = await second.result
    }
    #expect(locks.count(of: "a") == 0)
  }
}

private final class Passages: Sendable {
  private let numbers = Mutex<[Int]>([])
  var all: [Int] { numbers.withLock { $0 } }
  func note(_ number: Int) { numbers.withLock { $0.append(number) } }
}
