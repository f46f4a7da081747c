internal import Synchronization

/// Lets a fixed number of tasks hold a key at once. Waiting tasks get it in order.
/// A change keeps its place when its task is cancelled, because half a change is worse; a reading gives it up.
package final class KeyedLocks: Sendable {
  private struct State {
    /// Of keys that are held.
    var holders: [String: Int] = [:]
    var queues: [String: [PendingAnswer<Void>]] = [:]
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
    await place(at: key)?.valueThoughCancelled()
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
    if Task.isCancelled { return nil }
    if let place = place(at: key), await place.value() == nil {
      state.withLock { state in state.queues[key]?.removeAll { $0 === place } }
      return nil
    }
    defer { release(key) }
    return try await body()
  }

  /// Takes a place. Returns what to wait for if none is free.
  private func place(at key: String) -> PendingAnswer<Void>? {
    state.withLock { state in
      if state.holders[key, default: 0] < most {
        state.holders[key, default: 0] += 1
        return nil
      }
      let place = PendingAnswer<Void>()
      state.queues[key, default: []].append(place)
      return place
    }
  }

  /// The first waiter that is not cancelled gets the place.
  private func release(_ key: String) {
    while let next = next(at: key), !next.give(()) {}
  }

  /// The next waiter; without one, the place is free.
  private func next(at key: String) -> PendingAnswer<Void>? {
    state.withLock { state in
      if let waiting = state.queues[key], !waiting.isEmpty { return state.queues[key]?.removeFirst() }
      let rest = state.holders[key, default: 1] - 1
      state.holders[key] = rest > 0 ? rest : nil
      state.queues[key] = nil
      return nil
    }
  }
}
