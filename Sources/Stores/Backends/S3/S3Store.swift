internal import Basics
internal import POSIX
internal import Synchronization
internal import XML
public import FileStores

/// A club in a bucket of an S3 server, in plain objects: the key of a file is the prefix and its path.
///
/// - A revision is the ETag and a mark of the path. Equal revisions of a file have equal content.
/// - A folder is the beginning of keys, or an empty object whose key ends with a slash. A file and a folder may have one
///   name; this store looks before it writes.
/// - Conditions of writes are the server's (`If-Match`, `If-None-Match`), where its self-test shows that it keeps them.
///   Elsewhere a copy goes to the trash before anything is deleted, and without any condition nothing is written.
/// - A move is a copy and a deletion: after a break both names exist, never neither.
/// - The trash is the keys below `.byteclub-trash/`; in a bucket with versioning, the markers of deletions.
/// - Changes are found by listing the club now and then.
public final class S3Store: FileStore {
  let client: S3Client
  let tuning: S3Tuning
  let pool: BlockingPool
  let server: KnownServer
  let guarding: WriteGuard
  /// The offsets of unfinished uploads that this process knows.
  let sent = UploadOffsets()
  let watch = PolledWatch()
  let parts = PartCount()

  init(
    client: S3Client, server: KnownServer, guarding: WriteGuard, pool: BlockingPool, tuning: S3Tuning
  ) {
    (self.client, self.server, self.guarding, self.pool, self.tuning) = (client, server, guarding, pool, tuning)
  }

  var place: S3Place { client.place }

  public var limits: StoreLimits {
    let features = server.known.map { S3Features($0) }
    return StoreLimits(
      nameBytes: 255, fileBytes: UInt64(tuning.longestPart) * UInt64(tuning.mostParts), caseSensitive: true,
      unicodeNamesOnly: true, conditions: features?.conditions ?? .kept, foldersExcludeFiles: false,
      comparesBytes: features?.comparesBodies ?? false, keepsTimes: true)
  }

  public var capabilities: Capabilities {
    let isVersioned = server.known.map { S3Features($0).isVersioned } ?? false
    return Capabilities(
      uploads: S3Uploads(store: self), trash: isVersioned ? S3VersionTrash(store: self) : S3Trash(store: self),
      changes: changes,
      revisions: isVersioned ? S3History(store: self) : nil)
  }

  var changes: PolledFeed {
    PolledFeed(
      watch: watch, pool: pool, clock: tuning.clock, pauses: (tuning.pollPause, tuning.longestPause), looksAtOnce: true
    ) { () throws(StoreError) in
      let all = try await self.allFiles(below: .root, isBeginning: true)
      self.watch.take(try await self.withoutReservations(all, known: self.watch.known))
    }
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    if path.isRoot { return FileEntry(path: path, kind: .folder) }
    if path.isReserved { throw .missing(path) }
    if let file = try await file(at: path) { return file }
    if try await isFolder(path) { return FileEntry(path: path, kind: .folder) }
    throw .missing(path)
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    // The bucket must exist; its prefix needs no object.
    if path.isRoot { return try await checkBucket() }
    try checkWritable(path)
    let features = try await features(writing: path)
    try await checkNoFile(above: path)
    if let there = try await file(at: path) { throw .exists(there, at: path) }
    try await makeFolder(path, features)
  }

  /// The file at a path, also one of byteclub's own; nil if there is none. A reserved name is no file yet.
  func file(at path: StorePath) async throws(StoreError) -> FileEntry? {
    guard let head = try await head(path), !head.isReserved else { return nil }
    return head.entry
  }

  struct Head: Sendable {
    let entry: FileEntry
    /// The upload that has reserved the name; nil for a file.
    let reservation: String?
    var isReserved: Bool { reservation != nil }
  }

  func head(_ path: StorePath, version: String? = nil) async throws(StoreError) -> Head? {
    guard let key = place.key(path) else { return nil }
    let call = S3Call(.head, key, about: path, query: version.map { [("versionId", $0)] } ?? [])
    let answer = try await client.answer(call)
    switch answer.status {
    // Without the right to list, a missing key is 403 (AWS, HeadObject).
    case 404: return nil
    case 200...299:
      let entry = try entry(answer.response, call, at: path)
      let mark = entry.size == 0 ? answer.response.headers[S3Store.reservationField] : nil
      return Head(entry: entry, reservation: mark)
    default: throw client.error(answer, call)
    }
  }

  /// True if a version is the empty object of a reserved name.
  func isReserved(_ version: S3Version) async throws(StoreError) -> Bool {
    guard version.entry?.size == 0 else { return false }
    return try await head(version.path, version: version.id)?.isReserved == true
  }

  /// The header field that marks an empty object as a reserved name.
  static let reservationField = "x-amz-meta-byteclub-reserved"

  /// The header field with a file's own time, as rclone and s3fs have it: seconds since 1970, with a fraction.
  private static let timeField = "x-amz-meta-mtime"

  static func fields(ofTime time: Timestamp?) -> [(String, String)] {
    guard let time else { return [] }
    let (seconds, rest) = time.nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = "\(time.nanoseconds < 0 ? "-" : "")\(seconds).\(String(1_000_000_000 + rest).dropFirst())"
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return [(timeField, text)]
  }

  /// nil for anything but such a number of the years from 1677 to 2262.
  static func ownTime(_ text: String) -> Timestamp? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let seconds = Int64(parts[0]), seconds < 9_223_372_036,
      let rest = Int64(((parts.count > 1 ? parts[1] : "") + "000000000").prefix(9))
    else { return nil }
    let nanoseconds = seconds * 1_000_000_000 + rest
    return Timestamp(nanoseconds: isNegative ? -nanoseconds : nanoseconds)
  }

  func entry(
    _ response: HTTPResponse, _ call: S3Call, at path: StorePath, size: UInt64? = nil
  ) throws(StoreError) -> FileEntry {
    guard let size = size ?? response.contentLength,
      let etag = response.headers["ETag"].flatMap(S3Client.revision)
    else { throw S3Fault(place: place, call: call).nonsense("no size or ETag of \"\(path)\"") }
    let modified = (response.headers["Last-Modified"] ?? response.headers["Date"]).flatMap { HTTPDate.seconds(of: $0) }
    var entry = FileEntry(
      path: path, kind: .file, size: size, modified: modified.map { Timestamp(seconds: $0) },
      revision: Revision(etag: etag, of: path))
    entry.ownTime = response.headers[S3Store.timeField].flatMap(S3Store.ownTime)
    return entry
  }

  /// True if any key lies below a path.
  func isFolder(_ path: StorePath) async throws(StoreError) -> Bool {
    guard let key = place.key(path, isFolder: true) else { return false }
    let call = S3Call(
      .get, nil, about: path,
      query: [("list-type", "2"), ("encoding-type", "url"), ("max-keys", "1"), ("prefix", key)])
    let root = try await client.root(call)
    let found = root.all("Contents")
    guard found.contains(where: { S3Store.key($0["Key"], in: root)?.utf8.starts(with: key.utf8) == true }) else {
      // One that ignores the prefix would show every name as taken.
      if !found.isEmpty { throw nonsense("the list of another folder", call) }
      return false
    }
    return true
  }

  private func checkBucket() async throws(StoreError) {
    let call = S3Call(.get, nil, about: .root, query: [("list-type", "2"), ("max-keys", "1")])
    try await client.success(call)
  }

  /// The server's features, after a check that the club may be written at all.
  func features(changing path: StorePath) async throws(StoreError) -> S3Features {
    let features = S3Features(try await server.findings())
    let reason = "\(place.name) would let a save destroy what another member saves at the same moment"
    try guarding.check(features.conditions, because: reason, path)
    return features
  }

  /// The features, after a check that the server can hold a file of this name, too.
  /// - Throws: `notPermitted`; `badName`.
  func features(writing path: StorePath) async throws(StoreError) -> S3Features {
    let features = try await self.features(changing: path)
    try await server.findings().checkHeld(path, by: place.name)
    return features
  }

  /// - Throws: `exists` if a parent is a file.
  func checkNoFile(above path: StorePath) async throws(StoreError) {
    var (parent, isBeginning) = (path.parent, true)
    while !parent.isRoot {
      let there = try await steadily(isBeginning: isBeginning) { () throws(StoreError) in
        try await file(at: parent)
      }
      if let there { throw .exists(there, at: path) }
      (parent, isBeginning) = (parent.parent, false)
    }
  }

  /// Makes the empty object of a folder, so that the folder stays when its last file goes.
  func makeFolder(_ path: StorePath, _ features: S3Features) async throws(StoreError) {
    guard let key = place.key(path, isFolder: true) else { throw tooLong(path) }
    let condition = features.create == .kept ? [("If-None-Match", "*")] : []
    let call = S3Call(.put, key, about: path, headers: condition)
    try await client.success(call, or: 412, 409)
  }

  func checkWritable(_ path: StorePath) throws(StoreError) {
    try path.checkWritable()
    guard String(validating: path.bytes, as: UTF8.self) != nil else {
      throw StoreError(
        .badName, "\(place.name) takes names in UTF-8 only: \"\(path)\".", remedy: "Choose another name.", path: path)
    }
    guard !S3Place.hasControls(path) else {
      throw StoreError(
        .badName, "The name \"\(path)\" has a control character, which S3 cannot list.",
        remedy: "Choose another name.", path: path)
    }
    // A trailing slash must fit, too, when the name becomes a folder's.
    if place.key(path, isFolder: true) == nil { throw tooLong(path) }
  }

  func tooLong(_ path: StorePath) -> StoreError {
    StoreError(
      .badName, "The path \"\(path)\" is longer than the \(S3Place.mostKeyBytes) bytes that S3 takes.",
      remedy: "Choose shorter names.", path: path)
  }
}

extension Revision {
  /// The ETag says the content alone, so two files may share one; the mark of the path keeps them apart.
  init(etag: String, of path: StorePath) {
    self.init(etag + "@" + Revision.mark(path))
  }

  /// The ETag of a revision of the file at this path; nil for any other.
  func etag(at path: StorePath) -> String? {
    let parts = value.split(separator: "@", omittingEmptySubsequences: false)
    guard let mark = parts.last, parts.count > 1, mark == Revision.mark(path) else { return nil }
    return String(value.dropLast(mark.utf8.count + 1))
  }

  private static func mark(_ path: StorePath) -> String {
    var hash = FNV1a()
    hash.add(path.bytes)
    return String(hash.value, radix: 36)
  }
}

extension FileEntry {
  var etag: String? { revision?.etag(at: path) }
}

/// Settings for tests; the program uses the defaults.
package struct S3Tuning: Sendable {
  /// 5 GiB, the most of one request, and 10,000 parts: 48.8 TiB (AWS, "Amazon S3 multipart upload limits").
  package var longestPart = 5 << 30
  package var mostParts = 10_000
  /// The largest body in memory. A larger one is read twice, because its hash comes first.
  package var heldBytes = 16 << 20
  /// The size of each part of an upload but the last, for files of up to 78 GiB.
  package var partBytes = 8 << 20
  package var pageEntries: Int?
  /// The first and the longest pause between listings that look for changes.
  package var pollPause = Duration.seconds(5)
  package var longestPause = Duration.seconds(60)
  package var clock: any Clock<Duration> = TimerClock()
  /// Nanoseconds since 1970.
  package var now: @Sendable () -> Int64 = { Timestamp.now().nanoseconds }
  package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// A variable of the environment.
  package var variable: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }

  package init() {}

  /// The size of the parts of a file: doubled until the parts suffice. nil for a file that is too large.
  func partBytes(for size: UInt64) -> Int? {
    S3Uploads.chunkBytes(for: size, from: partBytes, most: mostParts, longest: longestPart)
  }
}
