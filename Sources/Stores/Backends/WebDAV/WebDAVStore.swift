internal import Basics
public import FileStores
internal import Synchronization

/// A club in a folder of a WebDAV server (RFC 4918).
///
/// - A revision is the ETag; without one, time, size and path. Only the server can make two writes within one second
///   differ: where it does not (`StoreLimits.revisionsDiffer`), byteclub waits for the next second before it writes over
///   a file of this one.
/// - The findings of the self-test choose the way of each write (`WebDAVWay`): a conditional PUT; a lock around look
///   and write; or none, and the club is read-only unless the member allows unsafe writes.
/// - A new file is sent under a name of byteclub's own beside the target and moved there with `Overwrite: F`, unless the
///   server compares and writes in one step. So readers never see half of it.
/// - A Nextcloud takes large files in chunks (`NextcloudUploads`).
/// - A server that writes a part of a file takes uploads in pieces (`WebDAVUploads`).
/// - Lists have no pages: a folder is one answer, which is read as a stream.
/// - Changes are found by asking again, with a pause that grows (`PolledFeed`).
/// - The trash is the folder `.byteclub-trash` in the club's folder.
public final class WebDAVStore: FileStore {
  let client: WebDAVClient
  let address: WebDAVAddress
  let server: KnownServer
  let writing: WriteGuard
  let pool: BlockingPool
  let tuning: WebDAVTuning
  let watch = PolledWatch()
  /// The ETags of the folders, from the answers that listed them.
  let folderTags = Mutex<[StorePath: WebDAVTag]>([:])
  /// The sizes of unfinished uploads, as far as this process knows them.
  let sent = UploadOffsets()
  /// Marks of this process that it could not take away.
  let leftLeases = Mutex<Set<StorePath>>([])
  /// nil before the first write.
  let sweep = Mutex<Task<Void, Never>?>(nil)

  /// Sends nothing yet.
  init(_ client: WebDAVClient, server: KnownServer, writing: WriteGuard, pool: BlockingPool) {
    (self.client, self.server, self.writing, self.pool) = (client, server, writing, pool)
    (address, tuning) = (client.address, client.tuning)
  }

  public var limits: StoreLimits {
    let known = server.known
    return StoreLimits(
      nameBytes: 255, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: true,
      conditions: known.map { WebDAVWay($0).conditions } ?? .kept,
      revisionsDiffer: known.map { $0["revisions"] == "differ" } ?? false,
      keepsTimes: NextcloudFacts(address) != nil)
  }

  public var capabilities: Capabilities {
    Capabilities(
      uploads: (NextcloudUploads(self) as (any ResumableUploads)?) ?? WebDAVUploads(self),
      trash: WebDAVTrash(store: self),
      changes: changes)
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    if path.isReserved { throw missing(path) }
    guard let found = try await look(at: path, isBeginning: true) else { throw missing(path) }
    return found.entry
  }

  /// nil if nothing is there, or below a file.
  /// - Parameter isBeginning: true for the first request of a work, which is not repeated (`SteadySteps`).
  func look(at path: StorePath, isBeginning: Bool = false) async throws(StoreError) -> WebDAVResource? {
    if WebDAVStore.fault(in: path) != nil { return nil }
    return try await client.steps(isBeginning: isBeginning) { () throws(StoreError) in
      try await client.look(at: path)
    }
  }

  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    if cursor != nil {
      throw StoreError(.badInput, "This list has no further pages.", remedy: "List the folder anew.", path: folder)
    }
    if folder.isReserved { throw missing(folder) }
    let since = watch.cursorIfBegun
    let top = try await content(of: folder, isBeginning: true)
    var (entries, unreadable) = (top.entries, top.unreadable)
    guard options.recursive else {
      return ListPage(
        entries: entries, isWhole: true, changes: since ?? watch.begin(with: entries), unreadable: unreadable)
    }
    let walk = WebDAVWalk(folder, tuning.clock)
    var level = entries
    while !level.isEmpty {
      let folders = level.filter { $0.kind == .folder && !options.skips($0.path) }.map(\.path)
      level = []
      let contents = try await contents(of: folders, walk)
      for more in folders.lazy.compactMap({ contents[$0] }) {
        level += more.entries
        unreadable += more.unreadable
      }
      entries += level
    }
    return ListPage(
      entries: entries, isWhole: true, changes: since ?? watch.begin(with: entries), unreadable: unreadable)
  }

  /// The contents of folders, a few at a time, without the folders that go meanwhile.
  func contents(
    of folders: [StorePath], _ walk: WebDAVWalk
  ) async throws(StoreError) -> [StorePath: WebDAVContent] {
    let results = await folders.results(atOnce: WebDAVWalk.atOnce) { (folder) throws(StoreError) in
      try await walk.step { () throws(StoreError) in try await self.content(of: folder) }
    }
    var contents: [StorePath: WebDAVContent] = [:]
    for (folder, result) in zip(folders, results) { contents[folder] = try result.get() }
    return contents
  }

  /// The entries of a folder, also of byteclub's own, without byteclub's own names in it.
  func content(of folder: StorePath, isBeginning: Bool = false) async throws(StoreError) -> WebDAVContent {
    try checkCancelled("The listing", folder)
    if WebDAVStore.fault(in: folder) != nil { throw missing(folder) }
    let (content, isThere) = try await client.steps(isBeginning: isBeginning) { () throws(StoreError) in
      try await askForContent(of: folder)
    }
    var isFile = content.isFile
    if !isThere, !folder.isRoot { isFile = try await look(at: folder)?.entry.kind == .file }
    if isFile { throw .notFolder(folder) }
    guard isThere else { throw missing(folder) }
    return content
  }

  private func askForContent(
    of folder: StorePath
  ) async throws(StoreError) -> (content: WebDAVContent, isThere: Bool) {
    var content = WebDAVContent()
    let depth = folder.isRoot ? 0 : folder.components.count
    let answer = try await client.propfind(folder, isFolder: true, isDeep: true) { (resource) throws(StoreError) in
      guard let entry = resource?.entry else {
        content.unreadable += 1
        return
      }
      if entry.kind == .folder { content.tags[entry.path] = resource?.tag }
      if entry.path == folder {
        content.isFile = entry.kind != .folder
      } else if entry.path.relative(to: folder) != nil, entry.path.components.count == depth + 1 {
        if folder.isReserved || !entry.path.isReserved { content.entries.append(entry) }
      } else {
        content.unreadable += 1
      }
    }
    return (content, answer != nil)
  }

  func missing(_ path: StorePath) -> StoreError {
    guard path.isRoot else { return .missing(path) }
    return StoreError(
      .notFound, "The club's folder \(address.url(.root, isFolder: true)) does not exist.",
      remedy: "Make it with: \(client.commands.makeFolder) (or correct \"url\" in the config).", path: path)
  }

  /// The findings about the server, after a check that the club may be written at all.
  /// - Throws: `notPermitted` for a read-only club.
  func findings(changing path: StorePath) async throws(StoreError) -> ServerFindings {
    let findings = try await server.findings()
    let reason = "\(client.name) \(WebDAVWay.danger(findings))"
    try writing.check(WebDAVWay(findings).conditions, because: reason, path)
    return findings
  }

  /// The value of `If-Match` for a revision; nil if it has no ETag.
  func condition(_ revision: Revision) -> String? {
    WebDAVTag.quoted(revision, isWeak: server.known?["match"] == "weak")
  }

  /// The findings, after a check that the server can hold a file of this name, too.
  /// - Throws: `notPermitted`; `badName`.
  func findings(writing path: StorePath) async throws(StoreError) -> ServerFindings {
    let findings = try await self.findings(changing: path)
    try findings.checkHeld(path, by: client.name)
    return findings
  }

  /// - Throws: `badName`; `badInput` for the root.
  func checkWritable(_ path: StorePath) throws(StoreError) {
    try path.checkWritable()
    guard let reason = WebDAVStore.fault(in: path) else { return }
    throw StoreError(
      .badName, "A WebDAV server cannot hold the name \"\(path)\": it \(reason).", remedy: "Choose another name.",
      path: path)
  }

  /// The reason why servers cannot be trusted with a name, as the end of a sentence.
  private static func fault(in path: StorePath) -> String? {
    if String(validating: path.bytes, as: UTF8.self) == nil { return "is not UTF-8" }
    // Most servers keep files on a Linux disk.
    if path.bytes.count > 3500 || path.components.contains(where: { $0.count > 255 }) { return "is too long" }
    return path.bytes.contains { $0 < 0x20 || $0 == 0x7F } ? "contains a control character" : nil
  }
}

/// The listing of a folder with all that is below it.
final class WebDAVWalk: Sendable {
  /// Few enough for a small server.
  static let atOnce = 8

  private let bounds: Mutex<ListingBounds>
  private let failure = Mutex<StoreError?>(nil)

  init(_ folder: StorePath, _ clock: any Clock<Duration>) { bounds = Mutex(ListingBounds(folder, clock)) }

  /// Asks for one folder; after a failure, for no other.
  /// - Returns: nil for a folder that is gone: it may go while the others are listed.
  func step(
    _ ask: () async throws(StoreError) -> WebDAVContent
  ) async throws(StoreError) -> WebDAVContent? {
    do throws(StoreError) {
      if let failure = failure.withLock({ $0 }) { throw failure }
      try bounds.withLock { (bounds) throws(StoreError) in try bounds.checkTime() }
      let content = try await ask()
      try bounds.withLock { (bounds) throws(StoreError) in try bounds.add(content.entries.count) }
      return content
    } catch {
      if error.kind == .notFound || error.kind == .badInput { return nil }
      failure.withLock { $0 = $0 ?? error }
      throw error
    }
  }
}

/// The answer about one folder.
struct WebDAVContent: Sendable {
  var entries: [FileEntry] = []
  /// True if the name is a file's.
  var isFile = false
  /// The number of entries that byteclub cannot name.
  var unreadable = 0
  /// The ETags of the folder and of those in it, as far as the server has any.
  var tags: [StorePath: WebDAVTag] = [:]
}
