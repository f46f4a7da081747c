public import FileStores
import Synchronization

/// Photos that were looked at and are still on this machine, for clubs behind a network.
extension PhotosService {
  /// Whether photos that were looked at are kept at all.
  public var keepsPhotos: Bool { cache != nil }

  /// Those of the photos that are kept on this machine.
  public func keptPhotos(_ paths: [StorePath]) async -> Set<StorePath> {
    guard let cache else { return [] }
    var found: [(path: StorePath, hash: ContentHash)] = []
    for path in paths {
      guard let entry = self.known.entry(at: path), let hash = await thumbnails.contentHash(of: entry, club: club)
      else {
        continue
      }
      found.append((path, hash))
    }
    let holds = await cache.holds(found.map(\.hash))
    return Set(zip(found, holds).compactMap { $1 ? $0.path : nil })
  }

  /// A read-only file of this machine, with the photo's name, that holds a photo that was looked at.
  /// - Throws: `notFound` when it is not kept any more; what the store throws.
  public func file(of path: StorePath) async throws(StoreError) -> String {
    let name = PhotoReader.name(path)
    let entry = try await trusted(path)
    if let cache, let hash = await thumbnails.contentHash(of: entry, club: club),
      let file = await cache.file(of: hash, named: name)
    {
      return file
    }
    throw StoreError(
      .notFound, "\"\(name)\" is no longer on this machine.", remedy: "View it again, or download it.",
      path: path)
  }

  /// A photo that is kept, as `entry` says it is; nil when it is not.
  func keptPhoto(_ entry: FileEntry) async -> LoadedPhoto? {
    guard let cache, let hash = await thumbnails.contentHash(of: entry, club: club),
      let bytes = await cache.bytes(of: hash)
    else { return nil }
    return LoadedPhoto(bytes: bytes, entry: entry, contentHash: hash)
  }

  /// Fetches a photo that may be looked at next, and keeps it. A look at it meanwhile takes over what has come.
  ///
  /// Nothing is fetched when it is kept already, when no photos are kept, or when the last fetch was so slow that this
  /// one would take more than five seconds.
  /// - Returns: true when the cache has the photo now. `picture` reports an error when the member views it.
  @discardableResult
  public func prefetch(_ path: StorePath) async -> Bool {
    guard let cache, let entry = known.entry(at: path), let size = entry.size, cache.takes(size),
      pace.withLock({ pace in pace.map { Double(size) / $0 <= Self.longestPrefetch } ?? true })
    else { return false }
    if let hash = await thumbnails.contentHash(of: entry, club: club), await cache.holds([hash]) == [true] {
      return true
    }
    do throws(StoreError) {
      _ = try await fetched(entry)
      return true
    } catch {
      return false
    }
  }

  /// Seconds that a fetch ahead may take.
  private static let longestPrefetch = 5.0

  /// Reads a photo and keeps it; asked for twice at once it is read once.
  func fetched(_ entry: FileEntry) async throws(StoreError) -> LoadedPhoto {
    let key = PhotoKey(path: entry.path, revision: entry.revision)
    return try await fetching.value(for: key) { [self] () async throws(StoreError) in
      let start = ContinuousClock.now
      let photo = try await reader.load(entry.path, ifRevision: nil, size: entry.size, from: club.store)
      let (seconds, atto) = (ContinuousClock.now - start).components
      pace.withLock { $0 = Double(photo.bytes.count) / max(1e-6, Double(seconds) + Double(atto) * 1e-18) }
      await thumbnails.remember(photo.contentHash, of: photo.entry, club: club)
      await cache?.keep(photo.bytes, of: photo.contentHash)
      return photo
    }
  }

  /// What is known of a photo. A store that tells changes has told them; any other is asked.
  func trusted(_ path: StorePath) async throws(StoreError) -> FileEntry {
    if club.store.changes != nil, let entry = known.entry(at: path) { return entry }
    return try await club.store.entry(at: path)
  }
}

/// The key of a fetch: two callers with equal keys share one.
struct PhotoKey: Hashable, Sendable {
  let path: StorePath
  let revision: Revision?
}
