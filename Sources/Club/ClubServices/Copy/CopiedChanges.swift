internal import Basics
internal import Database
internal import FileStores
internal import Synchronization

/// The change feed of a copy: all readers of this process share one request that waits.
struct CopiedChanges: ChangeFeed {
  let base: any ChangeFeed
  let copy: LocalCopy

  /// Asks the store, so that it also shows if the store answers.
  func start() async throws(StoreError) -> ChangeCursor {
    let cursor = try await base.start()
    return copy.hasFeed ? copy.endCursor : cursor
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    guard let number = LocalCopy.number(cursor) else { return try await base.poll(since: cursor) }
    try await copy.refresh()
    return copy.news(since: number)
      ?? ChangeSet(changes: [], cursor: cursor, lateness: copy.state.withLock { $0.lateness })
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    guard let number = LocalCopy.number(cursor) else { return try await base.wait(since: cursor) }
    while true {
      if Task.isCancelled { throw .cancelled("The watch", path: .root) }
      if let news = copy.news(since: number) { return news }
      do throws(StoreError) {
        try await copy.follow(since: number)
      } catch {
        // The request was cancelled with its last reader, just before this one came.
        guard error.kind == .cancelled, !Task.isCancelled else { throw error }
      }
    }
  }
}

/// The readers that wait for the next change, and the request that they share.
struct Following: Sendable {
  var task: Task<Void, Never>?
  var waiters: [Int: PendingAnswer<Result<Void, StoreError>>] = [:]
  var lastWaiter = 0
  var rounds = 0
}

extension LocalCopy {
  private static let prefix = "copy:"

  static func cursor(_ number: Int) -> ChangeCursor { ChangeCursor("\(prefix)\(number)") }

  static func number(_ cursor: ChangeCursor) -> Int? {
    cursor.value.hasPrefix(prefix) ? Int(cursor.value.dropFirst(prefix.count)) : nil
  }

  var endCursor: ChangeCursor { LocalCopy.cursor(state.withLock { $0.log.end }) }

  /// True if the copy follows the store's changes.
  var hasFeed: Bool { state.withLock { $0.head?.cursor != nil } }

  /// The changes since a place in the log, as the member sees the files; nil if there are none.
  func news(since number: Int) -> ChangeSet? {
    state.withLock { state in
      let cursor = LocalCopy.cursor(state.log.end)
      guard number >= state.log.floor, number <= state.log.end else {
        return ChangeSet(changes: [], cursor: cursor, mustRelist: true, lateness: state.lateness)
      }
      guard number < state.log.end else { return nil }
      var seen: Set<StorePath> = []
      var changes: [ChangeSet.Change] = []
      for item in state.log.items[(number - state.log.first)...] {
        switch item {
        case .lateness: break
        case .other(let change): changes.append(change)
        case .touched(let path):
          guard seen.insert(path).inserted else { continue }
          let entry = state.waiting.entry(at: path, base: state.base)
          changes.append(entry.map { .present($0) } ?? .absent(path))
        }
      }
      return ChangeSet(changes: changes, cursor: cursor, lateness: state.lateness)
    }
  }

  /// Waits for the next change of the copy, by whatever cause.
  /// - Throws: the error of the shared request; `cancelled`.
  func follow(since number: Int) async throws(StoreError) {
    await load()
    let answer = PendingAnswer<Result<Void, StoreError>>()
    let waiter = following.withLock { following in
      following.lastWaiter += 1
      following.waiters[following.lastWaiter] = answer
      if following.task == nil {
        following.rounds += 1
        let round = following.rounds
        following.task = Task.detached(executorPreference: pool.tasks) { [self] in
          end(round, with: await step())
        }
      }
      return following.lastWaiter
    }
    // A change that came before this reader joined.
    if state.withLock({ $0.log.end }) > number { answer.give(.success(())) }
    let result = await answer.value()
    following.withLock { following in
      following.waiters[waiter] = nil
      guard result == nil, following.waiters.isEmpty else { return }
      following.task?.cancel()
      following.task = nil
      following.rounds += 1
    }
    guard let result else { throw .cancelled("The watch", path: .root) }
    try result.get()
  }

  private func end(_ round: Int, with result: Result<Void, StoreError>) {
    let waiters = following.withLock { following in
      guard following.rounds == round else { return [PendingAnswer<Result<Void, StoreError>>]() }
      following.task = nil
      return Array(following.waiters.values)
    }
    for waiter in waiters { waiter.give(result) }
  }

  /// Wakes all readers of the log.
  func wake() {
    for waiter in following.withLock({ Array($0.waiters.values) }) { waiter.give(.success(())) }
  }

  /// One request for changes: at once when this process has had none, otherwise waiting.
  private func step() async -> Result<Void, StoreError> {
    await .catching { () throws(StoreError) in
      guard let feed = store.capabilities.changes else { return }
      let (cursor, isRefreshed, unsure) = state.withLock { ($0.head?.cursor, $0.isRefreshed, $0.unsure) }
      guard let cursor else { return try await relist(try await feed.start()) }
      let set = isRefreshed ? try await feed.wait(since: cursor) : try await feed.poll(since: cursor)
      try await take(answer: set, since: cursor, unsure)
      readMissingFolders()
    }
  }
}
