import FileStores

/// What is to be done for each of a club's files, so that a directory has them all.
struct ExportPlan {
  /// A file to be written, and on which condition.
  struct Item: Sendable {
    let file: FileEntry
    let mode: WriteMode
  }

  /// Written.
  var items: [StorePath: Item] = [:]
  /// There already, with the same content.
  var kept: [FileEntry] = []
  /// There already with other content, or something else is there.
  var refused: [StoreError] = []

  /// Compares what the club has with what the directory has. Files of the same size are read to be compared.
  init(
    _ files: [FileEntry], of source: any FileStore, in target: any FileStore, replaces: Bool
  ) async throws(StoreError) {
    let there = try await ExportPlan.entries(of: target)
    for file in files {
      guard let old = there[file.path] else {
        items[file.path] = Item(file: file, mode: .create)
        continue
      }
      if old.kind == .file, old.size == file.size, try await ExportPlan.isSame(file, source, old, target) {
        kept.append(file)
      } else if replaces, old.kind == .file, let revision = old.revision {
        items[file.path] = Item(file: file, mode: .replace(revision))
      } else {
        let isFile = old.kind == .file
        refused.append(
          StoreError(
            .exists,
            isFile
              ? "\"\(file.path)\" is there already and differs from the club's."
              : "Something that is no file is at \"\(file.path)\" already.",
            remedy: isFile ? "Use --replace to have the club's in its place, or export into another directory." : "",
            path: file.path))
      }
    }
  }

  /// All that is below a store's root, by path.
  private static func entries(of store: any FileStore) async throws(StoreError) -> [StorePath: FileEntry] {
    var found: [StorePath: FileEntry] = [:]
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(.root, ListOptions(.full, recursive: true), after: cursor)
      for entry in page.entries { found[entry.path] = entry }
      cursor = page.next
    } while cursor != nil
    return found
  }

  private static func isSame(
    _ file: FileEntry, _ source: any FileStore, _ old: FileEntry, _ target: any FileStore
  ) async throws(StoreError) -> Bool {
    if file.size == 0 { return true }
    let wanted: ContentHash
    if let known = file.contentHash { wanted = known } else { wanted = try await hash(of: file, in: source) }
    if let known = old.contentHash { return known == wanted }
    return try await hash(of: old, in: target) == wanted
  }

  private static func hash(of entry: FileEntry, in store: any FileStore) async throws(StoreError) -> ContentHash {
    let hasher = ContentHasher()
    _ = try await store.read(entry.path, from: 0, ifRevision: entry.revision) { chunk throws(StoreError) in
      hasher.update(chunk)
    }
    return hasher.finish()
  }
}
