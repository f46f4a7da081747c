public import FileStores

/// A test's store around another: what it does not say itself is the other's. It has no power unless it says so.
public protocol StoreAround: FileStore {
  /// The other.
  var base: any FileStore { get }
}

/// See `FileStore`.
extension StoreAround {
  /// The other's.
  public var limits: StoreLimits { base.limits }
  /// None.
  public var resumableUploads: (any ResumableUploads)? { nil }
  /// None.
  public var trash: (any StoreTrash)? { nil }
  /// None.
  public var changes: (any ChangeFeed)? { nil }

  /// The other's.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await base.list(folder, options, after: cursor)
  }

  /// The other's.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry { try await base.entry(at: path) }

  /// The other's.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await base.read(path, from: offset, ifRevision: ifRevision, receive)
  }

  /// The other's.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await base.put(source, at: path, mode: mode)
  }

  /// The other's.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await base.move(path, to: target, ifRevision: ifRevision)
  }

  /// The other's.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await base.delete(path, ifRevision: ifRevision)
  }

  /// The other's.
  public func createFolder(_ path: StorePath) async throws(StoreError) { try await base.createFolder(path) }
}
