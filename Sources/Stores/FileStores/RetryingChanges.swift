/// A change feed with retries. The cursor makes repeated calls safe.
struct RetryingChanges: CapabilityWrapper, ChangeFeed {
  let base: any ChangeFeed
  let store: RetryingStore

  /// A failed wait says little, because a proxy may have cut it. A short call before the next wait is reported instead.
  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    let retrying = store.retrying
    var attempt = 1
    while true {
      do throws(StoreError) {
        let changes = try await base.wait(since: cursor)
        retrying.report(.answered)
        return changes
      } catch {
        attempt += 1
        try await (error.retryAfter == nil ? retrying.unobserved : retrying).pause(before: attempt, after: error)
        _ = try await start()
      }
    }
  }
}

/// Presence with a watch that is begun again after a broken line. A sight that could not be shown is not shown later: a
/// newer one follows.
struct RetryingPresence: CapabilityWrapper, StorePresence {
  let base: any StorePresence
  let store: RetryingStore

  /// The state of the connection is for other calls to report: a proxy may cut this one at any time.
  func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError) {
    var failures = 0
    while true {
      do throws(StoreError) {
        return try await base.watch { members in
          failures = 0
          await receive(members)
        }
      } catch {
        failures += 1
        // Nobody is known to be there while the line is broken.
        if error.isTemporary { await receive([]) }
        try await store.retrying.unobserved.pause(before: failures + 1, after: error)
      }
    }
  }
}
