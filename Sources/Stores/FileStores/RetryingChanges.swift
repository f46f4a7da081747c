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
