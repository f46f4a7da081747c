import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// Looks at a whole club that several watchers share.
@Suite struct SharedLooksTests {
  @Test func `a watcher that gives up does not wait for the look that another has begun`() async throws {
    let (looks, pool, begun, end) = (SharedLooks(), BlockingPool(), Gate(), Gate())
    let first = Task {
      try await looks(on: pool) { () throws(StoreError) in
        begun.open()
        await end.wait()
      }
    }
    await begun.wait()
    let second = Task { () -> StoreError.Kind? in
      do throws(StoreError) {
        try await looks(on: pool) { () throws(StoreError) in }
        return nil
      } catch {
        return error.kind
      }
    }
    second.cancel()
    #expect(await second.value == .cancelled)
    end.open()
    try await first.value
  }
}
