import Database
import FileStores

extension ClubIndex {
  /// Looks through a folder and takes over what is there and what is gone.
  /// - Throws: `notFound` when the folder is gone, which is then known.
  func scan(_ folder: ServerNode, recursive: Bool) async throws(StoreError) {
    // Scans of one folder come one after the other; two at once would do the same work twice.
    try await locks.with("scan " + folder.key) { () throws(StoreError) in
      do throws(StoreError) {
        try await scanNow(folder, recursive)
      } catch {
        if error.kind == .notFound || error.kind == .badInput { _ = try await refreshed(folder) }
        throw error
      }
    }
  }

  private func scanNow(_ folder: ServerNode, _ recursive: Bool) async throws(StoreError) {
    let start = try await read { try $0.newestNumber() }
    var seen: Set<StorePath> = []
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(folder.path, ListOptions(.full, recursive: recursive), after: cursor)
      for entry in page.entries { seen.insert(entry.path) }
      let entries = try await withHashIfChanged(page.entries)
      try await admit(entries)
      cursor = page.next
    } while cursor != nil
    try await removeUnseen(in: recursive ? .subtree(folder.key) : .children(folder.key), seen, before: start)
  }

  /// Takes over a page of entries; the index is not touched when there is nothing new.
  func admit(_ entries: [FileEntry]) async throws(StoreError) {
    let news = try await read { reading in
      try entries.filter { entry in
        guard entry.kind != .other else { return false }
        guard let known = try reading.node(path: entry.path) else { return true }
        return known.isFolder != (entry.kind == .folder) || known.storeRevision != entry.revision
      }
    }
    guard !news.isEmpty else { return }
    let now = now()
    try await write { writing in
      for entry in news { _ = try ClubIndex.admit(entry, in: writing, now: now) }
    }
  }

  private func removeUnseen(
    in scope: ServerIndexReading.Scope, _ seen: Set<StorePath>, before start: Int64
  ) async throws(StoreError) {
    var after = ""
    while true {
      let last = after
      let page = try await read { try $0.nodes(in: scope, after: last, limit: 1000) }
      guard let end = page.last else { return }
      after = end.key
      for node in page where !seen.contains(node.path) {
        // What came after the listing began may not have been on it: the store is asked. So it is for the rest, as
        // one call more costs nothing beside a file that is wrongly said to be deleted.
        _ = try await refreshed(node)
      }
    }
  }

  /// Follows the store for as long as the task lives: what other programs change is known soon.
  func follow(_ report: @Sendable (StoreError) -> Void) async {
    while !Task.isCancelled {
      do throws(StoreError) {
        try await followOnce()
      } catch {
        if error.kind == .cancelled { return }
        report(error)
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  private func followOnce() async throws(StoreError) {
    guard let feed = store.changes else {
      try await scan(ClubIndex.root, recursive: true)
      try? await Task.sleep(for: .seconds(10))
      return
    }
    var cursor = try await feed.start()
    try await scan(ClubIndex.root, recursive: true)
    while true {
      let news = try await feed.wait(since: cursor)
      cursor = news.cursor
      if news.mustRelist {
        try await scan(ClubIndex.root, recursive: true)
      } else {
        try await take(news.changes)
      }
    }
  }

  private func take(_ changes: [ChangeSet.Change]) async throws(StoreError) {
    var present: [FileEntry] = []
    for change in changes {
      switch change {
      case .present(let entry): present.append(entry)
      case .absent(let path):
        if let node = try await read({ try $0.node(path: path) }) { _ = try await refreshed(node) }
      }
    }
    let folders = present.filter { $0.kind == .folder }.map(\.path)
    let new = try await read { reading in try folders.filter { try reading.node(path: $0) == nil } }
    try await admit(try await withHashIfChanged(present))
    for path in new {
      // A folder that was moved in brings its content along.
      if let node = try await read({ try $0.node(path: path) }) { try? await scan(node, recursive: true) }
    }
  }
}
