import Synchronization

/// Lets one task at a time do something to one thing. Those who wait get their turn in order.
final class KeyedLocks: Sendable {
  private let queues = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

  /// Runs `body` while nobody else runs one with the same key.
  func with<Value, Failure: Error>(
    _ key: String, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await acquire(key)
    defer { release(key) }
    return try await body()
  }

  private func acquire(_ key: String) async {
    await withCheckedContinuation { continuation in
      let isFree = queues.withLock { queues in
        guard queues[key] != nil else {
          queues[key] = []
          return true
        }
        queues[key]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func release(_ key: String) {
    let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
      guard let waiting = queues[key], !waiting.isEmpty else {
        queues[key] = nil
        return nil
      }
      return queues[key]?.removeFirst()
    }
    next?.resume()
  }
}
