internal import Basics
internal import FileStores
internal import XML

/// Older versions, in a bucket with versioning. A deletion is a marker there, and keeps them.
struct S3History: UnconditionalHistory {
  let store: S3Store
  var pool: BlockingPool { store.pool }

  private struct Version {
    let entry: FileEntry
    let id: String
  }

  private static let mostVersions = 1000

  func kept(of path: StorePath, limit: Int) async throws(StoreError) -> KeptVersions {
    try store.checkCancelled("The history", path)
    if path.isRoot { throw StoreError(.badInput, "The club's folder is a folder, not a file.", path: path) }
    if path.isReserved { throw store.missing(path) }
    let found = try await versions(of: path, most: max(1, limit))
    if found.versions.isEmpty {
      if try await store.isFolder(path) { throw StoreError(.badInput, "\"\(path)\" is a folder.", path: path) }
      throw store.missing(path)
    }
    return KeptVersions(
      there: found.isDeleted ? nil : found.versions.first?.entry,
      versions: found.versions.prefix(max(0, limit)).map(\.entry))
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let id = try await version(revision, of: path).id
    let call = S3Call(.get, store.place.key(path), about: path, query: [("versionId", id)])
    return try await store.read(call, from: 0, ifRevision: revision, receive)
  }

  func makeNewest(_ revision: Revision, of path: StorePath) async throws(StoreError) -> FileEntry {
    let version = try await version(revision, of: path)
    _ = try await store.powers(writing: path)
    guard let key = store.place.key(path) else { throw store.missing(path) }
    let source = store.place.copySource(key, version: version.id)
    let call = S3Call(.put, key, about: path, headers: [("x-amz-copy-source", source)])
    let answer = try await store.client.answer(call)
    guard answer.isSuccess else { throw store.client.error(answer, call) }
    _ = try store.client.node(answer, call)
    guard let there = try await store.file(at: path) else { throw store.conflict(path, nil) }
    return there
  }

  private func version(_ revision: Revision, of path: StorePath) async throws(StoreError) -> Version {
    guard !path.isReserved, store.place.key(path) != nil else { throw noVersion(revision, path) }
    let found = try await versions(of: path, most: S3History.mostVersions)
    guard let version = found.versions.first(where: { $0.entry.revision == revision }) else {
      throw noVersion(revision, path)
    }
    return version
  }

  /// The versions of one key, newest first (AWS, ListObjectVersions), and true if a deletion is the newest.
  private func versions(
    of path: StorePath, most: Int
  ) async throws(StoreError) -> (versions: [Version], isDeleted: Bool) {
    guard let key = store.place.key(path) else { throw store.missing(path) }
    var all: [Version] = []
    var isDeleted = false
    var markers: [(String, String)] = []
    var pages = 0
    while true {
      let query = [("versions", ""), ("encoding-type", "url"), ("prefix", key)] + markers
      let call = S3Call(.get, nil, about: path, query: query)
      let answer = try await store.client.answer(call)
      guard answer.isSuccess else { throw store.client.error(answer, call) }
      let root = try store.client.node(answer, call)
      func decoded(_ text: String?) -> String? { text.flatMap { PercentEncoding.decoded($0, plusIsSpace: true) } }
      for node in root.children where ["Version", "DeleteMarker"].contains(node.name.local) {
        guard decoded(node["Key"]?.text) == key else { continue }
        if node.name.local == "DeleteMarker" {
          if node["IsLatest"]?.text == "true" { isDeleted = true }
          continue
        }
        all.append(try read(node, path, call))
      }
      pages += 1
      guard root["IsTruncated"]?.text == "true", all.count < most, pages < 100,
        let next = decoded(root["NextKeyMarker"]?.text), next == key
      else { return (all, isDeleted) }
      markers = [("key-marker", next), ("version-id-marker", root["NextVersionIdMarker"]?.text ?? "")]
    }
  }

  private func read(_ node: XMLNode, _ path: StorePath, _ call: S3Call) throws(StoreError) -> Version {
    guard let id = node["VersionId"]?.text, 1...1024 ~= id.utf8.count,
      let size = (node["Size"]?.text).flatMap({ UInt64($0) }),
      let etag = (node["ETag"]?.text).flatMap(S3Client.revision)
    else { throw store.nonsense("a version without its properties", call) }
    let entry = FileEntry(
      path: path, kind: .file, size: size, modified: (node["LastModified"]?.text).flatMap(S3Store.timestamp),
      revision: Revision(etag: etag, of: path))
    return Version(entry: entry, id: id)
  }
}
