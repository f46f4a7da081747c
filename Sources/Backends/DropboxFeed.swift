internal import FileStores

/// The change feed of either version of the API: one call that hangs until something changes (or the server has thought
/// long enough), then what changed. `backoff` is honoured.
protocol DropboxFeed: ChangeFeed {
  var watch: DropboxWatch { get }
  var clock: any Clock<Duration> { get }

  /// A cursor for now, over the whole club.
  func latest() async throws(StoreError) -> String
  /// Waits. Nil when the server has lost the cursor.
  func hasChanged(since cursor: String) async throws(StoreError) -> Bool?
  /// All that has changed; nil when the server has lost the cursor.
  func news(since cursor: String) async throws(StoreError) -> ChangeSet?
}

extension DropboxFeed {
  func start() async throws(StoreError) -> ChangeCursor {
    try checkCancelled()
    return ChangeCursor(try await latest())
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    var cursor = cursor.value
    var idle = 0
    while true {
      try checkCancelled()
      try await rest(idle)
      let begun = ContinuousClock.now
      do throws(StoreError) {
        guard let changed = try await hasChanged(since: cursor) else { return try await lost() }
        if changed {
          guard let news = try await news(since: cursor) else { return try await lost() }
          cursor = news.cursor.value
          watch.newest = cursor
          if !news.changes.isEmpty { return news }
        }
      } catch {
        switch error.kind {
        // A cursor that the server cannot read is one that it did not give.
        case .badInput: return try await lost()
        // The sign-in under which the cursor was given has ended. There may be another one by now: asking with that one
        // tells. A server that refuses to wait for anybody is not asked all the time.
        case .notSignedIn:
          watch.beQuiet(for: .seconds(10))
          return try await lost()
        default: throw error
        }
      }
      // An answer at once that says nothing must not become a busy loop.
      idle = ContinuousClock.now - begun < .seconds(1) ? idle + 1 : 0
    }
  }

  private func checkCancelled() throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The watch", path: .root) }
  }

  private func rest(_ idle: Int) async throws(StoreError) {
    let pause = max(watch.quiet ?? .zero, idle < 3 ? .zero : .seconds(min(30, idle)))
    guard pause > .zero else { return }
    do {
      try await clock.sleep(for: pause)
    } catch {
      throw .cancelled("The watch", path: .root)
    }
  }

  /// Everything has to be listed anew, and is told from now on.
  private func lost() async throws(StoreError) -> ChangeSet {
    watch.newest = nil
    return ChangeSet(changes: [], cursor: ChangeCursor(try await latest()), mustRelist: true)
  }
}
