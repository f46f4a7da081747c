internal import FileStores
internal import Synchronization

/// Changes by asking again: WebDAV has no feed for files. The pause grows while nothing changes. A cursor belongs to
/// this store object; with any other the caller lists anew.
///
/// Where a folder's ETag changes with everything below it, as at Nextcloud and ownCloud (owncloud/core#20820), a look
/// is one request for the club's folder, and lists the folders whose ETag has changed. Elsewhere it lists all folders.
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

  private func look() async throws(StoreError) {
    try await store.watch.looks(on: store.pool) { () throws(StoreError) in try await lookAtAll() }
  }

  private func lookAtAll() async throws(StoreError) {
    if store.server.known?["folders"] == "deep" { return try await lookAtChangedFolders() }
    let page = try await store.list(.root, ListOptions(.full, recursive: true), after: nil)
    try check(page.entries, page.unreadable)
    store.watch.take(page.entries)
  }

  /// - Throws: `server` for a list of which nothing can be read: it does not show that all files are gone.
  private func check(_ entries: [FileEntry], _ unreadable: Int) throws(StoreError) {
    var bounds = ListingBounds(.root, store.tuning.clock)
    try bounds.add(ListPage(entries: entries, isWhole: true, unreadable: unreadable))
  }

  private func lookAtChangedFolders() async throws(StoreError) {
    let before = store.watch.tags
    guard let root = try await store.look(at: .root) else { throw store.missing(.root) }
    if let tag = root.tag, before[.root] == tag { return }
    var listed: [StorePath: WebDAVContent] = [:]
    var folders = [StorePath.root]
    while let folder = folders.popLast() {
      do throws(StoreError) {
        let content = try await store.content(of: folder)
        if folder.isRoot { try check(content.entries, content.unreadable) }
        listed[folder] = content
        folders += content.entries.filter { entry in
          guard entry.kind == .folder else { return false }
          return content.tags[entry.path].map { $0 != before[entry.path] } ?? true
        }.map(\.path)
      } catch {
        // A folder may go while the others are listed; its parent's ETag then shows it at the next look.
        guard !folder.isRoot, error.kind == .notFound || error.kind == .badInput else { throw error }
      }
    }
    store.watch.take(listed)
  }
}

final class WebDAVWatch: Sendable {
  private struct State {
    /// nil before the first look.
    var known: [StorePath: FileEntry]?
    /// The ETags of the folders, from the answers that listed them.
    var tags: [StorePath: WebDAVTag] = [:]
  }

  let log = ChangeLog()
  let looks = SharedLooks()
  private let state = Mutex(State())

  /// nil before the first look.
  var cursorIfBegun: ChangeCursor? { state.withLock { $0.known == nil ? nil : log.cursor } }

  var tags: [StorePath: WebDAVTag] { state.withLock { $0.tags } }

  /// Counts the entries of a first list as known. Others are news at the first look.
  func begin(with entries: [FileEntry]) -> ChangeCursor {
    state.withLock { state in
      if state.known == nil { state.known = WebDAVWatch.byPath(entries) }
    }
    return log.cursor
  }

  /// Takes the entries of all folders.
  func take(_ entries: [FileEntry]) {
    log.note(state.withLock { WebDAVWatch.differences(&$0, now: WebDAVWatch.byPath(entries)) })
  }

  /// Takes the entries of some folders; the others are as they were, unless one above them has gone.
  func take(_ listed: [StorePath: WebDAVContent]) {
    let changed = state.withLock { state in
      var now = state.known ?? [:]
      var gone: Set<StorePath> = []
      for (path, entry) in state.known ?? [:] where listed[path.parent] != nil {
        now[path] = nil
        if entry.kind == .folder { gone.insert(path) }
      }
      for (folder, content) in listed {
        state.tags[folder] = content.tags[folder]
        for entry in content.entries {
          now[entry.path] = entry
          if entry.kind == .folder { gone.remove(entry.path) }
        }
      }
      if !gone.isEmpty {
        now = now.filter { !WebDAVWatch.isAt($0.key.parent, orBelow: gone) }
        state.tags = state.tags.filter { !WebDAVWatch.isAt($0.key, orBelow: gone) }
      }
      return WebDAVWatch.differences(&state, now: now)
    }
    log.note(changed)
  }

  private static func isAt(_ path: StorePath, orBelow folders: Set<StorePath>) -> Bool {
    var path = path
    while !path.isRoot {
      if folders.contains(path) { return true }
      path = path.parent
    }
    return false
  }

  private static func byPath(_ entries: [FileEntry]) -> [StorePath: FileEntry] {
    Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func differences(_ state: inout State, now: [StorePath: FileEntry]) -> [StorePath] {
    defer { state.known = now }
    guard let known = state.known else { return [] }
    let present = now.values.filter { entry in
      guard let old = known[entry.path] else { return true }
      return old.kind != entry.kind || old.revision != entry.revision
    }
    return known.keys.filter { now[$0] == nil }.sorted() + present.map(\.path).sorted()
  }

  /// nil if there is nothing new.
  func news(since cursor: ChangeCursor) -> ChangeSet? {
    let news = log.newsSoFar(since: cursor)
    if news.mustRelist { return ChangeSet(changes: [], cursor: news.cursor, mustRelist: true) }
    guard !news.paths.isEmpty else { return nil }
    let changes = state.withLock { state in
      news.paths.map { path in state.known?[path].map { ChangeSet.Change.present($0) } ?? .absent(path) }
    }
    return ChangeSet(changes: changes, cursor: news.cursor)
  }
}
