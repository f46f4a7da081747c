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
  /// The moves of files that are where the club has a folder, and the other way round.
  private(set) var aside: [ClubExport.Move] = []
  private(set) var emptyFolders: [StorePath] = []

  /// Compares the club with the target, or with nothing. Files of the same size are compared by content.
  init(
    _ club: ExportListing, of source: any FileStore, in target: (any FileStore)?, replaces: Bool
  ) async throws(StoreError) {
    var there: [StorePath: FileEntry] = [:]
    if let target { for entry in try await ExportListing.entries(of: target).0 { there[entry.path] = entry } }
    let blocked = clear(&there, for: club, replaces: replaces)
    func isFree(_ path: StorePath) -> Bool {
      blocked.isEmpty || !sequence(first: path, next: { $0.isRoot ? nil : $0.parent }).contains { blocked.contains($0) }
    }
    emptyFolders = club.emptyFolders.filter(isFree)
    for file in club.files where isFree(file.path) {
      guard let target, let old = there[file.path] else {
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

  /// Plans to move files aside that are in the way, or refuses it.
  /// - Returns: the paths that stay taken.
  private mutating func clear(
    _ there: inout [StorePath: FileEntry], for club: ExportListing, replaces: Bool
  ) -> Set<StorePath> {
    let files = Set(club.files.map(\.path))
    var folders: Set<StorePath> = [.root]
    for path in club.files.map(\.path.parent) + club.emptyFolders {
      var path = path
      while folders.insert(path).inserted { path = path.parent }
    }
    let inTheWay = there.values.filter { entry in
      entry.kind == .folder ? files.contains(entry.path) : folders.contains(entry.path)
    }
    var blocked: Set<StorePath> = []
    for entry in inTheWay.sorted(by: { $0.path < $1.path }) {
      let path = entry.path
      guard replaces, entry.kind != .other,
        let free = ExportPlan.free(path, { there[$0] != nil || files.contains($0) || folders.contains($0) })
      else {
        let kinds =
          switch entry.kind {
          case .folder: "a file in the club and a folder in the copy"
          case .file: "a folder in the club and a file in the copy"
          case .other: "a folder in the club and a link in the copy"
          }
        refused.append(
          StoreError(
            .exists, "\"\(path)\" is \(kinds).",
            remedy: entry.kind == .other || replaces
              ? "Move it away, or copy to another place." : "Move it aside with --replace, or copy to another place.",
            path: path))
        blocked.insert(path)
        continue
      }
      aside.append(ClubExport.Move(from: path, to: free, isFolder: entry.kind == .folder))
      there[free] = entry
      there[path] = nil
    }
    return blocked
  }

  private static func free(_ path: StorePath, _ isTaken: (StorePath) -> Bool) -> StorePath? {
    for number in 1...999 {
      let free = path.parent.descending(NumberedName.numbered(path.name, number)[...])
      if !isTaken(free) { return free }
    }
    return nil
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
