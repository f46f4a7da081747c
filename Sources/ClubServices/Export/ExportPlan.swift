import FileStores

/// What is to be done for each of a club's files, so that a directory has them all.
struct ExportPlan {
  /// A file to be written, and on which condition.
  struct Item: Sendable {
    let file: FileEntry
    let mode: WriteMode
  }

  /// Written.
  private(set) var items: [StorePath: Item] = [:]
  /// How many are there already, with the same content.
  private(set) var kept = 0
  /// There already with other content, or something else is there, or they cannot be compared.
  private(set) var refused: [StoreError] = []

  /// Compares what the club has with what the directory has. Files of the same size are read to be compared.
  init(
    _ files: [FileEntry], of source: any FileStore, in target: any FileStore, replaces: Bool
  ) async throws(StoreError) {
    var there: [StorePath: FileEntry] = [:]
    for entry in try await ExportListing.entries(of: target) { there[entry.path] = entry }
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
        remedy: "Replace it with --replace, or export to another directory.", path: file.path)
    }
  }

  private static func isSame(
    _ file: FileEntry, _ source: any FileStore, _ old: FileEntry, _ target: any FileStore
  ) async throws(StoreError) -> Bool {
    if file.size == 0 { return true }
    return try await hash(of: file, in: source) == hash(of: old, in: target)
  }

  private static func hash(of entry: FileEntry, in store: any FileStore) async throws(StoreError) -> ContentHash {
    if let known = entry.contentHash { return known }
    let hasher = ContentHasher()
    _ = try await store.read(entry.path, from: 0, ifRevision: entry.revision) { chunk throws(StoreError) in
      hasher.update(chunk)
    }
    return hasher.finish()
  }
}
