internal import FileStores
internal import Synchronization

/// The versions that a memory store has kept: all of them.
struct MemoryHistory: RevisionHistory {
  let store: MemoryStore

  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try store.checkCancelled("The history", path)
    return try store.tree.withLock { tree throws(StoreError) in
      try tree.versions(path).prefix(max(0, limit)).map(\.entry)
    }
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The reading", path)
    let (entry, bytes) = try store.tree.withLock { tree throws(StoreError) in try tree.version(revision, of: path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      try store.checkCancelled("The reading", path)
      try await receive(rest.prefix(64 * 1024))
      rest = rest.dropFirst(64 * 1024)
    }
    return entry
  }

  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The restoring", path)
    let time = store.time
    let (entry, changed) = try store.tree.withLock { tree throws(StoreError) in
      let (version, bytes) = try tree.version(revision, of: path)
      let there = try? tree.entry(path)
      guard there?.revision == base else {
        throw StoreError(
          .conflict, "\"\(path)\" has changed in the meantime.", remedy: "Nothing was overwritten.",
          path: path, current: there)
      }
      if let there, base == revision { return (there, [StorePath]()) }
      let made = try tree.makeFolders(path.parent)
      let hash = version.contentHash ?? ContentHash(of: bytes)
      return (tree.write(bytes, hash, path, time), made + [path])
    }
    store.log.note(changed)
    return entry
  }
}
