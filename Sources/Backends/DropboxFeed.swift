internal import FileStores

/// The change feed of either version of the API: one call that hangs until something changes (or the server has thought
/// long enough), then what changed. `backoff` is honoured. A server that does not answer that call (a proxy on the way
/// may not know it) is asked for changes with growing pauses, and for that call again after each.
protocol DropboxFeed: ChangeFeed {
  var watch: DropboxWatch { get }
  var clock: any Clock<Duration> { get }
  /// How long the server may think about a wait.
  var longPollSeconds: Int { get }

  /// A cursor for now, over the whole club.
  func latest() async throws(StoreError) -> String
  /// Waits so many seconds. Nil when the server has lost the cursor.
  /// - Throws: `unsupported` when the server does not know the call.
  func hasChanged(since cursor: String, seconds: Int) async throws(StoreError) -> Bool?
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
        // While changes are told late, a short wait finds out that they need not be.
        let seconds = watch.lateness == nil ? longPollSeconds : min(30, longPollSeconds)
        guard let changed = try await hasChanged(since: cursor, seconds: seconds) else { return try await lost() }
        if watch.endPolling() {
          guard let news = try await news(since: cursor) else { return try await lost() }
          watch.newest = news.cursor.value
          return news
        }
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
        case .unsupported:
          guard let news = try await polled(since: cursor, error) else { continue }
          return news
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

  /// What has changed, asked without waiting; nil when nothing has, or this is not answered either.
  private func polled(since cursor: String, _ error: StoreError) async throws(StoreError) -> ChangeSet? {
    let isFirst = watch.beginPolling(error.message)
    var news: ChangeSet?
    do throws(StoreError) {
      news = try await self.news(since: cursor)
      if news == nil { return try await lost() }
    } catch {
      guard error.kind == .unsupported else { throw error }
    }
    guard isFirst || news?.changes.isEmpty == false else { return nil }
    let next = news?.cursor ?? ChangeCursor(cursor)
    watch.newest = next.value
    return ChangeSet(changes: news?.changes ?? [], cursor: next, lateness: watch.lateness)
  }

  private func rest(_ idle: Int) async throws(StoreError) {
    let wait = max(watch.quiet ?? .zero, idle < 3 ? .zero : .seconds(min(30, idle)))
    let pause = max(wait, watch.nextPoll() ?? .zero)
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
