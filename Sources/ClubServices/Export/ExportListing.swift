import FileStores

/// All that is in a store, as an export looks at it.
struct ExportListing {
  /// The files.
  private(set) var files: [FileEntry] = []
  /// Folders with nothing in them.
  private(set) var emptyFolders: [StorePath] = []
  /// What is no file, and what lies in folders that may not be read: it cannot be copied, and must not go unsaid.
  private(set) var leftOut: [StoreError] = []

  init(of store: any FileStore) async throws(StoreError) {
    var folders: Set<StorePath> = []
    for entry in try await ExportListing.entries(of: store) {
      switch entry.kind {
      case .file: files.append(entry)
      case .folder: folders.insert(entry.path)
      case .other:
        leftOut.append(
          StoreError(
            .unsupported, "\"\(entry.path)\" is a link or a device, and byteclub copies only files.", path: entry.path))
      }
    }
    // A recursive listing passes over folders that it may not open: those that look empty are asked.
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
        if error.kind != .notFound { leftOut.append(error) }
      }
    }
  }

  /// Everything below a store's root.
  static func entries(of store: any FileStore) async throws(StoreError) -> [FileEntry] {
    var entries: [FileEntry] = []
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(.root, ListOptions(.full, recursive: true), after: cursor)
      entries += page.entries
      cursor = page.next
    } while cursor != nil
    return entries
  }
}
