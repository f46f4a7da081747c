internal import FileStores
internal import JSON

extension DropboxStore {
  /// A cursor for now, over the whole club.
  func latestCursor() async throws(StoreError) -> String {
    let call = DropboxCall(
      .latestCursor, .members(["path": .string(folder.path), "recursive": true]), about: .root)
    switch try await client.answer(call) {
    case .result(let json):
      guard let cursor = json["cursor"]?.text else { throw client.fault.nonsense("no cursor", call) }
      watch.newest = cursor
      return cursor
    case .refusal(let refusal):
      throw refusal.has("not_found") ? missing(.root) : refusal.error(.root, client.server)
    }
  }
}

/// The change feed: one call that hangs until something changes (or the server has thought long enough), then what
/// changed. `backoff` is honoured.
struct DropboxChanges: ChangeFeed {
  let store: DropboxStore

  func start() async throws(StoreError) -> ChangeCursor {
    try store.checkCancelled("The watch", .root)
    return ChangeCursor(try await store.latestCursor())
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    var cursor = cursor.value
    var idle = 0
    while true {
      try store.checkCancelled("The watch", .root)
      try await rest(idle)
      let begun = ContinuousClock.now
      do throws(StoreError) {
        guard let changed = try await hasChanged(since: cursor) else { return try await lost() }
        if changed {
          guard let news = try await news(since: cursor) else { return try await lost() }
          cursor = news.cursor.value
          store.watch.newest = cursor
          if !news.changes.isEmpty { return news }
        }
      } catch {
        switch error.kind {
        // A cursor that the server cannot read is one that it did not give.
        case .badInput: return try await lost()
        // The sign-in under which the cursor was given has ended. There may be another one by now: asking with that one
        // tells. A server that refuses to wait for anybody is not asked all the time.
        case .notSignedIn:
          store.watch.beQuiet(for: .seconds(10))
          return try await lost()
        default: throw error
        }
      }
      // An answer at once that says nothing must not become a busy loop.
      idle = ContinuousClock.now - begun < .seconds(1) ? idle + 1 : 0
    }
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

  /// Nil when the server has lost the cursor.
  private func hasChanged(since cursor: String) async throws(StoreError) -> Bool? {
    let call = DropboxCall(
      .longPoll, .members(["cursor": .string(cursor), "timeout": .integer(Int64(store.tuning.longPollSeconds))]),
      about: .root)
    switch try await store.client.answer(call) {
    case .result(let json):
      guard let changes = json["changes"]?.boolean else {
        throw store.client.fault.nonsense("no word about changes", call)
      }
      if let backoff = json["backoff"]?.seconds { store.watch.beQuiet(for: backoff) }
      return changes
    case .refusal(let refusal):
      if refusal.isReset { return nil }
      throw refusal.error(.root, store.client.server)
    }
  }

  /// All that has changed; nil when the server has lost the cursor.
  private func news(since cursor: String) async throws(StoreError) -> ChangeSet? {
    var cursor = cursor
    var changes: [ChangeSet.Change] = []
    while true {
      let call = DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
      switch try await store.client.answer(call) {
      case .refusal(let refusal):
        if refusal.isReset { return nil }
        throw refusal.has("not_found") ? store.missing(.root) : refusal.error(.root, store.client.server)
      case .result(let json):
        guard let values = json["entries"]?.elements, let next = json["cursor"]?.text else {
          throw store.client.fault.nonsense("no page of changes", call)
        }
        for value in values { if let change = try change(value, call) { changes.append(change) } }
        cursor = next
        if json["has_more"]?.boolean != true { return ChangeSet(changes: changes, cursor: ChangeCursor(cursor)) }
      }
    }
  }

  private func change(_ json: JSONValue, _ call: DropboxCall) throws(StoreError) -> ChangeSet.Change? {
    guard let metadata = DropboxMetadata(json) else { throw store.client.fault.nonsense("no metadata", call) }
    guard let path = store.names.path(of: metadata), !DropboxFolder.isOwn(path) else { return nil }
    return metadata.entry(at: path).map { .present($0) } ?? .absent(path)
  }

  /// Everything has to be listed anew, and is told from now on.
  private func lost() async throws(StoreError) -> ChangeSet {
    store.watch.newest = nil
    return ChangeSet(changes: [], cursor: ChangeCursor(try await store.latestCursor()), mustRelist: true)
  }
}
