import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

@Suite struct `Work for photos` {
  @Test func `on a thread learns that its task was cancelled`() async {
    let pool = BlockingPool(threads: 1)
    let begun = Mutex(false)
    let task = Task {
      await pool.runCancellable { isCancelled in
        begun.withLock { $0 = true }
        // Ends with the cancellation alone: without it the test does not end.
        while !isCancelled() {}
        return isCancelled()
      }
    }
    while !begun.withLock({ $0 }) { await Task.yield() }
    task.cancel()
    #expect(await task.value)
  }

  @Test func `goes on for the others when one loses interest`() async throws {
    let (shared, latch) = (SharedWork<Int, String>(), Gate())
    let body: @Sendable () async throws(StoreError) -> String = { () async throws(StoreError) in
      await latch.wait()
      if Task.isCancelled { throw .cancelled("The work") }
      return "done"
    }
    let first = Task { try await shared.value(for: 1, body) }
    await latch.arrivals(1)
    let second = Task { try await shared.value(for: 1, body) }
    while shared.askers(of: 1) < 2 { await Task.yield() }
    first.cancel()
    // At once, while the work goes on.
    #expect(await photoFault { _ = try await first.value }?.kind == .cancelled)
    #expect(shared.askers(of: 1) == 1)
    latch.open()
    #expect(try await second.value == "done")
  }

  @Test func `passes the turnstile so many at once`() async throws {
    let (turnstile, latch) = (Turnstile(2), Gate())
    let order = Passages()
    let early = (0..<2).map { index in
      Task { [turnstile, latch, order] in
        try await turnstile.pass {
          await latch.wait()
          order.note(index)
        }
      }
    }
    await latch.arrivals(2)
    let late = (2..<5).map { index in
      Task { [turnstile, order] in try await turnstile.pass { order.note(index) } }
    }
    while turnstile.waiting < 3 { await Task.yield() }
    #expect(order.all == [])
    late[1].cancel()
    #expect(await photoFault { _ = try await late[1].value }?.kind == .cancelled)
    latch.open()
    for task in early + [late[0], late[2]] { try await task.value }
    #expect(order.all.sorted() == [0, 1, 2, 4])
    // All room is free again.
    try await turnstile.pass {}
    #expect(turnstile.waiting == 0)
  }
}

private final class Passages: Sendable {
  private let numbers = Mutex<[Int]>([])
  var all: [Int] { numbers.withLock { $0 } }
  func note(_ number: Int) { numbers.withLock { $0.append(number) } }
}
