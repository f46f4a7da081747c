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
}
