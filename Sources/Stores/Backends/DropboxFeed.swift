internal import Basics
internal import FileStores
internal import JSON

/// The change feed of both versions of the API: a longpoll until something changes or the server's time is up, then the
/// changes. Honours `backoff`.
///
/// If the server does not support the longpoll (a proxy may block it), the feed polls with growing pauses and tries the
/// longpoll again after each.
struct DropboxFeed<Store: DropboxAccount>: ChangeFeed {
  let store: Store
  private var watch: DropboxWatch { store.watch }

  func start() async throws(StoreError) -> ChangeCursor {
    try StoreError.checkCancelled("The watch")
    return ChangeCursor(try await store.latest())
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    var cursor = cursor.value
    var idle = 0
    while true {
      try StoreError.checkCancelled("The watch")
      try await rest(idle)
      let elapsed = store.tuning.clock.stopwatch()
      do throws(StoreError) {
        // While polling, a short longpoll tests if the server supports it by now.
        let seconds = watch.lateness == nil ? store.tuning.longPollSeconds : min(30, store.tuning.longPollSeconds)
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
        // A cursor that the server cannot read is not its own.
        case .badInput: return try await lost()
        // A list of changes without an end is useless: list everything anew, but not all the time.
        case .corrupt, .tooLarge:
          watch.beQuiet(for: .seconds(30))
          return try await lost()
        case .unsupported:
          guard let news = try await polled(since: cursor, error) else { continue }
          return news
        // A new cursor shows if there is a new sign-in. The pause protects a server that rejects every longpoll.
        case .notSignedIn:
          watch.beQuiet(for: .seconds(10))
          return try await lost()
        default: throw error
        }
      }
      // Immediate empty responses must not cause a busy loop.
      idle = elapsed() < .seconds(1) ? idle + 1 : 0
    }
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try StoreError.checkCancelled("The watch")
    do throws(StoreError) {
      guard let news = try await news(since: cursor.value) else { return try await lost() }
      watch.newest = news.cursor.value
      return news
    } catch {
      // A cursor that the server cannot read is not its own; a list of changes without an end is useless.
      guard [.badInput, .corrupt, .tooLarge].contains(error.kind) else { throw error }
      return try await lost()
    }
  }

  /// Waits up to `seconds`. Returns nil if the server has lost the cursor.
  /// - Throws: `unsupported` if the server lacks the route.
  private func hasChanged(since cursor: String, seconds: Int) async throws(StoreError) -> Bool? {
    let call = store.longPoll(since: cursor, seconds: seconds)
    switch try await store.client.answer(call) {
    case .result(let json):
      guard let changes = json["changes"]?.boolean else {
        throw store.client.nonsense("no field about changes", call)
      }
      if let backoff = json["backoff"]?.seconds { watch.beQuiet(for: backoff) }
      return changes
    case .refusal(let refusal):
      if refusal.isReset { return nil }
      throw store.client.error(of: refusal, call)
    }
  }

  /// nil if the server has lost the cursor.
  private func news(since cursor: String) async throws(StoreError) -> ChangeSet? {
    var cursor = cursor
    var changes: [ChangeSet.Change] = []
    var bounds = PageBounds("the list of changes", about: .root, store.client.server.name)
    while true {
      let call = store.changes(since: cursor)
      switch try await store.client.answer(call) {
      case .refusal(let refusal):
        if refusal.isReset { return nil }
        throw store.changesError(refusal, call)
      case .result(let json):
        guard let page = try await store.changesPage(json, call) else { return nil }
        changes += page.changes
        cursor = page.cursor
        if !page.hasMore { return ChangeSet(changes: changes, cursor: ChangeCursor(cursor)) }
        try bounds.add(page.entries, next: cursor)
      }
    }
  }

  /// Polls once. Returns nil if nothing changed and the lateness is already reported.
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
    try await store.tuning.clock.rest(pause, "The watch", .root)
  }

  private func lost() async throws(StoreError) -> ChangeSet {
    watch.newest = nil
    return ChangeSet(changes: [], cursor: ChangeCursor(try await store.latest()), mustRelist: true)
  }
}
