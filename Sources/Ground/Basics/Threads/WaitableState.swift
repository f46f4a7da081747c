internal import Synchronization

/// A value that any thread may change, and that tasks wait on until it meets a condition of theirs.
///
/// Conditions are looked at after each change, under the lock: they must be cheap. Tasks go on outside of it.
package final class WaitableState<Value: Sendable>: Sendable {
  private struct Waiter {
    let number: Int
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
    var last = 0
  }

  private let state: Mutex<State>

  package init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The number of tasks that wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

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
    for waiter in ready { waiter.continuation.resume() }
    return result
  }

  /// Returns when the value meets the condition; at once if it does, or when the task is cancelled.
  package func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    await withTaskCancellationHandler {
      await enter(number, orCancelled: true, isMet)
    } onCancel: {
      leave(number)
    }
  }

  /// As `wait`, for work that must not be left half done: a cancelled task waits on.
  package func waitThoughCancelled(until isMet: @escaping @Sendable (Value) -> Bool) async {
    await enter(0, orCancelled: false, isMet)
  }

  private func enter(_ number: Int, orCancelled: Bool, _ isMet: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if isMet(state.value) || orCancelled && Task.isCancelled { return true }
        state.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  private func leave(_ number: Int) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume()
  }
}

/// The number of changes so far of something. To miss none, read it, look at the thing, then wait past that number.
package typealias ChangeCount = WaitableState<UInt64>

extension ChangeCount {
  package convenience init() { self.init(0) }

  package var number: UInt64 { read { $0 } }

  package func fire() { change { $0 += 1 } }

  /// Returns when the number differs from `seen`, or the task is cancelled.
  package func wait(past seen: UInt64) async { await wait { $0 != seen } }
}
