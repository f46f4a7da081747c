import FileStores

/// What a job that succeeded leaves.
struct TransferResult: Sendable {
  let entry: FileEntry
  /// Where a download lies on this machine.
  var place: String?
}
