public import FileStores

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

  /// What is known of a photo. A store that tells changes has told them; any other is asked.
  func trusted(_ path: StorePath) async throws(StoreError) -> FileEntry {
    if club.store.changes != nil, let entry = known.entry(at: path) { return entry }
    return try await club.store.entry(at: path)
  }
}
