internal import FileStores
internal import Synchronization

/// Finding files of a memory store by their names.
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
      try tree.entries(in: folder, recursive: true, after: nil, limit: .max)
    }
    let found = all.lazy.filter { entry in
      entry.kind == .file && finder.matches(String(decoding: entry.path.name, as: UTF8.self))
    }
    return found.prefix(max(0, limit)).map { StoreMatch($0) }
  }
}
