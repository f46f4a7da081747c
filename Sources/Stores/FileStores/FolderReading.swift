/// Reads many files of a folder in one go, which saves a request for each.
public protocol FolderReading: Sendable {
  /// The most entries below the folder, and their most bytes together.
  var mostEntries: Int { get }
  var mostBytes: UInt64 { get }

  /// Reads files below a folder as they were listed: one after another in the store's own order, the bytes of each in
  /// order. The store sends everything below the folder; if that turns out to be far more than `files`, the reading
  /// ends with `unsupported`.
  ///
  /// - A file is `whole` once all its bytes have the content hash of its entry. A file that has changed or came damaged
  ///   is `dropped`: discard its bytes.
  /// - Files that are gone, that the store omits, or whose entry has no size or no hash, are not reported.
  /// - A broken call is not resumed, even by `RetryingStore`. The caller reads the files that are not `whole` with
  ///   `FileStore.read`.
  /// - An error of `receive` ends the call and is rethrown.
  /// - Throws: `notFound`; `tooLarge` for more than `mostEntries` or `mostBytes`; `unsupported` if this folder cannot
  ///   be read in this way; `badInput` if it is not a folder.
  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError)
}

public enum FolderPart: Sendable {
  case bytes(FileEntry, ByteChunk)
  /// The file is complete and its hash matches.
  case whole(FileEntry)
  /// The file changed or was damaged; its bytes are to be discarded.
  case dropped(FileEntry)
}
