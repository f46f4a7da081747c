internal import FileStores

/// The service behind a list of files: what both kinds of files let be done.
protocol ListedFiles: Sendable {
  /// Tells changes by any program, until the task is cancelled.
  func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError)
  /// Asks the store something short, to see whether it answers.
  func reach() async throws(StoreError)
  func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry
  func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile
  func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry
}
