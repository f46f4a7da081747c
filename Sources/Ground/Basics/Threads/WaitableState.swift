internal import Synchronization

/// A value that any thread may change, and that tasks wait on until it meets a condition of theirs.
///
/// Conditions are looked at after each change, under the lock: they must be cheap. Tasks go on outside of it.
package final class WaitableState<Value: Sendable>: Sendable {
  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let end = PendingAnswer<Void>()
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
  }

  private let state: Mutex<State>

  package init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The number of tasks that wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  package var value: Value { read { $0 } }

  package func read<Result: Sendable>(_ body: (Value) -> Result) -> Result { state.withLock { body($0.value) } }

  /// Changes the value, and lets the tasks go on whose condition it meets now.
  @discardableResult
  package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, ready) = state.withLock { state -> (Result, [Waiter]) in
      let result = body(&state.value)
      guard !state.waiters.isEmpty else { return (result, []) }
      var (ready, others): ([Waiter], [Waiter]) = ([], [])
      for waiter in state.waiters {
        if waiter.isMet(state.value) { ready.append(waiter) } else { others.append(waiter) }
      }
      state.waiters = others
      return (result, ready)
    }
    for waiter in ready { waiter.end.give(()) }
    return result
  }

  /// Returns when the value meets the condition; at once if it does, or when the task is cancelled.
  package func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
    guard let waiter = waiter(isMet), await waiter.end.value() == nil else { return }
    state.withLock { state in state.waiters.removeAll { $0.end === waiter.end } }
  }

  /// As `wait`, for work that must not be left half done: a cancelled task waits on.
  package func waitThoughCancelled(until isMet: @escaping @Sendable (Value) -> Bool) async {
    await waiter(isMet)?.end.valueThoughCancelled()
  }

  /// nil if the condition is met.
  private func waiter(_ isMet: @escaping @Sendable (Value) -> Bool) -> Waiter? {
    state.withLock { state in
      if isMet(state.value) { return nil }
      let waiter = Waiter(isMet: isMet)
      state.waiters.append(waiter)
      return waiter
    }
  }
}

extension WaitableState where Value: Equatable {
  /// The value now and after each change, for one task, which may miss values in quick succession.
  package func values() -> AsyncStream<Value> {
    let last = Mutex<Value?>(nil)
    return AsyncStream { [self] in
      let seen = last.withLock { $0 }
      await wait { $0 != seen }
      guard !Task.isCancelled else { return nil }
      let value = value
      last.withLock { $0 = value }
      return value
    }
  }
}

/// The number of changes so far of something. To miss none, read it, look at the thing, then wait past that number.
package typealias ChangeCount = WaitableState<UInt64>

extension ChangeCount {
  package convenience init() { self.init(0) }

  package var number: UInt64 { value }

  package func fire() { change { $0 += 1 } }

  /// Returns when the number differs from `seen`, or the task is cancelled.
  package func wait(past seen: UInt64) async { await wait { $0 != seen } }
}
