/// Tries calls again; shared by the retrying store and its powers.
struct Retrying: Sendable {
  let policy: RetryPolicy
  let clock: any Clock<Duration>
  let draw: @Sendable () -> Double

  /// Calls `body` until it answers, throws something that is not temporary, or has been tried often enough.
  /// `body` is told the number of the try, from 1.
  func callAsFunction<Value>(
    _ body: (Int) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    var attempt = 1
    while true {
      do throws(StoreError) {
        return try await body(attempt)
      } catch {
        attempt += 1
        try await pause(before: attempt, after: error)
      }
    }
  }

  /// Waits before try number `next`, or throws `error` when there shall be none.
  func pause(before next: Int, after error: StoreError) async throws(StoreError) {
    guard error.isTemporary, next <= policy.attempts else { throw error }
    do {
      try await clock.sleep(for: policy.pause(before: next, after: error, draw: draw()))
    } catch {
      throw .cancelled("The next try", path: nil)
    }
  }
}
