/// A place that keeps a club's files: a directory, Dropbox, a `byteclub serve`.
///
/// Every sentence below is a promise; `TestKit`'s store checks hold every backend to each of them, also through
/// `RetryingStore` over a store that fails on purpose.
///
/// For all members:
/// - They may be called from any actor and in parallel. None blocks the caller's thread.
/// - A cancelled task ends the call with `cancelled` in a short time, and nothing half-done stays visible.
/// - A path that `isReserved` is answered as if nothing could be there: `notFound` when read, `badName` when written.
/// - An error carries the path concerned.
public protocol FileStore: Sendable {
  /// What the store can hold.
  var limits: StoreLimits { get }
  /// Uploads that can go on after a break; nil when the store has none.
  var resumableUploads: (any ResumableUploads)? { get }
  /// Deleting that can be undone; nil when the store has none.
  var trash: (any StoreTrash)? { get }
  /// What changed since a cursor; nil when the store cannot tell.
  var changes: (any ChangeFeed)? { get }
  /// Versions of files that the store has kept; nil when it keeps none.
  var revisions: (any RevisionHistory)? { get }
  /// Finding files by words; nil when the store cannot.
  var search: (any StoreSearch)? { get }
  /// Small copies of pictures, made by the store; nil when it makes none.
  var thumbnails: (any StoreThumbnails)? { get }
  /// Writing many small files at once; nil when that is no faster than `put`.
  var batchUploads: (any BatchUploads)? { get }
  /// Reading the many files of a folder at once; nil when the store has no such way.
  var folderReading: (any FolderReading)? { get }

  /// One page of a folder's content.
  ///
  /// - Every entry that was there during the whole listing is on exactly one page; order is the store's own.
  /// - Names that begin with `.byteclub` are left out. Other hidden names are listed.
  /// - With `.full`, entries have all that the store knows, as `entry(at:)` says it. With `.names`, a page either has
  ///   that, too, and `isWhole`, or `path` and `kind` alone.
  /// - `recursive` goes down into folders (never through links), and lists the folders, too.
  /// - `page.next` is nil on the last page. A cursor may be used once more after a failure.
  /// - Throws: `notFound` when the folder is not there, `badInput` when it is a file or the cursor is not valid (list anew).
  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage

  /// What is at a path now. The root is a folder.
  /// - Throws: `notFound`.
  func entry(at path: StorePath) async throws(StoreError) -> FileEntry

  /// Reads a file from `offset` to its end, handing chunks to `receive` in order, one at a time, each awaited.
  ///
  /// - The chunks are one revision's bytes: when the file changes meanwhile, the call throws `conflict`.
  /// - `offset` at the end gives no chunk; past the end throws `badInput`.
  /// - With `ifRevision`, another revision there throws `conflict` (with `current`) before any chunk.
  /// - What `receive` throws ends the call and is thrown on.
  /// - Returns: the entry that was read, with `size` and `revision`.
  /// - Throws: `notFound`; `badInput` for folders and for what is not a regular file (never blocks on a pipe).
  func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry

  /// As `read`, for a caller who compares the content hash: a store that would do so need not.
  func readUnchecked(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry

  /// Writes a whole file. Readers see the old content or the new, never a mixture; on any failure, the old.
  ///
  /// - `.create` throws `exists` (with `current`) when anything is there, even a folder.
  /// - `.replace(base)` throws `conflict` (with `current`, when something is there) unless `base` is there.
  /// - `.overwrite` replaces whatever file is there; a folder there is `exists`.
  /// - Parent folders are made as needed.
  /// - A source that throws, or that ends before or after its declared `size`, leaves nothing behind: what it
  ///   threw is thrown on, a wrong length is `badInput`.
  /// - Once this returns, the bytes are durable, and the returned revision is what `entry(at:)` says.
  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry

  /// Moves a file or folder. A change of letter case alone is a move.
  /// - Throws: `notFound`; `exists` when anything else is at `target`; `conflict` when `ifRevision` is not there.
  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry

  /// Deletes a file, or a folder with all that is in it, for good (see `trash` for the other way).
  /// - Throws: `notFound`; `conflict` when `ifRevision` is not there.
  func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError)

  /// Makes a folder and its parents; one that is there already is no error.
  /// - Throws: `exists` when a file is in the way.
  func createFolder(_ path: StorePath) async throws(StoreError)
}

/// A store without a power need not say so. A store around another hands on each power of that one.
extension FileStore {
  /// None.
  public var revisions: (any RevisionHistory)? { nil }
  /// None.
  public var search: (any StoreSearch)? { nil }
  /// None.
  public var thumbnails: (any StoreThumbnails)? { nil }
  /// None.
  public var batchUploads: (any BatchUploads)? { nil }
  /// None.
  public var folderReading: (any FolderReading)? { nil }
}

extension FileStore {
  /// Reads.
  public func readUnchecked(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await read(path, from: offset, ifRevision: ifRevision, receive)
  }

  /// Reads a whole file that has at most `limit` bytes.
  /// - Throws: as `read`; `tooLarge` past the limit.
  public func readAll(
    _ path: StorePath, ifRevision: Revision? = nil, limit: Int
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    var bytes: [UInt8] = []
    let entry = try await read(path, from: 0, ifRevision: ifRevision) { chunk throws(StoreError) in
      guard bytes.count + chunk.count <= limit else {
        throw StoreError(.tooLarge, "\"\(path)\" is larger than \(limit) bytes.", path: path)
      }
      bytes.append(contentsOf: chunk)
    }
    return (bytes, entry)
  }
}
