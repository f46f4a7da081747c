/// A change feed that is asked again. Asking twice loses nothing: the cursor says from where.
struct RetryingChanges: ChangeFeed {
  let base: any ChangeFeed
  let retrying: Retrying

  func start() async throws(StoreError) -> ChangeCursor {
    try await retrying { _ throws(StoreError) in try await base.start() }
  }

  /// A wait that fails says little of the store: a proxy may have cut it, and one that goes on is silent. So a short
  /// question comes before the next wait, and its answer is what is reported.
  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
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
