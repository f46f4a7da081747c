public import FileStores

extension PhotosService {
  /// What the store says of a photo now.
  /// - Throws: `notFound` and what else the store throws.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await club.store.entry(at: path)
  }
}
