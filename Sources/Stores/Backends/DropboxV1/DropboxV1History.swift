internal import Basics
internal import FileStores
internal import JSON

struct DropboxV1History: UnconditionalHistory {
  let store: DropboxV1Store
  var pool: BlockingPool { store.pool }

  func kept(of path: StorePath, limit: Int) async throws(StoreError) -> KeptVersions {
    let place = try store.place(of: path, for: "The history", root: .isFolder(path))
    // One more, because a deletion counts as a version.
    let count = max(1, min(limit, 999)) + 1
    let call = DropboxV1Call(.revisions, at: place, about: path, ["rev_limit": String(count)])
    let json = try await store.client.result(call) { refusal in
      if refusal.isUnknownRoute {
        store.memory.hasNoHistory = true
        return StoreError(.unsupported, "\(store.client.server.name) keeps no versions of files.", path: path)
      }
      if refusal.status == 406 { return .isFolder(path) }
      return refusal.isMissing ? store.missing(path) : refusal.error
    }
    guard let values = json.elements else { throw store.client.nonsense("no versions", call) }
    var versions: [FileEntry] = []
    var isDeleted: Bool?
    for value in values {
      guard let metadata = DropboxV1Metadata(value) else { throw store.client.nonsense("no metadata", call) }
      isDeleted = isDeleted ?? metadata.isDeleted
      if let version = metadata.version(at: path) { versions.append(version) }
    }
    if versions.isEmpty { throw store.missing(path) }
    return KeptVersions(versions, isThere: isDeleted != true, limit: limit)
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let known = try await kept(of: path, limit: 999).versions.first { $0.revision == revision }
    guard let known, let place = store.folder.apiPath(path) else { throw .versionGone(revision, path) }
    let call = DropboxV1Call(.download, at: place, about: path, ["rev": revision.value])
    var refused: StoreError?
    let entry = try await store.download(call, ReadOptions(ifRevision: revision), known, receive, refused: &refused)
    guard let entry else { throw .versionGone(revision, path) }
    return entry
  }

  func makeNewest(_ revision: Revision, of path: StorePath) async throws(StoreError) -> FileEntry {
    let call = DropboxV1Call(
      .restore, at: store.folder.ownPath(path), about: path, ["rev": revision.value])
    // Status 400 means that the text is not a revision.
    let json = try await store.client.result(call) {
      $0.isMissing || $0.status == 400 ? .versionGone(revision, path) : $0.error
    }
    guard let metadata = DropboxV1Metadata(json), let entry = try store.entry(metadata, asked: path) else {
      throw store.client.nonsense("no metadata", call)
    }
    return entry
  }
}
