internal import FileStores

/// The change feed of a memory store.
struct MemoryChanges: ChangeFeed {
  let store: MemoryStore

  func start() async throws(StoreError) -> ChangeCursor {
    try store.checkCancelled("The watch", .root)
    return store.log.cursor
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    let news = try await store.log.news(since: cursor)
    var changes: [ChangeSet.Change] = []
    for path in news.paths {
      if let entry = try? await store.entry(at: path) {
        changes.append(.present(entry))
      } else {
        changes.append(.absent(path))
      }
    }
    return ChangeSet(changes: changes, cursor: news.cursor, mustRelist: news.mustRelist)
  }
}
