internal import Basics
internal import FileStores

/// The versions in `.byteclub/versions/`: files that byteclub itself replaced or deleted. Files that another program
/// overwrites are not kept. A moved file takes its versions along.
struct FolderHistory: RevisionHistory {
  let store: FolderStore

  var largestKept: UInt64? { store.disk.tuning.versions.fileBytes }

  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try store.checkCancelled("The history", path)
    let disk = store.disk
    return try await store.pool.run { () throws(StoreError) -> [FileEntry] in
      let there = try disk.fileIfThere(path)
      let versions = (there.map { [$0] } ?? []) + (try disk.keptVersions(of: path))
      if versions.isEmpty { throw disk.missing(path) }
      return Array(versions.prefix(max(0, limit)))
    }
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The reading", path)
    let disk = store.disk
    let there = try await store.pool.run { () throws(StoreError) in try disk.fileIfThere(path) }
    if there?.revision == revision {
      var hasBegun = false
      do throws(StoreError) {
        return try await store.read(path, from: 0, ifRevision: revision) { chunk throws(StoreError) in
          hasBegun = true
          try await receive(chunk)
        }
      } catch {
        // If the file was replaced just now, the revision is among the kept ones.
        guard !hasBegun, error.kind == .conflict || error.kind == .notFound else { throw error }
      }
    }
    let (entry, bytes) = try await kept(revision, path)
    var rest = bytes[...]
    while !rest.isEmpty {
      try store.checkCancelled("The reading", path)
      try await receive(rest.prefix(disk.tuning.chunkBytes))
      rest = rest.dropFirst(disk.tuning.chunkBytes)
    }
    return entry
  }

  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The restoring", path)
    let there = try await store.pool.run { () throws(StoreError) in try store.disk.fileIfThere(path) }
    guard there?.revision == base else { throw .conflict(path, there) }
    if let there, there.revision == revision { return there }
    let source = DataSource(try await kept(revision, path).bytes)
    guard let base else {
      do throws(StoreError) {
        return try await store.put(source, at: path, mode: .create)
      } catch  where error.kind == .exists {
        throw .conflict(path, error.current)
      }
    }
    return try await store.put(source, at: path, mode: .replace(base))
  }

  private func kept(_ revision: Revision, _ path: StorePath) async throws(StoreError) -> (
    entry: FileEntry, bytes: [UInt8]
  ) {
    let found = try await store.pool.run { () throws(StoreError) in try store.disk.readKept(revision, of: path) }
    guard let found else { throw .versionGone(revision, path) }
    return found
  }
}

extension FolderDisk {
  /// - Throws: `notFound` for byteclub's own paths; `badInput` for anything but a file.
  fileprivate func fileIfThere(_ path: StorePath) throws(StoreError) -> FileEntry? {
    guard !isOwn(path) else { throw missing(path) }
    if path.isRoot { throw notAFile(path, .folder) }
    guard let stat = try stat(path) else { return nil }
    guard stat.kind == .file else { throw notAFile(path, stat.kind) }
    return entry(stat, path)
  }
}
