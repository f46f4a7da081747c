/// A history with retries. A restore whose answer was lost is recognised by the current content.
struct RetryingHistory: CapabilityWrapper, RevisionHistory {
  let base: any RevisionHistory
  let store: RetryingStore

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    // A version never changes, so bytes that the caller already has are skipped.
    var reached = 0
    var attempt = 1
    while true {
      var receiverFailed = false
      let before = reached
      var passed = 0
      do throws(StoreError) {
        return try await base.read(revision, of: path) { chunk throws(StoreError) in
          let known = min(chunk.count, max(0, reached - passed))
          passed += chunk.count
          let news = chunk.dropFirst(known)
          if news.isEmpty { return }
          do throws(StoreError) {
            try await receive(news)
            reached += news.count
          } catch {
            receiverFailed = true
            throw error
          }
        }
      } catch {
        if receiverFailed { throw error }
        attempt = reached > before ? 2 : attempt + 1
        try await store.retrying.pause(before: attempt, after: error)
      }
    }
  }

  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await store.retrying { attempt throws(StoreError) in
      if attempt > 1, let done = try await alreadyRestored(revision, path, over: base) { return done }
      return try await self.base.restore(revision, of: path, over: base)
    }
  }

  private func alreadyRestored(
    _ revision: Revision, _ path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry? {
    guard let there = try await store.base.entryIfAny(path), there.kind == .file, there.revision != base else {
      return nil
    }
    let hasher = ContentHasher()
    return try await ifThere { () throws(StoreError) in
      let version = try await read(revision, of: path) { chunk throws(StoreError) in hasher.update(chunk) }
      guard version.size == there.size, try await store.base.has(hasher.finish(), there) else { return nil }
      return there
    }
  }
}
