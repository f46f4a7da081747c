internal import Backends
internal import Basics
internal import FileStores
internal import Synchronization

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
      guard there?.revision == base else { throw .conflict(path, there) }
      if let there, base == revision { return (there, [StorePath]()) }
      let made = try tree.makeFolders(path.parent)
      let hash = version.contentHash ?? ContentHash(of: bytes)
      return (tree.write(bytes, hash, path, time), made + [path])
    }
    store.log.note(changed)
    return entry
  }
}

struct MemorySearch: StoreSearch {
  let store: MemoryStore

  var fewestCharacters: Int { 1 }

  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch] {
    try store.checkCancelled("The search", folder)
    let finder = TextFinder(words)
    if finder.isEmpty {
      throw StoreError(.badInput, "The search has no word.", remedy: "Type one or more words.", path: folder)
    }
    let all = try store.tree.withLock { tree throws(StoreError) in
      try tree.entries(in: folder, ListOptions(.full, recursive: true), after: nil, limit: .max)
    }
    let found = all.lazy.filter { entry in
      entry.kind == .file && finder.matches(String(decoding: entry.path.name, as: UTF8.self))
    }
    return found.prefix(max(0, limit)).map { StoreMatch($0) }
  }
}

struct MemoryTrash: StoreTrash {
  let store: MemoryStore

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try store.checkCancelled("The discarding", path)
    let time = store.time
    let file = try store.tree.withLock { tree throws(StoreError) in
      guard try tree.entry(path).kind == .file else { throw .folderDiscarded(path) }
      let (entry, bytes, _) = try tree.remove(path, ifRevision: ifRevision)
      let file = TrashedFile(
        id: tree.nextWord("t"), origin: path, discarded: time, size: UInt64(bytes.count))
      tree.trash.append(MemoryTree.Discarded(file: file, bytes: bytes, entry: entry))
      return file
    }
    store.shared.withLock { $0.links[path] = nil }
    store.log.note([path])
    return file
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try store.checkCancelled("The listing of the trash", .root)
    return store.tree.withLock { $0.trash.reversed().map(\.file) }
  }

  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    try store.checkCancelled("The reading", .root)
    return try store.tree.withLock { tree throws(StoreError) in
      guard let found = tree.trash.first(where: { $0.file.id == file }) else { throw .trashedFileGone }
      return FileBeginning(of: found.bytes, limit: limit)
    }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try store.checkCancelled("The deletion", .root)
    store.tree.withLock { tree in tree.trash.removeAll { $0.file.id == file } }
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The restoring", .root)
    let (entry, changed) = try store.tree.withLock { tree throws(StoreError) in
      guard let index = tree.trash.firstIndex(where: { $0.file.id == file }) else {
        throw .trashedFileGone
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
