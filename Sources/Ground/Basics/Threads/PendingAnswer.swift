import Synchronization

/// A value for one task that waits for it. Only the first value counts.
package final class PendingAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(UnsafeContinuation<Value?, Never>)
    case settled(Value?)
  }

  private let state = Mutex(State.open)

  package init() {}

  /// Sets the value, from any thread.
  /// - Returns: false if it is too late: there was a value before, or the waiting task is cancelled.
  @discardableResult
  package func give(_ value: Value) -> Bool { settle(value) }

  /// Waits for the value; nil once the task is cancelled. For one task, once.
  package func value() async -> Value? {
    await withTaskCancellationHandler {
      await settled()
    } onCancel: {
      _ = settle(nil)
    }
  }

  /// As `value`, for work that must not be left half done: a cancelled task waits on.
  /// - Returns: never nil.
  @discardableResult
  package func valueThoughCancelled() async -> Value? { await settled() }

  private func settled() async -> Value? {
    await withUnsafeContinuation { continuation in
      let settled: Value?? = state.withLock { state in
        if case .settled(let value) = state { return .some(value) }
        state = .waiting(continuation)
        return nil
      }
      if let settled { continuation.resume(returning: settled) }
    }
  }

  private func settle(_ value: Value?) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Value?, Never>?) in
      defer { if case .settled = state {} else { state = .settled(value) } }
      return switch state {
      case .settled: (false, nil)
      case .open: (true, nil)
      case .waiting(let continuation): (true, continuation)
      }
    }
    continuation?.resume(returning: value)
    return isFirst
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
