public import FileStores

extension FolderStore {
  /// Moves a file or folder; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The move", path)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> FileEntry in
      try disk.move(path, to: target, ifRevision: ifRevision)
    }
  }

  /// Deletes for good; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try checkCancelled("The deletion", path)
    let disk = disk
    try await pool.run { () throws(StoreError) in try disk.delete(path, ifRevision: ifRevision) }
  }
}
