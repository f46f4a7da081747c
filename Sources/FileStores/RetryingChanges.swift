/// A change feed that is asked again. Asking twice loses nothing: the cursor says from where.
struct RetryingChanges: ChangeFeed {
  let base: any ChangeFeed
  let retrying: Retrying

  func start() async throws(StoreError) -> ChangeCursor {
    try await retrying { _ throws(StoreError) in try await base.start() }
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try await retrying { _ throws(StoreError) in try await base.wait(since: cursor) }
  }
}
