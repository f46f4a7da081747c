public import FileStores
import Synchronization

/// A store that fails on purpose, for a while, in ways that networks do; which call fails how follows from the seed.
///
/// Faults: the call never reaches the store; the store has done it and the answer is lost; a read breaks off;
/// chunks are cut short. No call with the same name and path fails more than twice in a row.
public struct FaultyStore: FileStore {
  let base: any FileStore
  let faults: Faults

  /// Wraps a store; `share` of the calls (from 0 to 1) fail.
  public init(_ base: any FileStore, seed: UInt64, share: Double = 0.4) {
    self.base = base
    faults = Faults(seed: seed, share: share)
  }

  /// How many faults there were.
  public var count: Int { faults.count }

  /// The limits of the contract.
  public var limits: StoreLimits { base.limits }
  /// Uploads that can go on after a break.
  public var resumableUploads: (any ResumableUploads)? {
    base.resumableUploads.map { FaultyUploads(base: $0, faults: faults) }
  }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { base.trash.map { FaultyTrash(base: $0, faults: faults) } }
  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? { base.changes.map { FaultyChanges(base: $0, faults: faults) } }
  /// Versions of files that the store has kept.
  public var revisions: (any RevisionHistory)? { base.revisions.map { FaultyHistory(base: $0, faults: faults) } }
  /// Finding files by words.
  public var search: (any StoreSearch)? { base.search.map { FaultySearch(base: $0, faults: faults) } }
  /// Small copies of pictures, made by the store.
  public var thumbnails: (any StoreThumbnails)? { base.thumbnails.map { FaultyThumbnails(base: $0, faults: faults) } }
  /// Writing many small files at once.
  public var batchUploads: (any BatchUploads)? { base.batchUploads.map { FaultyBatches(base: $0, faults: faults) } }
  /// Reading the many files of a folder at once.
  public var folderReading: (any FolderReading)? {
    base.folderReading.map { FaultyFolderReading(base: $0, faults: faults) }
  }

  /// One page of a folder; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await faults.call("list", folder) { () throws(StoreError) in try await base.list(folder, options, after: cursor)
    }
  }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await faults.call("entry", path) { () throws(StoreError) in try await base.entry(at: path) }
  }

  /// Reads a file in chunks; see `FileStore`.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let fault = faults.next("read", path)
    if fault == .before { throw Faults.error(path) }
    var given = 0
    return try await base.read(path, from: offset, ifRevision: ifRevision) { chunk throws(StoreError) in
      var rest = chunk
      while !rest.isEmpty {
        if Task.isCancelled { throw StoreError.cancelled("The reading", path: path) }
        let piece = rest.prefix(7 + given % 4096)
        try await receive(piece)
        given += piece.count
        rest = rest.dropFirst(piece.count)
        // In the middle of the first chunk or of a later one, or at its very end.
        if fault == .after, given >= 10 { throw Faults.error(path) }
      }
    }
  }

  /// Writes a whole file; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await faults.call("put", path) { () throws(StoreError) in try await base.put(source, at: path, mode: mode) }
  }

  /// Moves a file or folder; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await faults.call("move", path) { () throws(StoreError) in
      try await base.move(path, to: target, ifRevision: ifRevision)
    }
  }

  /// Deletes for good; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await faults.call("delete", path) { () throws(StoreError) in
      try await base.delete(path, ifRevision: ifRevision)
    }
  }

  /// Makes a folder and its parents; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try await faults.call("createFolder", path) { () throws(StoreError) in try await base.createFolder(path) }
  }
}
