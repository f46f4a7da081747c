internal import Basics
internal import FileStores
internal import XML

/// One version of a key in a bucket with versioning, or the marker of its deletion.
struct S3Version: Sendable {
  let path: StorePath
  let id: String
  let isLatest: Bool
  /// nil for a marker.
  let entry: FileEntry?
  let modified: Timestamp
  /// As the server writes it, for the order: some servers say fractions of a second, all in one format.
  let time: String

  var isMarker: Bool { entry == nil }
}

/// A deletion: its marker, and the versions that it hides, newest first.
struct S3Deletion: Sendable {
  let marker: S3Version
  let hidden: [S3Version]
  /// The content at the time of the deletion.
  let content: FileEntry
}

extension S3Store {
  private static let mostVersionPages = 100

  /// The versions and markers of one file, newest first (AWS, ListObjectVersions).
  func versions(of path: StorePath, most: Int) async throws(StoreError) -> [S3Version] {
    guard let key = place.key(path) else { throw .missing(path) }
    var all: [S3Version] = []
    var mark = versionPlace(path)
    repeat {
      all += try await versions(prefix: key, about: path, &mark).filter { $0.path == path }
    } while mark.next?.key == key && all.count { !$0.isMarker } < most && mark.pages < S3Store.mostVersionPages
    return S3VersionOrder(server.known).newestFirst(all)
  }

  /// The deletions of one file, newest first.
  func deletions(of path: StorePath) async throws(StoreError) -> [S3Deletion] {
    S3Store.deletions(in: try await versions(of: path, most: .max))
  }

  /// The deletions of all files of the club, the newest first.
  func deletions() async throws(StoreError) -> [S3Deletion] {
    var files: [StorePath: [S3Version]] = [:]
    var mark = versionPlace(.root)
    repeat {
      try checkCancelled("The listing", .root)
      let page = try await versions(prefix: place.prefix, about: .root, &mark)
      for version in page { files[version.path, default: []].append(version) }
    } while mark.next != nil
    let order = S3VersionOrder(server.known)
    let all = files.sorted { $0.key < $1.key }.flatMap { S3Store.deletions(in: order.newestFirst($0.value)) }
    return all.enumerated().sorted { one, other in
      one.element.marker.time != other.element.marker.time
        ? one.element.marker.time > other.element.marker.time : one.offset < other.offset
    }.map(\.element)
  }

  /// A marker over another one, or over nothing, hides no content.
  private static func deletions(in versions: [S3Version]) -> [S3Deletion] {
    versions.indices.compactMap { index in
      guard versions[index].isMarker else { return nil }
      let hidden = Array(versions[(index + 1)...].prefix { !$0.isMarker })
      return hidden.first?.entry.map { S3Deletion(marker: versions[index], hidden: hidden, content: $0) }
    }
  }

  private func versionPlace(_ path: StorePath) -> S3VersionPlace {
    S3VersionPlace(bounds: PageBounds("the versions of \"\(path)\"", about: path, place.name))
  }

  /// One page of the versions of all files whose keys begin with `prefix`; folders and byteclub's own keys are left out.
  private func versions(
    prefix: String, about path: StorePath, _ mark: inout S3VersionPlace
  ) async throws(StoreError) -> [S3Version] {
    var query = [("versions", ""), ("encoding-type", "url"), ("prefix", prefix)]
    if let entries = tuning.pageEntries { query.append(("max-keys", String(entries))) }
    if let next = mark.next { query += [("key-marker", next.key), ("version-id-marker", next.version)] }
    let call = S3Call(.get, nil, about: path, query: query)
    let root = try await client.root(call)
    guard root.name.local == "ListVersionsResult" else { throw nonsense("no list of versions", call) }
    func decoded(_ text: String?) -> String? { text.flatMap { PercentEncoding.decoded($0, plusIsSpace: true) } }
    var all: [S3Version] = []
    for node in root.children where ["Version", "DeleteMarker"].contains(node.name.local) {
      guard let key = decoded(node["Key"]?.text), key.utf8.starts(with: prefix.utf8),
        let found = place.path(ofKey: key), !found.isFolder, !found.path.isReserved
      else { continue }
      all.append(try version(node, found.path, call))
    }
    try mark.turn(root, decoded(root["NextKeyMarker"]?.text), count: all.count, call, self)
    return all
  }

  private func version(_ node: XMLNode, _ path: StorePath, _ call: S3Call) throws(StoreError) -> S3Version {
    guard let id = node["VersionId"]?.text, 1...1024 ~= id.utf8.count, id.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
      let time = node["LastModified"]?.text, let modified = S3Store.timestamp(time)
    else { throw nonsense("a version without its properties", call) }
    var entry: FileEntry?
    if node.name.local == "Version" {
      guard let size = (node["Size"]?.text).flatMap({ UInt64($0) }),
        let etag = (node["ETag"]?.text).flatMap(S3Client.revision)
      else { throw nonsense("a version without its properties", call) }
      entry = FileEntry(
        path: path, kind: .file, size: size, modified: modified, revision: Revision(etag: etag, of: path))
    }
    return S3Version(
      path: path, id: id, isLatest: node["IsLatest"]?.text == "true", entry: entry, modified: modified, time: time)
  }
}

/// The place in a list of versions.
struct S3VersionPlace {
  fileprivate(set) var next: (key: String, version: String)?
  fileprivate(set) var pages = 0
  fileprivate var bounds: PageBounds

  fileprivate mutating func turn(
    _ root: XMLNode, _ key: String?, count: Int, _ call: S3Call, _ store: S3Store
  ) throws(StoreError) {
    next = nil
    pages += 1
    guard root["IsTruncated"]?.text == "true" else { return }
    guard let key, !key.isEmpty, key.utf8.count <= 8192 else {
      throw store.nonsense("a page without the way to the next", call)
    }
    let version = root["NextVersionIdMarker"]?.text ?? ""
    try bounds.add(count, next: key + "\n" + version)
    next = (key, version)
  }
}
