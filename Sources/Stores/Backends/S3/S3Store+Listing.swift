internal import Basics
public import FileStores
internal import XML

extension S3Store {
  /// Entries are always whole: a listing has size, time and ETag.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    if folder.isReserved { throw .missing(folder) }
    var mark: S3ListCursor
    if let cursor {
      guard let known = S3ListCursor(cursor), known.options == options.plain else { throw .listingLost(folder) }
      mark = known
    } else {
      mark = S3ListCursor(options: options, changes: try await self.changes.begun().value)
    }
    let page = try await keys(below: folder, recursive: options.recursive, &mark.place)
    if cursor == nil, page.isEmpty, !folder.isRoot {
      if let there = try await file(at: folder) {
        throw StoreError(.badInput, "\"\(folder)\" is not a folder.", path: folder, current: there)
      }
      throw .missing(folder)
    }
    let entries = try await withoutReservations(page.entries)
    guard mark.place.token != nil else {
      return ListPage(
        entries: entries, isWhole: true, changes: ChangeCursor(mark.changes), unreadable: page.unreadable)
    }
    return ListPage(entries: entries, isWhole: true, next: mark.value, unreadable: page.unreadable)
  }

  struct KeyPage {
    var entries: [FileEntry] = []
    var unreadable = 0
    /// True if there is no key, not even that of the folder itself.
    var isEmpty = true
  }

  /// One page of ListObjectsV2 as entries, with the folders that only names of keys show.
  /// - Parameter own: true to list byteclub's own keys, too.
  func keys(
    below folder: StorePath, recursive: Bool, own: Bool = false, _ mark: inout S3ListPlace
  ) async throws(StoreError) -> KeyPage {
    guard let prefix = place.key(folder, isFolder: true) else { throw .missing(folder) }
    var query = [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)]
    if !recursive { query.append(("delimiter", "/")) }
    if let entries = tuning.pageEntries { query.append(("max-keys", String(entries))) }
    if let token = mark.token { query.append(("continuation-token", token)) }
    let call = S3Call(.get, nil, about: folder, query: query)
    let answer = try await client.answer(call)
    if answer.status == 400, mark.token != nil { throw .listingLost(folder) }
    guard answer.isSuccess else { throw client.error(answer, call) }
    let root = try client.node(answer, call)
    guard root.name.local == "ListBucketResult" else { throw nonsense("no listing", call) }
    var page = KeyPage()
    var others = 0
    for node in root.children {
      let isFile = node.name.local == "Contents"
      guard isFile || node.name.local == "CommonPrefixes" else { continue }
      guard let key = S3Store.key(node[isFile ? "Key" : "Prefix"], in: root) else {
        (page.unreadable, page.isEmpty) = (page.unreadable + 1, false)
        continue
      }
      guard key.utf8.starts(with: prefix.utf8) else {
        (page.unreadable, others) = (page.unreadable + 1, others + 1)
        continue
      }
      page.isEmpty = false
      guard let found = place.path(ofKey: key) else {
        page.unreadable += 1
        continue
      }
      // The folder's own object.
      if found.path == folder { continue }
      if found.path.isReserved, !own { continue }
      page.entries += mark.folders(above: found.path, below: folder)
      if found.isFolder {
        page.entries += mark.folder(found.path)
      } else if let file = file(node, at: found.path) {
        page.entries.append(file)
      } else {
        page.unreadable += 1
      }
    }
    // One that ignores the prefix would show every name as taken.
    if page.isEmpty, others > 0 { throw nonsense("the list of another folder", call) }
    try turn(root, call, &mark, page.entries.count)
    return page
  }

  /// A key as a listing has it.
  static func key(_ node: XMLNode?, in root: XMLNode) -> String? {
    node.flatMap { root["EncodingType"]?.text == "url" ? PercentEncoding.decoded($0.text, plusIsSpace: true) : $0.text }
  }

  private func turn(
    _ root: XMLNode, _ call: S3Call, _ mark: inout S3ListPlace, _ count: Int
  ) throws(StoreError) {
    guard root["IsTruncated"]?.text == "true" else {
      mark.token = nil
      return
    }
    guard let next = root["NextContinuationToken"]?.text, !next.isEmpty, next.utf8.count <= 8192 else {
      throw nonsense("a page without the way to the next", call)
    }
    mark.pages += 1
    mark.emptyPages = count == 0 ? mark.emptyPages + 1 : 0
    guard next != mark.token, mark.pages <= ListingBounds.mostPages, mark.emptyPages <= PageBounds.mostEmptyPages
    else { throw PageBounds.repeated("\"\(call.path)\"", about: call.path, place.name) }
    mark.token = next
  }

  /// nil without a size or an ETag that can be.
  private func file(_ node: XMLNode, at path: StorePath) -> FileEntry? {
    guard let size = (node["Size"]?.text).flatMap({ UInt64($0) }), size <= UInt64(Int64.max),
      let etag = (node["ETag"]?.text).flatMap(S3Client.revision)
    else { return nil }
    return FileEntry(
      path: path, kind: .file, size: size, modified: (node["LastModified"]?.text).flatMap(S3Store.timestamp),
      revision: Revision(etag: etag, of: path))
  }

  /// An empty object may be a reserved name, where the server makes that necessary.
  /// - Parameter known: files that are no reserved names.
  func withoutReservations(
    _ entries: [FileEntry], known: [StorePath: FileEntry] = [:]
  ) async throws(StoreError) -> [FileEntry] {
    guard let features = server.known.map({ S3Features($0) }), features.needsReservations else { return entries }
    var kept: [FileEntry] = []
    for entry in entries {
      if entry.kind == .file, entry.size == 0, known[entry.path]?.revision != entry.revision,
        try await steadily({ () throws(StoreError) in try await head(entry.path) })?.isReserved == true
      {
        continue
      }
      kept.append(entry)
    }
    return kept
  }

  /// All keys below a folder, its own last: for folders that are moved or deleted, and for the watch, where it is the
  /// beginning of a work (`SteadySteps`).
  func allFiles(
    below folder: StorePath, own: Bool = false, isBeginning: Bool = false
  ) async throws(StoreError) -> [FileEntry] {
    var mark = S3ListPlace()
    var all: [FileEntry] = []
    var bounds = ListingBounds(folder, tuning.clock)
    repeat {
      try checkCancelled("The listing", folder)
      let before = mark
      let isFirst = isBeginning && before.token == nil
      let (page, next) = try await steadily(isBeginning: isFirst) { () throws(StoreError) in
        var next = before
        let page = try await keys(below: folder, recursive: true, own: own, &next)
        return (page, next)
      }
      all += page.entries
      mark = next
      let cursor = mark.token.map { ListCursor($0) }
      try bounds.add(ListPage(entries: page.entries, isWhole: true, next: cursor, unreadable: page.unreadable))
    } while mark.token != nil
    return all
  }

  func nonsense(_ what: String, _ call: S3Call) -> StoreError { S3Fault(place: place, call: call).nonsense(what) }

  /// `2009-10-12T17:50:30.000Z`, in whole seconds as `Last-Modified` has it.
  static func timestamp(_ text: String) -> Timestamp? {
    HTTPDate.seconds(ofUTC: text).map { Timestamp(seconds: $0) }
  }
}

/// The place in a listing: the server's token, and the last path, because a folder is listed with its first key only.
/// Keys come in the order of their bytes, so all keys of a folder follow each other.
/// It counts as `PageBounds` does, in the cursor itself, so any process goes on with a listing.
struct S3ListPlace: Hashable {
  var token: String?
  var last = StorePath.root
  var pages = 0
  var emptyPages = 0

  /// The folders between `folder` and a path that the keys so far did not show.
  mutating func folders(above path: StorePath, below folder: StorePath) -> [FileEntry] {
    var missing: [StorePath] = []
    var parent = path.parent
    while parent != folder, !parent.isRoot, last != parent, last.relative(to: parent) == nil {
      missing.append(parent)
      parent = parent.parent
    }
    last = path
    return missing.reversed().map { FileEntry(path: $0, kind: .folder) }
  }

  /// A folder of a key of its own, or of a common prefix. It comes before the keys below it.
  mutating func folder(_ path: StorePath) -> [FileEntry] {
    last = path
    return [FileEntry(path: path, kind: .folder)]
  }
}

struct S3ListCursor {
  let options: ListOptions
  let changes: String
  var place = S3ListPlace()

  init(options: ListOptions, changes: String) { (self.options, self.changes) = (options, changes) }

  init?(_ cursor: ListCursor) {
    let parts = cursor.value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, let pages = Int(parts[2]), let empty = Int(parts[3]), !parts[5].isEmpty,
      let last = Base64.bytes(of: parts[4], .url).flatMap({ try? StorePath($0) })
    else { return nil }
    options = ListOptions(parts[0].contains("f") ? .full : .names, recursive: parts[0].contains("r"))
    changes = parts[1]
    place = S3ListPlace(token: parts[5], last: last, pages: pages, emptyPages: empty)
  }

  var value: ListCursor {
    let flags = (options.detail == .full ? "f" : "n") + (options.recursive ? "r" : "")
    let last = Base64.text(of: place.last.bytes, .url)
    return ListCursor(
      [flags, changes, String(place.pages), String(place.emptyPages), last, place.token ?? ""].joined(separator: "\n"))
  }
}
