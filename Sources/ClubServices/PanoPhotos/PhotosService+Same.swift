public import FileStores
import Glibc
import Transfers

/// Photos that are where they are wanted already, byte for byte.
extension PhotosService {
  /// The photo of the club that has this content; nil when none is known to have it.
  ///
  /// Only photos of the same size are looked at. Their content is known from the listing, or from a look at them; in a
  /// club of this machine it is read.
  func photo(ofSize size: UInt64, _ hash: ContentHash) async throws(StoreError) -> FileEntry? {
    if !known.isListed { try await list { _ in } }
    for path in known.paths(ofSize: size) {
      let entry: FileEntry
      do throws(StoreError) {
        entry = try await club.store.entry(at: path)
      } catch {
        // Gone since it was listed.
        guard error.kind == .notFound else { throw error }
        continue
      }
      guard entry.kind == .file, entry.size == size else { continue }
      if try await content(
        of: known.entry(at: path).flatMap { told in
          told.revision == entry.revision ? told : nil
        } ?? entry) == hash
      {
        return entry
      }
    }
    return nil
  }

  /// The file in a directory of this machine that a download of this photo would be, under the photo's name or one with
  /// a number; nil when there is none that is known to hold the same.
  /// - Throws: what the store throws.
  public func copy(
    of path: StorePath, in directory: String
  ) async throws(StoreError) -> (entry: FileEntry, file: String)? {
    let entry = try await club.store.entry(at: path)
    guard entry.kind == .file, let size = entry.size else { return nil }
    let folder = Self.inFull(directory)
    for number in 1...Self.maxCopies {
      let name = number == 1 ? Array(path.name) : FileName.numbered(Array(path.name), number)
      let file = (folder.hasSuffix("/") ? folder : folder + "/") + String(decoding: name, as: UTF8.self)
      switch await isCopy(file, size: size, of: entry) {
      case .success(true): return (entry, file)
      case .success(false): continue
      case .failure(let error):
        if error.kind == .notFound { return nil }
        throw error
      }
    }
    return nil
  }

  /// So many numbers behind a name are looked at.
  private static let maxCopies = 100

  /// Whether a file of this machine holds this photo.
  /// - Throws: what the store throws.
  public func isCopy(_ file: String, of path: StorePath) async throws(StoreError) -> Bool {
    let entry = try await club.store.entry(at: path)
    guard let size = entry.size else { return false }
    return try await isCopy(file, size: size, of: entry).get()
  }

  private func isCopy(
    _ file: String, size: UInt64, of entry: FileEntry
  ) async -> Result<Bool, StoreError> {
    do throws(StoreError) {
      let source = try await FileSource(path: file, pool: pool)
      guard source.size == size, let hash = try await content(of: entry) else { return .success(false) }
      let hasher = ContentHasher()
      var reading = try await source.open(at: 0)
      while let chunk = try await reading.next() { hasher.update(chunk) }
      return .success(hasher.finish() == hash)
    } catch {
      // What cannot be read is no copy; a name that is free ends the search.
      return error.kind == .notPermitted || error.kind == .badInput ? .success(false) : .failure(error)
    }
  }

  /// What a photo holds; nil when that can only be known by fetching it.
  func content(of entry: FileEntry) async throws(StoreError) -> ContentHash? {
    if let hash = await thumbnails.contentHash(of: entry, club: club) { return hash }
    guard cache == nil else { return nil }
    let hasher = ContentHasher()
    let read = try await club.store.read(entry.path, from: 0, ifRevision: entry.revision) { chunk throws(StoreError) in
      hasher.update(chunk)
    }
    let hash = hasher.finish()
    await thumbnails.remember(hash, of: read, club: club)
    return hash
  }
}
