internal import Basics
internal import FileStores
internal import Synchronization

/// Changes by asking again, at servers without a feed of them. The pause grows while nothing changes. A cursor belongs to
/// one store object; with any other the caller lists anew.
struct PolledFeed: ChangeFeed {
  let watch: PolledWatch
  let pool: BlockingPool
  let clock: any Clock<Duration>
  /// The first and the longest pause between looks.
  let pauses: (first: Duration, longest: Duration)
  /// True to look before the first pause, too.
  var looksAtOnce = false
  /// Looks at the whole club, and gives it to the watch.
  let look: SharedLooks.Look

  /// The cursor of a listing that begins now.
  func begun() async throws(StoreError) -> ChangeCursor {
    if watch.cursorIfBegun == nil { try await watch.looks(on: pool, look) }
    return watch.log.cursor
  }

  func start() async throws(StoreError) -> ChangeCursor {
    try StoreError.checkCancelled("The watch")
    if looksAtOnce { try await watch.looks(on: pool, look) }
    return try await begun()
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    if looksAtOnce || watch.cursorIfBegun == nil {
      let set = try await poll(since: cursor)
      if set.mustRelist || !set.changes.isEmpty { return set }
    }
    var pause = pauses.first
    while true {
      try StoreError.checkCancelled("The watch")
      if let news = watch.news(since: cursor) { return news }
      try await clock.rest(pause, "The watch", .root)
      pause = min(pause * 2, pauses.longest)
      try await watch.looks(on: pool, look)
    }
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try StoreError.checkCancelled("The watch")
    let isNew = watch.cursorIfBegun == nil
    try await watch.looks(on: pool, look)
    if isNew { return ChangeSet(changes: [], cursor: watch.log.cursor, mustRelist: true) }
    return watch.news(since: cursor) ?? ChangeSet(changes: [], cursor: cursor)
  }
}

/// The club as the last look showed it, and the changes since the first one.
final class PolledWatch: Sendable {
  let log = ChangeLog()
  let looks = SharedLooks()
  /// nil before the first look.
  private let state = Mutex<[StorePath: FileEntry]?>(nil)

  /// nil before the first look.
  var cursorIfBegun: ChangeCursor? { state.withLock { $0 == nil ? nil : log.cursor } }

  var known: [StorePath: FileEntry] { state.withLock { $0 ?? [:] } }

  /// Counts the entries of a first list as known. Others are news at the first look.
  func begin(with entries: [FileEntry]) -> ChangeCursor {
    state.withLock { known in known = known ?? PolledWatch.byPath(entries) }
    return log.cursor
  }

  /// Takes the entries of the whole club.
  func take(_ entries: [FileEntry]) {
    take { _ in PolledWatch.byPath(entries) }
  }

  /// Takes the whole club as it is now, made of the known files.
  func take(_ update: ([StorePath: FileEntry]) -> [StorePath: FileEntry]) {
    let changed = state.withLock { state -> [StorePath] in
      let now = update(state ?? [:])
      defer { state = now }
      guard let known = state else { return [] }
      let present = now.values.filter { entry in
        known[entry.path].map { $0.kind != entry.kind || $0.revision != entry.revision } ?? true
      }
      return known.keys.filter { now[$0] == nil }.sorted() + present.map(\.path).sorted()
    }
    log.note(changed)
  }

  private static func byPath(_ entries: [FileEntry]) -> [StorePath: FileEntry] {
    Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// nil if there is nothing new.
  func news(since cursor: ChangeCursor) -> ChangeSet? {
    let news = log.newsSoFar(since: cursor)
    if news.mustRelist { return ChangeSet(changes: [], cursor: news.cursor, mustRelist: true) }
    guard !news.paths.isEmpty else { return nil }
    let known = known
    return ChangeSet(
      changes: news.paths.map { path in known[path].map { .present($0) } ?? .absent(path) }, cursor: news.cursor)
  }
}
