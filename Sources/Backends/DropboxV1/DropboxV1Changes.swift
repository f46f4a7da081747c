internal import FileStores
internal import JSON

/// The change feed: one call that hangs until something changes (or the server has thought long enough), then what
/// changed. `backoff` is honoured.
struct DropboxV1Changes: ChangeFeed {
  let store: DropboxV1Store

  func start() async throws(StoreError) -> ChangeCursor {
    try store.checkCancelled("The watch", .root)
    return ChangeCursor(try await cursor())
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    var cursor = cursor.value
    var idle = 0
    while true {
      try store.checkCancelled("The watch", .root)
      try await rest(idle)
      let begun = ContinuousClock.now
      guard let changed = try await hasChanged(since: cursor) else { return try await lost() }
      if changed {
        guard let news = try await news(since: cursor) else { return try await lost() }
        cursor = news.cursor.value
        store.watch.newest = cursor
        if !news.changes.isEmpty { return news }
      }
      // An answer at once that says nothing must not become a busy loop.
      idle = ContinuousClock.now - begun < .seconds(1) ? idle + 1 : 0
    }
  }

  private func cursor() async throws(StoreError) -> String {
    guard let cursor = try await store.latestCursor() else { throw cannotTell }
    return cursor
  }

  private var cannotTell: StoreError {
    StoreError(
      .unsupported, "\(store.client.server.name) cannot tell what has changed.", remedy: "List the folders anew.",
      path: .root)
  }

  private func rest(_ idle: Int) async throws(StoreError) {
    let pause = max(store.watch.quiet ?? .zero, idle < 3 ? .zero : .seconds(min(30, idle)))
    guard pause > .zero else { return }
    do {
      try await store.tuning.clock.sleep(for: pause)
    } catch {
      throw .cancelled("The watch", path: .root)
    }
  }

  /// Nil when the server does not know the cursor.
  private func hasChanged(since cursor: String) async throws(StoreError) -> Bool? {
    let seconds = store.tuning.longPollSeconds
    var call = DropboxV1Call(.longPoll, about: .root, ["cursor": cursor, "timeout": String(seconds)])
    call.waitSeconds = seconds
    switch try await store.client.answer(call) {
    case .result(let json):
      guard let changes = json["changes"]?.boolean else {
        throw store.client.fault.nonsense("no word about changes", call)
      }
      if let backoff = json["backoff"]?.seconds { store.watch.beQuiet(for: backoff) }
      return changes
    case .refusal(let refusal):
      if refusal.status == 400 { return nil }
      guard refusal.isUnknownRoute || refusal.isMissing else { throw refusal.error }
      store.memory.hasNoFeed = true
      throw cannotTell
    case .unchanged: throw store.client.fault.nonsense("that nothing has changed, which was not asked", call)
    }
  }

  /// All that has changed; nil when the server does not know the cursor, or begins anew.
  private func news(since cursor: String) async throws(StoreError) -> ChangeSet? {
    var cursor = cursor
    var changes: [ChangeSet.Change] = []
    while true {
      let call = DropboxV1Call(
        .delta, about: .root, ["cursor": cursor, "path_prefix": store.prefix(store.folder.path)])
      switch try await store.client.answer(call) {
      case .refusal(let refusal):
        if refusal.status == 400 { return nil }
        throw refusal.error
      case .unchanged: throw store.client.fault.nonsense("that nothing has changed, which was not asked", call)
      case .result(let json):
        guard let page = DropboxV1Delta(json) else { throw store.client.fault.nonsense("no page of changes", call) }
        if page.isReset { return nil }
        for entry in page.changes { if let change = try await change(entry) { changes.append(change) } }
        cursor = page.cursor
        if !page.hasMore { return ChangeSet(changes: changes, cursor: ChangeCursor(cursor)) }
      }
    }
  }

  private func change(_ entry: DropboxV1Delta.Change) async throws(StoreError) -> ChangeSet.Change? {
    if let metadata = entry.metadata {
      guard let path = store.path(of: metadata), !DropboxFolder.isOwn(path) else { return nil }
      return metadata.entry(at: path).map { .present($0) }
    }
    let parts = entry.lower.split(separator: "/")
    guard parts.count > store.folder.depth,
      let lower = try? StorePath(parts[store.folder.depth...].joined(separator: "/")), !DropboxFolder.isOwn(lower)
    else { return nil }
    if let known = store.memory.name(entry.lower) { return .absent(known) }
    return .absent(try await formerName(entry.lower) ?? lower)
  }

  /// The name that something had which is gone: a deletion is told in lower case, but the server remembers.
  private func formerName(_ lower: String) async throws(StoreError) -> StorePath? {
    let call = DropboxV1Call(.metadata, at: lower, about: .root, ["list": "false", "include_deleted": "true"])
    guard case .result(let json) = try await store.client.answer(call), let metadata = DropboxV1Metadata(json) else {
      return nil
    }
    return store.path(of: metadata)
  }

  /// Everything has to be listed anew, and is told from now on.
  private func lost() async throws(StoreError) -> ChangeSet {
    store.watch.newest = nil
    return ChangeSet(changes: [], cursor: ChangeCursor(try await cursor()), mustRelist: true)
  }
}
