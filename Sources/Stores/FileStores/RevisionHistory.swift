/// The versions of files that a store has kept. History belongs to a path: all versions written there, also before the
/// file was deleted. The store decides how long and how much it keeps; a listed version may be gone a moment later.
public protocol RevisionHistory: Sendable {
  /// The size in bytes above which files have no versions; nil without a limit.
  var largestKept: UInt64? { get }

  /// The versions of the file at a path, newest first, at most `limit` of them.
  ///
  /// - Each has a size, a time and a revision, and `member` if the store knows the writer.
  /// - The first is the current file, if it exists. After a deletion, the versions before it are still listed.
  /// - Throws: `notFound` if there is neither a file nor a version; `badInput` for folders.
  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry]

  /// Reads a whole version, handing chunks to `receive` in order, one at a time, each awaited. An error of `receive`
  /// ends the call and is rethrown.
  /// - Returns: the entry of the bytes, with `size` and `revision`.
  /// - Throws: `notFound` if the path no longer has such a version.
  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry

  /// Makes a version the newest again, over the current revision `base`; nil if there is no file.
  ///
  /// - The replaced version stays in the history.
  /// - A restore of the current version changes nothing.
  /// - Throws: `conflict` (with `current`, if something exists) if `base` is not the current revision, without any
  ///   change; `notFound` if the path no longer has such a version.
  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry
}

extension RevisionHistory {
  public var largestKept: UInt64? { nil }

  /// Reads a whole version of at most `limit` bytes.
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
