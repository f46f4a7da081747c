public import FileStores
internal import Synchronization

/// A store for transfers that reads a viewed photo from this machine while the store has the same revision.
public final class KeptPhotosStore: StoreWrapper {
  private let club: Club
  private let photos: PhotoCache
  private let contents: ThumbnailCache
  public var base: any FileStore { club.store }
  /// The entries of recent lookups, each for the read that follows it.
  private let looked = Mutex<[StorePath: FileEntry]>([:])

  private static let mostLooked = 64

  public init(_ club: Club, photos: PhotoCache, contents: ThumbnailCache) {
    (self.club, self.photos, self.contents) = (club, photos, contents)
  }

  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    if let entry = try await hand(path, options, receive) { return entry }
    return try await base.read(path, options, receive)
  }

  private func hand(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry? {
    guard let revision = options.revision, let entry = looked.withLock({ $0.removeValue(forKey: path) }),
      entry.revision == revision,
      let hash = await contents.contentHash(of: entry, club: club), let bytes = await photos.bytes(of: hash),
      options.offset <= UInt64(bytes.count)
    else { return nil }
    var rest = bytes[Int(options.offset)...]
    while !rest.isEmpty {
      if Task.isCancelled { throw .cancelled("The reading of \"\(path)\"", path: path) }
      let chunk = rest.prefix(KeptPhotosStore.chunkBytes)
      try await receive(chunk)
      rest = rest.dropFirst(chunk.count)
    }
    var kept = FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), modified: entry.modified, revision: revision,
      contentHash: hash, member: entry.member)
    kept.ownTime = entry.ownTime
    return kept
  }

  private static let chunkBytes = 512 << 10

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    let entry = try await base.entry(at: path)
    looked.withLock { looked in
      if looked.count >= KeptPhotosStore.mostLooked { looked.removeAll() }
      looked[path] = entry
    }
    return entry
  }

  public var capabilities: Capabilities { base.capabilities }
}
