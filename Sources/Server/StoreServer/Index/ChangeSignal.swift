import Synchronization

final class ChangeSignal: Sendable {
  private struct State {
    var count: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var tickets: UInt64 = 0
  }

  private let state = Mutex(State())

  /// To miss no change, read this, check the state, then wait past this number.
  var count: UInt64 { state.withLock { $0.count } }

  func fire() {
    let waiters = state.withLock { state in
      state.count += 1
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when the count differs from `seen`, or the task is cancelled.
  func wait(past seen: UInt64) async {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.count != seen || Task.isCancelled { return true }
          state.waiters[ticket] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
    }
  }
}
