struct Retrying: Sendable {
  let policy: RetryPolicy
  let clock: any Clock<Duration>
  let draw: @Sendable () -> Double
  /// Seconds since 1970, for the sentence that says when to come back.
  let now: @Sendable () -> Int64
  let observer: CallObserver?
  var pauses: CallPauses?

  /// Calls `body` with the number of the try, from 1, until it succeeds, fails for good, or has used up its tries.
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

  /// Waits before try number `next`, or throws `error` if there is none.
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

  var unobserved: Retrying {
    Retrying(policy: policy, clock: clock, draw: draw, now: now, observer: nil, pauses: pauses)
  }

  func report(_ report: CallReport) { observer?(report) }

  private func end(_ error: StoreError) -> StoreError {
    switch error.kind {
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

extension Retrying {
  /// Makes a call about many items, and repeats it for those that failed with a temporary error, unless `isFinal`. The
  /// results are in the items' order.
  /// - Throws: the error of the last try, if it concerns all items.
  func each<Item: Sendable, Value: Sendable>(
    _ items: [Item], isFinal: (Item) -> Bool = { _ in false },
    _ body: ([Item], Int) async throws(StoreError) -> [Result<Value, StoreError>]
  ) async throws(StoreError) -> [Result<Value, StoreError>] {
    var results = [Result<Value, StoreError>?](repeating: nil, count: items.count)
    var open = Array(items.indices)
    var attempt = 1
    while !open.isEmpty {
      let trouble: StoreError
      do throws(StoreError) {
        report(.asks)
        let answers = try await body(open.map { items[$0] }, attempt)
        for (index, answer) in zip(open, answers) { results[index] = answer }
        let failed = open.filter { index in
          if case .failure(let error)? = results[index] { error.isTemporary && !isFinal(items[index]) } else { false }
        }
        open = failed
        guard let first = failed.first, case .failure(let error)? = results[first] else {
          report(.answered)
          break
        }
        trouble = error
      } catch {
        trouble = error
      }
      attempt += 1
      do throws(StoreError) {
        try await pause(before: attempt, after: trouble)
      } catch {
        // Other items have their answers: the error is that of the remaining items alone.
        guard error.kind != .cancelled, results.contains(where: { $0 != nil }) else { throw error }
        for index in open { results[index] = .failure(error) }
        break
      }
    }
    return results.map { $0 ?? .failure(.cancelled("The work")) }
  }
}
