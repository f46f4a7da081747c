/// Writing many small files at once, in fewer steps than one after the other.
public protocol BatchUploads: Sendable {
  /// How many files one call takes.
  var mostFiles: Int { get }
  /// How many bytes each of them may have.
  var mostBytes: UInt64 { get }

  /// Writes files, each with the conditions and promises of `FileStore.put`: one result for each, in their order.
  ///
  /// - A file that fails hinders no other. One with more than `mostBytes` is `tooLarge`.
  /// - Two files with one path: the later one meets what the earlier one wrote, or the other way round.
  /// - Throws: `badInput` for more than `mostFiles`, before anything is sent; what hinders all of them, and then any of
  ///   them may have been written.
  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>]
}

/// A file to be written together with others.
public struct BatchFile: Sendable {
  /// Where it goes.
  public let path: StorePath
  /// Its bytes.
  public let source: any ByteSource
  /// On which condition.
  public let mode: WriteMode

  /// Names a file.
  public init(_ source: any ByteSource, at path: StorePath, mode: WriteMode) {
    (self.source, self.path, self.mode) = (source, path, mode)
  }
}
