internal import Database
internal import FileStores
internal import Synchronization

/// Folders as the member sees them.
extension LocalCopy {
  /// True if changes wait of files in a folder, or of a folder above it.
  func hasWaiting(in folder: StorePath) -> Bool {
    state.withLock { $0.waiting.changes }.contains { change in
      change.path.touches(folder) || change.target?.touches(folder) == true
    }
  }

  /// All that the copy has in a folder.
  /// - Throws: `notFound`.
  func contents(of folder: StorePath) throws(StoreError) -> [FileEntry] {
    let (all, there) = state.withLock { state in
      (
        state.waiting.local(state.base) { $0.relative(to: folder) != nil },
        state.waiting.entry(at: folder, base: state.base)
      )
    }
    guard there != nil || !all.isEmpty else { throw LocalCopyStore.missing(folder) }
    return all
  }
}
