internal import FileStores
internal import Synchronization

/// The trash of a memory store.
struct MemoryTrash: StoreTrash {
  let store: MemoryStore

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try store.checkCancelled("The discarding", path)
    let time = store.time
    let file = try store.tree.withLock { tree throws(StoreError) in
      guard try tree.entry(path).kind == .file else {
        throw StoreError(.badInput, "\"\(path)\" is a folder; only files go to the trash.", path: path)
      }
      let (entry, bytes) = try tree.remove(path, ifRevision: ifRevision)
      let file = TrashedFile(
        id: tree.nextWord("t"), origin: path, discarded: time, size: UInt64(bytes.count))
      tree.trash.append(MemoryTree.Discarded(file: file, bytes: bytes, entry: entry))
      return file
    }
    store.log.note([path])
    return file
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try store.checkCancelled("The listing of the trash", .root)
    return store.tree.withLock { $0.trash.reversed().map(\.file) }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try store.checkCancelled("The deletion", .root)
    store.tree.withLock { tree in tree.trash.removeAll { $0.file.id == file } }
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The restoring", .root)
    let (entry, changed) = try store.tree.withLock { tree throws(StoreError) in
      guard let index = tree.trash.firstIndex(where: { $0.file.id == file }) else {
        throw StoreError(.notFound, "The trash no longer has this file.", path: .root)
      }
      let result = try tree.putBack(tree.trash[index], at: path)
      tree.trash.remove(at: index)
      return result
    }
    store.log.note(changed)
    return entry
  }

  func empty() async throws(StoreError) -> Int {
    try store.checkCancelled("The emptying of the trash", .root)
    return store.tree.withLock { tree in
      defer { tree.trash = [] }
      return tree.trash.count
    }
  }
}
