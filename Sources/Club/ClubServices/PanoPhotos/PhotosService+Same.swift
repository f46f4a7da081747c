import Basics
public import FileStores
import POSIX
import Transfers

extension PhotosService {
  /// The club's photo with a file's content. Compares photos of the same size by their hashes from the listing or earlier
  /// reads; in a club on this machine the files are read.
  /// - Returns: also the file's hash, for which it is read once, if there was a photo to compare it with.
  func photo(
    ofSize size: UInt64, like source: FileSource
  ) async throws(StoreError) -> (entry: FileEntry?, hash: ContentHash?) {
    if !known.isListed { try await list { _ in } }
    var own: ContentHash?
    for path in known.paths(ofSize: size) {
      guard let entry = try await club.store.entryIfAny(path), entry.kind == .file, entry.size == size else { continue }
      let listed = known.entry(at: path).flatMap { $0.revision == entry.revision ? $0 : nil }
      guard let there = try await content(of: listed ?? entry) else { continue }
      let hash: ContentHash = if let own { own } else { try await self.hash(of: source) }
      if there == hash { return (entry, hash) }
      own = hash
    }
    return (nil, own)
  }

  /// An earlier download of this photo in a directory, under its name or a numbered one, if its content is known to be
  /// the same.
  /// - Throws: the store's errors.
  public func copy(
    of path: StorePath, in directory: String
  ) async throws(StoreError) -> (entry: FileEntry, file: String)? {
    let entry = try await club.store.entry(at: path)
    guard entry.kind == .file, let size = entry.size else { return nil }
    let folder = Folders.absolute(directory)
    for number in 1...Self.maxCopies {
      let name =
        number == 1 ? Array(path.name) : NumberedName.numbered(Array(path.name), number, limit: Self.maxNameBytes)
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

  private static let maxCopies = 100
  /// Of a name on this machine, as downloads give it.
  private static let maxNameBytes = 255

  /// True if a file of this machine has this photo's content.
  /// - Throws: the store's errors.
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
      // An unreadable file is no copy; a free name ends the search.
      return error.kind == .notPermitted || error.kind == .badInput ? .success(false) : .failure(error)
    }
  }

  /// A photo's content hash; nil if finding it would require a download.
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
