/// Reading the many files of a folder in one go, which saves a request for each of them.
public protocol FolderReading: Sendable {
  /// How many files and folders there may be below a folder that is read.
  var mostEntries: Int { get }
  /// How many bytes they may have together.
  var mostBytes: UInt64 { get }

  /// Reads files below a folder as they were listed: their bytes, each file's in order and one file after another, in the
  /// store's own order. Everything that is below the folder is sent for it, whether or not it is among `files`; when that
  /// turns out to be far more than they are, the reading is broken off (`unsupported`).
  ///
  /// - A file is `whole` once all its bytes have the content hash of its entry. One that has another by now, or came
  ///   damaged, is `dropped`, wherever that is seen: what was handed out of it is worth nothing.
  /// - What is gone, or what the store left out, is not told of at all. Files whose entry has no size or no hash neither.
  /// - Nothing is begun again after a break, and a `RetryingStore` tries nothing again: what is not `whole` when this
  ///   returns or throws is for `FileStore.read`, which does both.
  /// - What `receive` throws ends the call and is thrown on.
  /// - Throws: `notFound`; `tooLarge` for more than `mostEntries` or `mostBytes`; `unsupported` when this folder cannot be
  ///   read so; `badInput` when it is none.
  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError)
}

/// Something of a file that is read with others.
public enum FolderPart: Sendable {
  /// Bytes that follow those before.
  case bytes(FileEntry, ByteChunk)
  /// All bytes were there, and they are right.
  case whole(FileEntry)
  /// They are not what was asked for.
  case dropped(FileEntry)
}
