import Decoding
public import FileStores
import Synchronization

extension PhotosService {
  public var keepsPhotos: Bool { cache != nil }

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

  /// A read-only file on this machine, with the photo's name, of a viewed photo.
  /// - Throws: `notFound` if it is no longer cached; the store's errors.
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

  /// Words for a photo's present content: its content hash and its revision, as far as known. Another content has
  /// other words.
  public func contentWords(of path: StorePath) async -> [String] {
    let found: FileEntry?
    do throws(StoreError) {
      found = try await trusted(path)
    } catch {
      // The caller does without them.
      return []
    }
    guard let entry = found else { return [] }
    let hash = await thumbnails.contentHash(of: entry, club: club)
    return [hash.map(\.hex), entry.revision.map { "\(entry.path)\n\($0)" }].compactMap { $0 }
  }

  func keptPhoto(_ entry: FileEntry) async -> LoadedPhoto? {
    guard let cache, let hash = await thumbnails.contentHash(of: entry, club: club),
      let content = await cache.content(of: hash)
    else { return nil }
    return LoadedPhoto(content: content, entry: entry, contentHash: hash)
  }

  /// Fetches and caches a photo that may be viewed next. A view meanwhile joins the same fetch. Skips cached photos,
  /// and fetches of more than five seconds at the pace of the last one, and all of them without `readsAhead`.
  /// - Returns: true if the cache has the photo now. Errors are left to `picture`.
  @discardableResult
  public func prefetch(_ path: StorePath) async -> Bool {
    guard readsAhead, let cache, let entry = known.entry(at: path), let size = entry.size, cache.takes(size),
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

  private static let longestPrefetch = 5.0

  func fetched(
    _ entry: FileEntry, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> LoadedPhoto {
    let key = PhotoKey(path: entry.path, revision: entry.revision)
    return try await fetching.value(for: key) { [self] () async throws(StoreError) in
      let start = ContinuousClock.now
      let photo = try await reader.load(
        entry.path, ifRevision: nil, size: entry.size, from: club.store, progress: progress)
      let (seconds, atto) = (ContinuousClock.now - start).components
      pace.withLock { $0 = Double(photo.content.count) / max(1e-6, Double(seconds) + Double(atto) * 1e-18) }
      await thumbnails.remember(photo.contentHash, of: photo.entry, club: club)
      await cache?.keep(photo.content, of: photo.contentHash)
      return photo
    }
  }

  /// A photo's entry. A store with a change feed keeps the known entry current; any other store is asked.
  func trusted(_ path: StorePath) async throws(StoreError) -> FileEntry {
    if club.store.capabilities.changes != nil, let entry = known.entry(at: path) { return entry }
    return try await club.store.entry(at: path)
  }
}

/// The key of a fetch: two callers with equal keys share one.
struct PhotoKey: Hashable, Sendable {
  let path: StorePath
  let revision: Revision?
}
