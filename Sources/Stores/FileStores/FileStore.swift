/// A place that keeps a club's files: a directory, Dropbox, a `byteclub serve`.
///
/// Every sentence below is a promise. `TestKit`'s store checks hold every backend to it, also through `RetryingStore`
/// over a store that fails on purpose. For all members:
/// - Any actor may call them, also in parallel. None blocks the caller's thread.
/// - A cancelled task ends the call with `cancelled` in a short time, and nothing half-done stays visible.
/// - A path that `isReserved` counts as missing: `notFound` when read, `badName` when written.
/// - An error carries the path concerned.
public protocol FileStore: Sendable {
  var limits: StoreLimits { get }
  /// The optional capabilities. They may change when an older server turns out to lack one, so ask each time.
  var capabilities: Capabilities { get }

  /// One page of a folder's content.
  ///
  /// - Every entry that exists during the whole listing is on exactly one page, in the store's own order.
  /// - Names that begin with `.byteclub` are left out. Other hidden names are listed.
  /// - With `.full`, entries have all properties that `entry(at:)` returns. With `.names`, a page either has them, too,
  ///   and `isWhole`, or `path` and `kind` alone.
  /// - `recursive` goes down into folders (never through links), and lists the folders, too.
  /// - `page.next` is nil on the last page. A cursor may be used once more after a failure.
  /// - Throws: `notFound` if the folder does not exist, `badInput` if it is a file or the cursor is invalid (list
  ///   anew).
  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage

  /// The current entry at a path. The root is a folder.
  /// - Throws: `notFound`.
  func entry(at path: StorePath) async throws(StoreError) -> FileEntry

  /// Reads a file from an offset to its end, handing chunks to `receive` in order, one at a time, each awaited.
  ///
  /// - The chunks are one revision's bytes: if the file changes meanwhile, the call throws `conflict`.
  /// - An offset at the end gives no chunk; one past the end throws `badInput`.
  /// - With a revision, another current one throws `conflict` (with `current`) before any chunk.
  /// - An error of `receive` ends the call and is rethrown.
  /// - Returns: the entry of the bytes, with `size` and `revision`.
  /// - Throws: `notFound`; `badInput` for folders and other irregular files (never blocks on a pipe).
  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry

  /// Writes a whole file. Readers see the old content or the new, never a mixture; on any failure, the old.
  ///
  /// - `.create` throws `exists` (with `current`) if anything exists at the path, even a folder.
  /// - `.replace(base)` throws `conflict` (with `current`, if something exists) unless `base` is the current revision.
  ///   `StoreLimits.conditions` says how the store keeps these two conditions.
  /// - `.overwrite` replaces any file; a folder is `exists`.
  /// - Parent folders are made as needed.
  /// - A source that throws, or that ends before or after its declared `size`, leaves nothing behind. Its error is
  ///   rethrown; a wrong length is `badInput`.
  /// - Once this returns, the bytes are durable, and `entry(at:)` returns the same revision.
  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry

  /// Moves a file or folder. A change of letter case alone is a move.
  /// - Throws: `notFound`; `exists` if anything else is at `target`; `conflict` if the current revision is not
  ///   `ifRevision`.
  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry

  /// Deletes a file, or a folder with its content, for good (`trash` can be undone).
  /// - Throws: `notFound`; `conflict` if the current revision is not `ifRevision`.
  func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError)

  /// Makes a folder and its parents, if missing.
  /// - Throws: `exists` if a file is in the way.
  func createFolder(_ path: StorePath) async throws(StoreError)
}

extension FileStore {
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await read(path, ReadOptions(from: offset, ifRevision: ifRevision), receive)
  }

  /// Reads at most the first `limit` bytes of a file.
  /// - Throws: as `read`.
  public func readBeginning(
    _ path: StorePath, ifRevision: Revision? = nil, limit: Int
  ) async throws(StoreError) -> FileBeginning {
    try await FileBeginning(of: path, ifRevision: ifRevision, limit: limit) { options, receive throws(StoreError) in
      _ = try await read(path, options, receive)
    }
  }

  /// Reads a whole file of at most `limit` bytes.
  /// - Throws: as `read`; `tooLarge` past the limit.
  public func readAll(
    _ path: StorePath, ifRevision: Revision? = nil, limit: Int, expected: UInt64? = nil
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    var bytes: [UInt8] = []
    let entry = try await read(path, ReadOptions(ifRevision: ifRevision, expected: expected)) {
      chunk throws(StoreError) in
      guard bytes.count + chunk.count <= limit else {
        throw StoreError(.tooLarge, "\"\(path)\" is larger than \(limit) bytes.", path: path)
      }
      bytes.append(contentsOf: chunk)
    }
    return (bytes, entry)
  }
}

/// The first bytes of a file.
public struct FileBeginning: Sendable, Hashable {
  public private(set) var bytes: [UInt8]
  /// True if the file goes on.
  public private(set) var isCut: Bool

  /// The first of all bytes of a file.
  public init(of all: some Collection<UInt8>, limit: Int) {
    (bytes, isCut) = (Array(all.prefix(limit)), all.count > limit)
  }

  /// Takes what `read` hands out, and ends it once there are enough bytes.
  package init(
    of path: StorePath, ifRevision: Revision? = nil, limit: Int,
    _ read: (ReadOptions, (ByteChunk) async throws(StoreError) -> Void) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    var bytes: [UInt8] = []
    var isFull = false
    do throws(StoreError) {
      // One byte more shows if the file goes on.
      try await read(ReadOptions(ifRevision: ifRevision, to: UInt64(limit) + 1)) { chunk throws(StoreError) in
        bytes.append(contentsOf: chunk.prefix(limit - bytes.count + 1))
        guard bytes.count > limit else { return }
        isFull = true
        throw StoreError(.cancelled, "byteclub read the beginning of \"\(path)\" only.", path: path)
      }
    } catch {
      if !isFull { throw error }
    }
    self.init(of: bytes, limit: limit)
  }
}

public struct ReadOptions: Sendable, Hashable {
  public var offset: UInt64
  public var revision: Revision?
  /// True if the store may compare a whole reading with the content hash, and throw `corrupt`. A caller that compares
  /// anyway turns this off.
  public var isChecked: Bool
  /// The most bytes that the caller wants at once; nil for a number that suits the store, which may ignore this.
  public var chunkBytes: Int?
  /// The end of the wanted part, behind `offset`; nil for the file's end. The store may send more.
  public var end: UInt64?
  /// The size that the caller expects, if it knows one: a store may read many short files at once.
  public var expected: UInt64?

  public init(
    from offset: UInt64 = 0, ifRevision revision: Revision? = nil, isChecked: Bool = true, chunkBytes: Int? = nil,
    to end: UInt64? = nil, expected: UInt64? = nil
  ) {
    (self.offset, self.revision, self.isChecked, self.chunkBytes) = (offset, revision, isChecked, chunkBytes)
    (self.end, self.expected) = (end, expected)
  }

  /// The most bytes of a short file.
  public static let mostShortBytes: UInt64 = 256 << 10

  /// True if the caller expects a file that is read in about the time of one request.
  public var isShort: Bool { expected.map { $0 <= ReadOptions.mostShortBytes } ?? false }
}

public struct StoreLimits: Sendable, Hashable {
  /// In bytes; nil if unknown.
  public let nameBytes: Int?
  /// In bytes; nil if unknown.
  public let fileBytes: UInt64?
  /// True if `Note.md` and `note.md` are two files.
  public let caseSensitive: Bool
  /// True if names must be UTF-8.
  public let unicodeNamesOnly: Bool
  public let conditions: WriteConditions
  /// True if a file and a folder of one name exclude each other. If not (names in a flat space), the store looks before
  /// it writes, and `exists` may be missed when another member makes the folder at the same moment.
  public let foldersExcludeFiles: Bool
  /// True if each write makes another revision. If not, two writes of one length within a second may have the same one.
  public let revisionsDiffer: Bool
  /// True if `put` succeeds only after the store has compared the hash of the bytes that arrived with that of the bytes
  /// that were sent, so that nobody needs to read them back.
  public let comparesBytes: Bool
  /// True if a file that is read has the time that its source or its upload named: `FileEntry.ownTime`, else `modified`.
  public let keepsTimes: Bool

  public init(
    nameBytes: Int?, fileBytes: UInt64?, caseSensitive: Bool, unicodeNamesOnly: Bool,
    conditions: WriteConditions = .kept, foldersExcludeFiles: Bool = true, revisionsDiffer: Bool = true,
    comparesBytes: Bool = false, keepsTimes: Bool = false
  ) {
    self.nameBytes = nameBytes
    self.fileBytes = fileBytes
    self.caseSensitive = caseSensitive
    self.unicodeNamesOnly = unicodeNamesOnly
    self.conditions = conditions
    self.foldersExcludeFiles = foldersExcludeFiles
    self.revisionsDiffer = revisionsDiffer
    self.comparesBytes = comparesBytes
    self.keepsTimes = keepsTimes
  }
}

/// The means by which a store keeps the conditions of `put`, `move` and `delete`.
public enum WriteConditions: Sendable, Hashable {
  /// The store compares and writes in one step.
  case kept
  /// byteclub locks the name, compares, and writes. Programs that ignore locks can come in between.
  case byLock
  /// Neither. The store is read-only (writes are `notPermitted`), unless the member has allowed unsafe writes: then it
  /// compares first, and a write of another member at the same moment can be lost.
  case none
}

public enum WriteMode: Sendable, Hashable {
  case create
  case replace(Revision)
  case overwrite
}
