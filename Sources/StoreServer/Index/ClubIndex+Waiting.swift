import ServiceLifecycle

extension ClubIndex {
  /// Waits until `isThere` says that there is something new, at most so many seconds. It is asked at once, and after
  /// each change. A server that is told to stop ends the waiting.
  /// - Returns: whether there is.
  func wait(seconds: Int64, until isThere: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
    try await cancelWhenGracefulShutdown {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          while !Task.isCancelled {
            let seen = self.signal.count
            if try await isThere() { return true }
            await self.signal.wait(past: seen)
          }
          return false
        }
        group.addTask {
          // Cancelled, it has nothing to say either: the other task has answered, or nobody waits any more.
          try? await Task.sleep(for: .seconds(seconds))
          return false
        }
        defer { group.cancelAll() }
        return try await group.next() ?? false
      }
    }
  }
}
