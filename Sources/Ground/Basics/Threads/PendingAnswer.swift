import Synchronization

/// A value for one task that waits for it. Only the first value counts; cancelling the waiting task ends the wait.
package final class PendingAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(UnsafeContinuation<Value?, Never>)
    case settled(Value?)
  }

  private let state = Mutex(State.open)

  package init() {}

  /// Sets the value, from any thread. Later calls do nothing.
  package func give(_ value: Value) { settle(value) }

  /// Waits for the value; nil once the task is cancelled. For one task, once.
  package func value() async -> Value? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let settled: Value?? = state.withLock { state in
          if case .settled(let value) = state { return .some(value) }
          state = .waiting(continuation)
          return nil
        }
        if let settled { continuation.resume(returning: settled) }
      }
    } onCancel: {
      settle(nil)
    }
  }

  private func settle(_ value: Value?) {
    let continuation = state.withLock { state -> UnsafeContinuation<Value?, Never>? in
      switch state {
      case .settled: return nil
      case .open:
        state = .settled(value)
        return nil
      case .waiting(let continuation):
        state = .settled(value)
        return continuation
      }
    }
    continuation?.resume(returning: value)
  }
}

extension Result {
  /// As `init(catching:)` of the standard library, which takes no asynchronous work.
  public static func catching(_ body: () async throws(Failure) -> Success) async -> Result {
    do throws(Failure) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}

extension Task where Failure == Never {
  /// The task's value; nil once the waiting task is cancelled, while this one goes on.
  package func valueUnlessCancelled(on executor: (any TaskExecutor)?) async -> Success? {
    let answer = PendingAnswer<Success>()
    Task<Void, Never>.detached(executorPreference: executor) { answer.give(await value) }
    return await answer.value()
  }
}
