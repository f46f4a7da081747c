internal import Basics
internal import FileStores
internal import Synchronization

/// Changes by listing the whole club now and then, because S3 has no call for them. One listing serves all readers.
struct S3Changes: ChangeFeed {
  let store: S3Store

  /// The cursor of a listing that begins now.
  func begun() async throws(StoreError) -> ChangeCursor {
    if !store.watch.hasSnapshot { try await store.watch.refresh(store) }
    return store.watch.log.cursor
  }

  func start() async throws(StoreError) -> ChangeCursor {
    try store.checkCancelled("The watch", .root)
    try await store.watch.refresh(store)
    return store.watch.log.cursor
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    var pause = store.tuning.pollPause
    while true {
      try store.checkCancelled("The watch", .root)
      try await store.watch.refresh(store)
      let set = store.watch.changes(since: cursor)
      if set.mustRelist || !set.changes.isEmpty { return set }
      do {
        try await store.tuning.clock.sleep(for: pause)
      } catch {
        throw .cancelled("The watch", path: .root)
      }
      pause = min(pause * 2, store.tuning.longestPause)
    }
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try store.checkCancelled("The watch", .root)
    try await store.watch.refresh(store)
    return store.watch.changes(since: cursor)
  }
}

/// The club as the last listing showed it, and the changes since the first one.
final class S3Watch: Sendable {
  let log = ChangeLog()
  private let looks = SharedLooks()
  private let snapshot = Mutex<[StorePath: FileEntry]?>(nil)

  var hasSnapshot: Bool { snapshot.withLock { $0 != nil } }

  /// Lists the club and notes the differences.
  func refresh(_ store: S3Store) async throws(StoreError) {
    try await looks(on: store.pool) { () throws(StoreError) in
      let known = self.snapshot.withLock { $0 } ?? [:]
      self.take(try await store.withoutReservations(store.allFiles(below: .root, isBeginning: true), known: known))
    }
  }

  private func take(_ entries: [FileEntry]) {
    let new = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let changed = snapshot.withLock { snapshot -> [StorePath] in
      defer { snapshot = new }
      guard let old = snapshot else { return [] }
      let gone = old.keys.filter { new[$0] == nil }
      let present = new.filter { path, entry in
        old[path].map { $0.kind != entry.kind || $0.revision != entry.revision } ?? true
      }
      return (gone + present.keys).sorted()
    }
    log.note(changed)
  }

  func changes(since cursor: ChangeCursor) -> ChangeSet {
    let news = log.newsSoFar(since: cursor)
    let changes = snapshot.withLock { snapshot in
      news.paths.map { path -> ChangeSet.Change in (snapshot?[path]).map { .present($0) } ?? .absent(path) }
    }
    return ChangeSet(changes: changes, cursor: news.cursor, mustRelist: news.mustRelist)
  }
}
