public import FileStores
internal import Synchronization

/// A store for transfers that reads a viewed photo from this machine while the store still has the same revision. Such a
/// download fetches no bytes.
public final class KeptPhotosStore: FileStore {
  private let club: Club
  private let photos: PhotoCache
  private let contents: ThumbnailCache
  var base: any FileStore { club.store }
  /// The entries that were asked for last; a read follows.
  private let looked = Mutex<[StorePath: FileEntry]>([:])

  private static let mostLooked = 64

  /// The store of `club`, with the photos that are kept and what `contents` knows of revisions.
  public init(_ club: Club, photos: PhotoCache, contents: ThumbnailCache) {
    (self.club, self.photos, self.contents) = (club, photos, contents)
  }

  /// Reads; see `FileStore`. Cached bytes are not fetched.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    if let entry = try await hand(path, from: offset, ifRevision, receive) { return entry }
    return try await base.read(path, from: offset, ifRevision: ifRevision, receive)
  }

  /// Reads unchecked; see `FileStore`. Cached bytes are not fetched.
  public func readUnchecked(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    if let entry = try await hand(path, from: offset, ifRevision, receive) { return entry }
    return try await base.readUnchecked(path, from: offset, ifRevision: ifRevision, receive)
  }

  /// Nil when this revision is not kept.
  private func hand(
    _ path: StorePath, from offset: UInt64, _ revision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry? {
    guard let revision, let entry = looked.withLock({ $0.removeValue(forKey: path) }), entry.revision == revision,
      let hash = await contents.contentHash(of: entry, club: club), let bytes = await photos.bytes(of: hash),
      offset <= UInt64(bytes.count)
    else { return nil }
    var rest = bytes[Int(offset)...]
    while !rest.isEmpty {
      if Task.isCancelled { throw .cancelled("The reading of \"\(path)\"", path: path) }
      let chunk = rest.prefix(KeptPhotosStore.chunkBytes)
      try await receive(chunk)
      rest = rest.dropFirst(chunk.count)
    }
    return FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), modified: entry.modified, revision: revision,
      contentHash: hash, member: entry.member)
  }

  private static let chunkBytes = 512 << 10

  /// Looks a path up; see `FileStore`. The next read compares its revision.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    let entry = try await base.entry(at: path)
    looked.withLock { looked in
      if looked.count >= KeptPhotosStore.mostLooked { looked.removeAll() }
      looked[path] = entry
    }
    return entry
  }

  // MARK: - The store's own

  /// The store's.
  public var limits: StoreLimits { base.limits }
  /// The store's.
  public var resumableUploads: (any ResumableUploads)? { base.resumableUploads }
  /// The store's.
  public var trash: (any StoreTrash)? { base.trash }
  /// The store's.
  public var changes: (any ChangeFeed)? { base.changes }
  /// The store's.
  public var revisions: (any RevisionHistory)? { base.revisions }
  /// The store's.
  public var search: (any StoreSearch)? { base.search }
  /// The store's.
  public var thumbnails: (any StoreThumbnails)? { base.thumbnails }
  /// The store's.
  public var batchUploads: (any BatchUploads)? { base.batchUploads }
  /// The store's.
  public var folderReading: (any FolderReading)? { base.folderReading }

  /// Lists; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await base.list(folder, options, after: cursor)
  }

  /// Writes; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await base.put(source, at: path, mode: mode)
  }

  /// Moves; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await base.move(path, to: target, ifRevision: ifRevision)
  }

  /// Deletes; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await base.delete(path, ifRevision: ifRevision)
  }

  /// Makes a folder; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) { try await base.createFolder(path) }
}
