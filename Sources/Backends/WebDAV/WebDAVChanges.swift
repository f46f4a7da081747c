internal import FileStores
internal import Synchronization

/// Changes by asking again: WebDAV has no feed for files. The pause grows while nothing changes. A cursor belongs to
/// this store object; with any other the caller lists anew.
struct WebDAVChanges: ChangeFeed {
  let store: WebDAVStore

  func start() async throws(StoreError) -> ChangeCursor {
    if Task.isCancelled { throw .cancelled("The watch", path: .root) }
    if let cursor = store.watch.cursorIfBegun { return cursor }
    try await look()
    return store.watch.log.cursor
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    let watch = store.watch
    var pause = store.tuning.firstPoll
    if watch.cursorIfBegun == nil {
      try await look()
      return ChangeSet(changes: [], cursor: watch.log.cursor, mustRelist: true)
    }
    while true {
      if Task.isCancelled { throw .cancelled("The watch", path: .root) }
      if let news = watch.news(since: cursor) { return news }
      do {
        try await store.tuning.clock.sleep(for: pause)
      } catch {
        throw .cancelled("The watch", path: .root)
      }
      pause = min(pause * 2, store.tuning.longestPoll)
      try await look()
    }
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    if Task.isCancelled { throw .cancelled("The watch", path: .root) }
    let isNew = store.watch.cursorIfBegun == nil
    try await look()
    guard isNew else { return watch(since: cursor) }
    return ChangeSet(
      changes: [], cursor: store.watch.log.cursor, mustRelist: true)
  }

  private func watch(since cursor: ChangeCursor) -> ChangeSet {
    store.watch.news(since: cursor) ?? ChangeSet(changes: [], cursor: cursor)
  }

  /// Lists everything and notes the differences.
  private func look() async throws(StoreError) {
    store.watch.take(try await store.list(.root, ListOptions(.full, recursive: true), after: nil).entries)
  }
}

final class WebDAVWatch: Sendable {
  let log = ChangeLog()
  private let known = Mutex<[StorePath: FileEntry]?>(nil)

  /// nil before the first look.
  var cursorIfBegun: ChangeCursor? { known.withLock { $0 == nil ? nil : log.cursor } }

  /// Counts the entries of a first list as known. Others are news at the first look.
  func begin(with entries: [FileEntry]) -> ChangeCursor {
    known.withLock { known in
      if known == nil { known = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }) }
    }
    return log.cursor
  }

  func take(_ entries: [FileEntry]) {
    let now = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let changed: [StorePath] = known.withLock { last in
      defer { last = now }
      guard let known = last else { return [] }
      let present = entries.filter { entry in
        guard let old = known[entry.path] else { return true }
        return old.kind != entry.kind || old.revision != entry.revision
      }
      return known.keys.filter { now[$0] == nil }.sorted() + present.map(\.path)
    }
    log.note(changed)
  }

  /// nil if there is nothing new.
  func news(since cursor: ChangeCursor) -> ChangeSet? {
    let news = log.newsSoFar(since: cursor)
    if news.mustRelist { return ChangeSet(changes: [], cursor: news.cursor, mustRelist: true) }
    guard !news.paths.isEmpty else { return nil }
    let changes = known.withLock { known in
      news.paths.map { path in known?[path].map { ChangeSet.Change.present($0) } ?? .absent(path) }
    }
    return ChangeSet(changes: changes, cursor: news.cursor)
  }
}
