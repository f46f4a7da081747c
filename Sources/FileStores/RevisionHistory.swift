/// The versions of files that a store has kept.
///
/// History belongs to a path: what was written there, also before the file was deleted. How long and how much is kept is
/// the store's own affair; a version that is listed may be gone a moment later.
public protocol RevisionHistory: Sendable {
  /// Larger files than that many bytes have no versions; nil where there is no such limit.
  var largestKept: UInt64? { get }

  /// The versions of the file at a path, newest first, at most `limit` of them.
  ///
  /// - Each has a size, a time and a revision; `member` where the store knows who wrote it.
  /// - When a file is there, the first is that file as it is now.
  /// - After a deletion, the versions before it are still told.
  /// - Throws: `notFound` when nothing is there and no version is kept; `badInput` for folders.
  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry]

  /// Reads a version from its beginning to its end, handing chunks to `receive` in order, one at a time, each awaited.
  ///
  /// - What `receive` throws ends the call and is thrown on.
  /// - Returns: what was read, with `size` and `revision`.
  /// - Throws: `notFound` when the path has no such version any longer.
  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry

  /// Makes a version the newest again, over the revision `base` that is there; over nothing, when that is nil.
  ///
  /// - What was there stays in the history.
  /// - The version that is there is restored by leaving it alone.
  /// - Throws: `conflict` (with `current`, when something is there) unless `base` is there, and then leaves what is
  ///   there; `notFound` when the path has no such version any longer.
  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry
}

extension RevisionHistory {
  /// No limit.
  public var largestKept: UInt64? { nil }

  /// Reads a whole version that has at most `limit` bytes.
  /// - Throws: as `read`; `tooLarge` past the limit.
  public func readAll(
    _ revision: Revision, of path: StorePath, limit: Int
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    var bytes: [UInt8] = []
    let entry = try await read(revision, of: path) { chunk throws(StoreError) in
      guard bytes.count + chunk.count <= limit else {
        throw StoreError(.tooLarge, "This version of \"\(path)\" is larger than \(limit) bytes.", path: path)
      }
      bytes.append(contentsOf: chunk)
    }
    return (bytes, entry)
  }
}
