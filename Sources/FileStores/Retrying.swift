/// Tries calls again; shared by the retrying store and its powers.
struct Retrying: Sendable {
  let policy: RetryPolicy
  let clock: any Clock<Duration>
  let draw: @Sendable () -> Double
  /// Seconds since 1970, for the time at which a store may be asked again.
  let now: @Sendable () -> Int64
  let observer: CallObserver?
  var pauses: CallPauses?

  /// Calls `body` until it answers, throws something that is not temporary, or has been tried often enough.
  /// `body` is told the number of the try, from 1.
  func callAsFunction<Value>(
    _ body: (Int) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    var attempt = 1
    while true {
      do throws(StoreError) {
        report(.asks)
        let value = try await body(attempt)
        report(.answered)
        return value
      } catch {
        attempt += 1
        try await pause(before: attempt, after: error)
      }
    }
  }

  /// Waits before try number `next`, or throws `error` when there shall be none.
  func pause(before next: Int, after error: StoreError) async throws(StoreError) {
    guard let pause = policy.pause(before: next, after: error, draw: draw()) else { throw end(error) }
    report(.waits(error, pause))
    var isEnded = false
    do {
      if let pauses { isEnded = try await !pauses.wait(pause, clock) } else { try await clock.sleep(for: pause) }
    } catch {
      throw .cancelled("The next try", path: nil)
    }
    if isEnded { throw end(error) }
  }

  /// The same without reports.
  var unobserved: Retrying {
    Retrying(policy: policy, clock: clock, draw: draw, now: now, observer: nil, pauses: pauses)
  }

  /// Tells whoever watches the calls.
  func report(_ report: CallReport) { observer?(report) }

  /// The error of the last try.
  private func end(_ error: StoreError) -> StoreError {
    switch error.kind {
    // Only the store can say these.
    case .notFound, .conflict, .exists, .quota: report(.answered)
    case _ where error.isTemporary:
      let error = error.limitingWait(now: now())
      report(.failed(error))
      return error
    default: break
    }
    return error
  }
}
