internal import Basics
internal import FileStores

/// Older versions, in a bucket with versioning. A deletion is a marker there, and keeps them.
struct S3History: UnconditionalHistory {
  let store: S3Store
  var pool: BlockingPool { store.pool }

  private static let mostVersions = 1000

  func kept(of path: StorePath, limit: Int) async throws(StoreError) -> KeptVersions {
    try store.checkCancelled("The history", path)
    if path.isRoot { throw .isFolder(path) }
    if path.isReserved { throw .missing(path) }
    let all = try await store.versions(of: path, most: max(1, limit))
    var versions: [FileEntry] = []
    var isThere = false
    for version in all {
      guard let entry = version.entry, try await !store.isReserved(version) else { continue }
      isThere = isThere || version.id == all.first?.id
      versions.append(entry)
    }
    if versions.isEmpty {
      if try await store.isFolder(path) { throw StoreError(.badInput, "\"\(path)\" is a folder.", path: path) }
      throw .missing(path)
    }
    return KeptVersions(versions, isThere: isThere, limit: limit)
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let id = try await version(revision, of: path).found.id
    let call = S3Call(.get, store.place.key(path), about: path, query: [("versionId", id)])
    return try await store.read(call, ReadOptions(ifRevision: revision), receive)
  }

  func makeNewest(_ revision: Revision, of path: StorePath) async throws(StoreError) -> FileEntry {
    let (version, newest) = try await version(revision, of: path)
    _ = try await store.features(writing: path)
    guard let key = store.place.key(path) else { throw .missing(path) }
    let source = store.place.copySource(key, version: version.id)
    let call = S3Call(.put, key, about: path, headers: [("x-amz-copy-source", source)])
    _ = try await store.client.root(call)
    // A deleted file that is back is no longer in the trash.
    if newest.isMarker { try await store.delete(newest) }
    guard let there = try await store.file(at: path) else { throw .conflict(path, nil) }
    return there
  }

  private func version(
    _ revision: Revision, of path: StorePath
  ) async throws(StoreError) -> (found: S3Version, newest: S3Version) {
    guard !path.isReserved, store.place.key(path) != nil else { throw .versionGone(revision, path) }
    let all = try await store.versions(of: path, most: S3History.mostVersions)
    guard let found = all.first(where: { $0.entry?.revision == revision }), let newest = all.first else {
      throw .versionGone(revision, path)
    }
    return (found, newest)
  }
}
