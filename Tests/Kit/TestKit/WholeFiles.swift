public import FileStores

extension FileStore {
  /// A whole file of any size.
  public func readAll(
    _ path: StorePath, ifRevision: Revision? = nil
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    try await readAll(path, ifRevision: ifRevision, limit: .max)
  }
}

extension RevisionHistory {
  /// A whole version of any size.
  public func readAll(
    _ revision: Revision, of path: StorePath
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    try await readAll(revision, of: path, limit: .max)
  }
}
