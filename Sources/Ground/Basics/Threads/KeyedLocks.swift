internal import Synchronization

/// Lets a fixed number of tasks hold a key at once. Waiting tasks get it in order.
/// A change keeps its place when its task is cancelled, because half a change is worse; a reading gives it up.
package final class KeyedLocks: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// Of keys that are held.
    var holders: [String: Int] = [:]
    var queues: [String: [Waiter]] = [:]
    var last = 0
  }

  private let most: Int
  private let state = Mutex(State())

  /// - Parameter most: tasks at once for each key.
  package init(most: Int = 1) { self.most = most }

  package func waiting(for key: String) -> Int { state.withLock { $0.queues[key]?.count ?? 0 } }

  /// The tasks that hold or wait for a key.
  package func count(of key: String) -> Int {
    state.withLock { $0.holders[key, default: 0] + ($0.queues[key]?.count ?? 0) }
  }

  package func with<Value, Failure: Error>(
    _ key: String, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    _ = await enter(key, nil)
    defer { release(key) }
    return try await body()
  }

  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  package func reading<Value>(_ key: String, _ body: () async throws -> Value) async throws -> Value {
    guard let value = try await unlessCancelled(key, body) else { throw CancellationError() }
    return value
  }

  /// - Returns: nil when the task is cancelled while it waits.
  package func unlessCancelled<Value, Failure: Error>(
    _ key: String, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let isIn = await withTaskCancellationHandler {
      await enter(key, number)
    } onCancel: {
      leave(key, number)
    }
    guard isIn else { return nil }
    defer { release(key) }
    return try await body()
  }

  /// - Parameter number: identifies a waiter that may leave; nil for a change.
  private func enter(_ key: String, _ number: Int?) async -> Bool {
    await withCheckedContinuation { continuation in
      let isIn: Bool? = state.withLock { state in
        if number != nil, Task.isCancelled { return false }
        if state.holders[key, default: 0] < most {
          state.holders[key, default: 0] += 1
          return true
        }
        state.queues[key, default: []].append(Waiter(number: number ?? 0, continuation: continuation))
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

  /// The first waiter gets the place.
  private func release(_ key: String) {
    let next = state.withLock { state -> Waiter? in
      if let waiting = state.queues[key], !waiting.isEmpty { return state.queues[key]?.removeFirst() }
      let rest = state.holders[key, default: 1] - 1
      state.holders[key] = rest > 0 ? rest : nil
      state.queues[key] = nil
      return nil
    }
    next?.continuation.resume(returning: true)
  }
}
