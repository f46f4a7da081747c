internal import FileStores
internal import Synchronization

/// Where a folder's ETag changes with everything below it, as at Nextcloud and ownCloud (owncloud/core#20820), a look
/// is one request for the club's folder, and lists the folders whose ETag has changed. Elsewhere it lists all folders.
extension WebDAVStore {
  var changes: PolledFeed {
    PolledFeed(watch: watch, pool: pool, clock: tuning.clock, pauses: (tuning.firstPoll, tuning.longestPoll)) {
      () throws(StoreError) in
      try await self.lookAtAll()
    }
  }

  private func lookAtAll() async throws(StoreError) {
    if server.known?["folders"] == "deep" { return try await lookAtChangedFolders() }
    let page = try await list(.root, ListOptions(.full, recursive: true), after: nil)
    try checkReadable(page.entries, page.unreadable)
    watch.take(page.entries)
  }

  /// - Throws: `server` for a list of which nothing can be read: it does not show that all files are gone.
  private func checkReadable(_ entries: [FileEntry], _ unreadable: Int) throws(StoreError) {
    var bounds = ListingBounds(.root, tuning.clock)
    try bounds.add(ListPage(entries: entries, isWhole: true, unreadable: unreadable))
  }

  private func lookAtChangedFolders() async throws(StoreError) {
    let before = folderTags.withLock { $0 }
    guard let root = try await look(at: .root) else { throw missing(.root) }
    if let tag = root.tag, before[.root] == tag { return }
    let top = try await content(of: .root)
    try checkReadable(top.entries, top.unreadable)
    let walk = WebDAVWalk(.root, tuning.clock)
    var listed = [StorePath.root: top]
    var level = listed
    while !level.isEmpty {
      let folders = level.values.flatMap { content in
        content.entries.filter { entry in
          guard entry.kind == .folder else { return false }
          return content.tags[entry.path].map { $0 != before[entry.path] } ?? true
        }.map(\.path)
      }
      // A folder may go while the others are listed; its parent's ETag then shows it at the next look.
      level = try await contents(of: folders, walk)
      listed.merge(level) { $1 }
    }
    take(listed)
  }

  /// Takes the entries of some folders; the others are as they were, unless one above them has gone.
  private func take(_ listed: [StorePath: WebDAVContent]) {
    var gone: Set<StorePath> = []
    watch.take { known in
      var now = known
      for (path, entry) in known where listed[path.parent] != nil {
        now[path] = nil
        if entry.kind == .folder { gone.insert(path) }
      }
      for entry in listed.values.flatMap(\.entries) {
        now[entry.path] = entry
        if entry.kind == .folder { gone.remove(entry.path) }
      }
      return gone.isEmpty ? now : now.filter { !WebDAVStore.isAt($0.key.parent, orBelow: gone) }
    }
    folderTags.withLock { tags in
      for (folder, content) in listed { tags[folder] = content.tags[folder] }
      if !gone.isEmpty { tags = tags.filter { !WebDAVStore.isAt($0.key, orBelow: gone) } }
    }
  }

  private static func isAt(_ path: StorePath, orBelow folders: Set<StorePath>) -> Bool {
    var path = path
    while !path.isRoot {
      if folders.contains(path) { return true }
      path = path.parent
    }
    return false
  }
}
