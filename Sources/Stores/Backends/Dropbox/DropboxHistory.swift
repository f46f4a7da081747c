internal import Basics
internal import FileStores
internal import JSON
internal import Synchronization

struct DropboxHistory: UnconditionalHistory {
  let store: DropboxStore
  var pool: BlockingPool { store.pool }

  private static let mostVersions = 100

  func kept(of path: StorePath, limit: Int) async throws(StoreError) -> KeptVersions {
    let place = try store.place(of: path, for: "The history", root: .isFolder(path))
    var versions: [FileEntry] = []
    var isDeleted: Bool?
    var bounds = PageBounds("the history of \"\(path)\"", about: path, store.client.server.name)
    var hasMore = true
    while hasMore, versions.count < limit || isDeleted == nil {
      let count = max(1, min(limit - versions.count, DropboxHistory.mostVersions))
      let call = DropboxCall(
        .listRevisions,
        .members([
          "path": .string(place), "mode": "path", "limit": .integer(Int64(count)),
          "before_rev": versions.last?.revision.map { .string($0.value) },
        ]), about: path)
      let json = try await store.client.result(call)
      guard let values = json["entries"]?.elements else { throw store.client.nonsense("no versions", call) }
      let read = values.compactMap { DropboxMetadata($0, kind: .file) }
      guard read.count == values.count else { throw store.client.nonsense("no metadata", call) }
      await store.authors.learn(read, store.client)
      versions += read.compactMap { $0.version(at: path, store.authors) }
      isDeleted = isDeleted ?? json["is_deleted"]?.boolean ?? false
      hasMore = json["has_more"]?.boolean == true && !values.isEmpty
      if hasMore { try bounds.add(values.count, next: versions.last?.revision?.value ?? "") }
    }
    if versions.isEmpty { throw store.missing(path) }
    return KeptVersions(versions, isThere: isDeleted != true, limit: limit)
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The reading", path)
    guard DropboxRevisions.isPossible(revision), store.folder.apiPath(path) != nil else {
      throw .versionGone(revision, path)
    }
    let call = DropboxCall(.download, .members(["path": .string("rev:" + revision.value)]), about: path)
    var receiverFailed = false
    do throws(StoreError) {
      let entry = try await store.download(call, ReadOptions(), isVersion: true) { chunk throws(StoreError) in
        do throws(StoreError) {
          try await receive(chunk)
        } catch {
          receiverFailed = true
          throw error
        }
      }
      if let entry { return entry }
    } catch {
      // For an unknown revision, a server may respond that it is not a file.
      guard !receiverFailed, error.kind == .notFound || error.kind == .badInput else { throw error }
    }
    throw .versionGone(revision, path)
  }

  func makeNewest(_ revision: Revision, of path: StorePath) async throws(StoreError) -> FileEntry {
    guard DropboxRevisions.isPossible(revision) else { throw .versionGone(revision, path) }
    let call = DropboxCall(
      .restore, .members(["path": .string(store.folder.ownPath(path)), "rev": .string(revision.value)]), about: path)
    let json = try await store.client.result(call) {
      $0.has("invalid_revision") || $0.has("not_found") ? .versionGone(revision, path) : nil
    }
    return try store.file(json, call, at: path)
  }
}

/// Revisions seen at a path prove that the path existed. The API rejects a put over a changed or deleted revision, but
/// does not promise this for a path that never existed.
final class DropboxRevisions: Sendable {
  private static let most = 4096
  private let seen = Mutex<[Revision: String]>([:])

  func note(_ entry: FileEntry) {
    guard let revision = entry.revision else { return }
    seen.withLock { seen in
      if seen.count >= DropboxRevisions.most { seen.removeAll() }
      seen[revision] = DropboxFolder.fold(entry.path.bytes)
    }
  }

  func wereSeen(_ revision: Revision, at path: StorePath) -> Bool {
    seen.withLock { $0[revision] } == DropboxFolder.fold(path.bytes)
  }

  /// Nine or more lowercase hexadecimal digits.
  static func isPossible(_ revision: Revision) -> Bool {
    revision.value.utf8.count >= 9
      && revision.value.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
