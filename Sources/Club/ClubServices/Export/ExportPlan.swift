import FileStores

struct ExportPlan {
  struct Item: Sendable {
    let file: FileEntry
    let mode: WriteMode
  }

  private(set) var items: [StorePath: Item] = [:]
  /// The number of existing files with the same content.
  private(set) var kept = 0
  /// Errors for paths that have other content or are no file, and for files that cannot be compared.
  private(set) var refused: [StoreError] = []

  /// Compares the club with the target. Files of the same size are compared by content.
  init(
    _ files: [FileEntry], of source: any FileStore, in target: any FileStore, replaces: Bool
  ) async throws(StoreError) {
    var there: [StorePath: FileEntry] = [:]
    for entry in try await ExportListing.entries(of: target).0 { there[entry.path] = entry }
    for file in files {
      guard let old = there[file.path] else {
        items[file.path] = Item(file: file, mode: .create)
        continue
      }
      do throws(StoreError) {
        try await compare(file, of: source, with: old, in: target, replaces: replaces)
      } catch {
        if error.kind == .cancelled { throw error }
        refused.append(error)
      }
    }
  }

  private mutating func compare(
    _ file: FileEntry, of source: any FileStore, with old: FileEntry, in target: any FileStore, replaces: Bool
  ) async throws(StoreError) {
    guard old.kind == .file, let revision = old.revision else {
      throw StoreError(.exists, "\"\(file.path)\" already exists and is not a file.", path: file.path)
    }
    if old.size == file.size, try await ExportPlan.isSame(file, source, old, target) {
      kept += 1
    } else if replaces {
      items[file.path] = Item(file: file, mode: .replace(revision))
    } else {
      throw StoreError(
        .exists, "\"\(file.path)\" already exists and differs from the club's.",
        remedy: "Replace it with --replace, or copy to another place.", path: file.path)
    }
  }

  private static func isSame(
    _ file: FileEntry, _ source: any FileStore, _ old: FileEntry, _ target: any FileStore
  ) async throws(StoreError) -> Bool {
    if file.size == 0 { return true }
    return try await hash(of: file, in: source) == hash(of: old, in: target)
  }

  /// The content hash of a file, by the store's listing or by reading the file.
  static func hash(of entry: FileEntry, in store: any FileStore) async throws(StoreError) -> ContentHash {
    if let known = entry.contentHash { return known }
    let hasher = ContentHasher()
    _ = try await store.read(entry.path, from: 0, ifRevision: entry.revision) { chunk throws(StoreError) in
      hasher.update(chunk)
    }
    return hasher.finish()
  }
}

struct ExportListing {
  private(set) var files: [FileEntry] = []
  private(set) var emptyFolders: [StorePath] = []
  /// Links and devices, which are no files of the club.
  private(set) var leftOut: [StorePath] = []
  /// Errors for entries and folders that could not be read.
  private(set) var failures: [StoreError] = []

  init(of store: any FileStore) async throws(StoreError) {
    var folders: Set<StorePath> = []
    let (entries, unreadable) = try await ExportListing.entries(of: store)
    if unreadable > 0 {
      failures.append(
        StoreError(.unsupported, "The store lists \(unreadable) entries that byteclub cannot read.", path: .root))
    }
    for entry in entries {
      switch entry.kind {
      case .file: files.append(entry)
      case .folder: folders.insert(entry.path)
      case .other: leftOut.append(entry.path)
      }
    }
    // A recursive listing skips unreadable folders, so folders that seem empty are listed again.
    for path in files.map(\.path) + Array(folders) {
      var parent = path.parent
      while folders.remove(parent) != nil { parent = parent.parent }
    }
    for folder in folders.sorted() {
      do throws(StoreError) {
        _ = try await store.list(folder, ListOptions(.names), after: nil)
        emptyFolders.append(folder)
      } catch {
        if error.kind == .cancelled { throw error }
        if error.kind != .notFound { failures.append(error) }
      }
    }
  }

  static func entries(of store: any FileStore) async throws(StoreError) -> ([FileEntry], unreadable: Int) {
    var entries: [FileEntry] = []
    var unreadable = 0
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(.root, ListOptions(.full, recursive: true), after: cursor)
      entries += page.entries
      unreadable += page.unreadable
      cursor = page.next
    } while cursor != nil
    return (entries, unreadable)
  }
}
