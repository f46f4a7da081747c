internal import FileStores

/// The API's own `restore` can neither list deleted files by age nor remove them for good.
extension DropboxV1Store {
  func removeOwn(_ path: StorePath) async throws(StoreError) {
    let call = DropboxV1Call(
      .delete, about: .root, ["root": client.root, "path": self.folder.ownPath(path)])
    if case .refusal(let refusal) = try await client.answer(call), !refusal.isMissing { throw refusal.error }
  }

  func ownFiles(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    let all: [DropboxV1Metadata]
    do throws(StoreError) {
      all = try await tree(self.folder.ownPath(folder), about: .root).0
    } catch {
      if error.kind == .notFound { return [] }
      throw error
    }
    return all.compactMap { metadata in
      guard !metadata.isFolder, !metadata.isDeleted, let path = self.path(of: metadata) else { return nil }
      return (path, metadata.size ?? 0)
    }
  }
}
