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
  private struct State {
    var snapshot: [StorePath: FileEntry]?
    var running: Task<Result<Void, StoreError>, Never>?
  }

  let log = ChangeLog()
  private let state = Mutex(State())

  var hasSnapshot: Bool { state.withLock { $0.snapshot != nil } }

  /// Lists the club and notes the differences. Callers at the same time share a listing, but only one that has begun
  /// after their call can show them every change; so a second one may follow.
  func refresh(_ store: S3Store) async throws(StoreError) {
    let before = state.withLock { $0.running }
    if let before { _ = await before.value }
    let task = state.withLock { state in
      if let running = state.running { return running }
      let task = Task(executorPreference: store.pool.tasks) { await self.run(store) }
      state.running = task
      return task
    }
    guard let result = await task.valueUnlessCancelled(on: store.pool.tasks) else {
      throw .cancelled("The watch", path: .root)
    }
    try result.get()
  }

  private func run(_ store: S3Store) async -> Result<Void, StoreError> {
    defer { state.withLock { $0.running = nil } }
    do throws(StoreError) {
      let known = state.withLock { $0.snapshot } ?? [:]
      take(try await store.withoutReservations(store.allFiles(below: .root), known: known))
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func take(_ entries: [FileEntry]) {
    let new = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let changed = state.withLock { state -> [StorePath] in
      defer { state.snapshot = new }
      guard let old = state.snapshot else { return [] }
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
    let changes = state.withLock { state in
      news.paths.map { path -> ChangeSet.Change in (state.snapshot?[path]).map { .present($0) } ?? .absent(path) }
    }
    return ChangeSet(changes: changes, cursor: news.cursor, mustRelist: news.mustRelist)
  }
}
