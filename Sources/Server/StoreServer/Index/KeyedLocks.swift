import Synchronization

/// Lets one task at a time hold a key. Waiting tasks get it in order.
/// A change keeps its place when its task is cancelled, because half a change is worse; a reading gives it up.
final class KeyedLocks: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var queues: [String: [Waiter]] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  func waiting(for key: String) -> Int { state.withLock { $0.queues[key]?.count ?? 0 } }

  /// The tasks that hold or wait for a key.
  func count(of key: String) -> Int { state.withLock { $0.queues[key].map { $0.count + 1 } ?? 0 } }

  func isHeld(_ key: String) -> Bool { state.withLock { $0.queues[key] != nil } }

  func with<Value, Failure: Error>(
    _ key: String, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    _ = await enter(key, nil)
    defer { release(key) }
    return try await body()
  }

  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  func reading<Value>(_ key: String, _ body: () async throws -> Value) async throws -> Value {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let isIn = await withTaskCancellationHandler {
      await enter(key, number)
    } onCancel: {
      leave(key, number)
    }
    guard isIn else { throw CancellationError() }
    defer { release(key) }
    return try await body()
  }

  /// - Parameter number: identifies a waiter that may leave; nil for a change.
  private func enter(_ key: String, _ number: Int?) async -> Bool {
    await withCheckedContinuation { continuation in
      let isIn: Bool? = state.withLock { state in
        if number != nil, Task.isCancelled { return false }
        guard state.queues[key] != nil else {
          state.queues[key] = []
          return true
        }
        state.queues[key]?.append(Waiter(number: number ?? 0, continuation: continuation))
        return nil
      }
      if let isIn { continuation.resume(returning: isIn) }
    }
  }

  private func leave(_ key: String, _ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.queues[key]?.firstIndex(where: { $0.number == number }) else { return nil }
      return state.queues[key]?.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func release(_ key: String) {
    let next = state.withLock { state -> Waiter? in
      guard let waiting = state.queues[key], !waiting.isEmpty else {
        state.queues[key] = nil
        return nil
      }
      return state.queues[key]?.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }
}
