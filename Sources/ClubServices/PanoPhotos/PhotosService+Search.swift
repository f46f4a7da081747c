public import FileStores

extension PhotosService {
  /// Photos that the store finds for words, by its own index; none when it has no search, or finds these words too few.
  /// Only what `list` would hand out is told.
  /// - Throws: what the store throws.
  public func found(by words: String, limit: Int = 200) async throws(StoreError) -> [StoreMatch] {
    try await club.found(by: words, below: club.photosFolder, limit: limit) { entry in
      entry.kind == .file && PhotoName.isShown(entry.path, below: club.photosFolder)
    }
  }
}
