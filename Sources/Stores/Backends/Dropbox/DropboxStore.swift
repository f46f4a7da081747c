package import Basics
internal import JSON
public import FileStores
internal import Synchronization

/// A club in a folder of a Dropbox, or of a server that speaks the Dropbox API (version 2).
///
/// - A revision is the API's `rev`. Names keep their case, but case does not distinguish them.
/// - The server checks a put's condition (`add` and `update` with `strict_conflict`) and the content hash of its bytes.
///   This store checks the hash when reading.
/// - A file larger than 8 MiB is sent while it is read: up to 150 MiB in one request, and in pieces if that breaks or
///   the file is larger. It becomes visible with its last byte.
/// - The trash is the folder `.club-trash` in the club's folder, hidden from listings; a discard moves the file there,
///   below a folder named by the time. Dropbox itself can restore finally deleted files for some weeks.
/// - `modified` is the writer's time, unless it is in the server's future.
/// - One longpoll waits for changes. Nothing else is requested while idle.
public final class DropboxStore: FileStore, DropboxAccount {
  let client: DropboxClient
  let folder: DropboxFolder
  let tuning: DropboxTuning
  let pool: BlockingPool
  let names: DropboxNames
  let authors = DropboxAuthors()
  let seen = DropboxRevisions()
  let listings = DropboxListings()
  let watch: DropboxWatch
  let abandoned = AbandonedUploads()
  let presenceIsAbsent = Atomic(false)
  let presenceWasThere = Atomic(false)

  /// Opens a club in `folder`; empty for everything. Sends nothing yet.
  /// - Throws: `badInput` if `folder` is not a path.
  package init(
    server: DropboxServer, folder: String, transport: any HTTPTransport, tokens: any AccessTokens, pool: BlockingPool,
    tuning: DropboxTuning = DropboxTuning()
  ) throws(StoreError) {
    self.folder = try DropboxFolder(folder, hidesTrash: tuning.hidesTrash)
    client = DropboxClient(server: server, transport: transport, tokens: tokens, tuning: tuning)
    watch = DropboxWatch(tuning.clock)
    self.tuning = tuning
    self.pool = pool
    names = DropboxNames(self.folder)
  }

  public var limits: StoreLimits {
    StoreLimits(
      nameBytes: 255, fileBytes: 2_199_019_061_248, caseSensitive: false, unicodeNamesOnly: true, keepsTimes: true)
  }

  /// Upload sessions last a week, a batch is one commit, and the server may search contents, too.
  public var capabilities: Capabilities {
    Capabilities(
      uploads: DropboxUploads(store: self), trash: DropboxTrash(store: self), changes: DropboxFeed(store: self),
      revisions: DropboxHistory(store: self), search: DropboxSearch(store: self),
      thumbnails: DropboxThumbnails(store: self), batches: DropboxBatches(store: self),
      folders: DropboxFolderReading(store: self), links: DropboxLinks(store: self), presence: presence)
  }

  /// nil for Dropbox itself, and for a server that has said that it has none.
  private var presence: DropboxPresence? {
    guard client.server.api != DropboxServer.official.api, !presenceIsAbsent.load(ordering: .relaxed) else {
      return nil
    }
    return DropboxPresence(store: self)
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await look(at: path).entry
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if !path.isRoot { try folder.checkWritable(path) }
    let place = folder.ownPath(path)
    if place.isEmpty { return }
    let call = DropboxCall(.createFolder, .members(["path": .string(place), "autorename": false]), about: path)
    guard case .refusal(let refusal) = try await client.answer(call) else { return }
    if refusal.isConflict, refusal.tags.last == "folder" { return }
    var error = refusal.error(path, client.server)
    if error.kind == .exists, let there = try await entryIfAny(path) {
      if there.kind == .folder { return }
      error = .exists(there, at: path)
    }
    throw error
  }

  func look(at path: StorePath) async throws(StoreError) -> (entry: FileEntry, id: String?) {
    try checkCancelled("The look-up", path)
    guard let place = folder.apiPath(path) else { throw missing(path) }
    // The API has no metadata for its root.
    if place.isEmpty { return (FileEntry(path: .root, kind: .folder), nil) }
    let call = DropboxCall(.metadata, .members(["path": .string(place)]), about: path)
    let json = try await client.result(call) { refusal in
      // A path below a file does not exist, either.
      [.notFound, .badInput, .badName].contains(refusal.error(path, client.server).kind) ? missing(path) : nil
    }
    guard let metadata = DropboxMetadata(json) else { throw client.nonsense("no metadata", call) }
    await authors.learn([metadata], client)
    guard metadata.kind != .deleted, let entry = try entry(metadata, asked: path) else { throw missing(path) }
    return (entry, metadata.id)
  }

  func entry(_ metadata: DropboxMetadata, asked path: StorePath) throws(StoreError) -> FileEntry? {
    _ = names.path(of: metadata)
    let own = path.isRoot ? path : try path.parent.appending(metadata.name)
    let entry = metadata.entry(at: own, authors)
    if let entry { seen.note(entry) }
    return entry
  }

  func file(_ json: JSONValue?, _ call: DropboxCall, at path: StorePath) throws(StoreError) -> FileEntry {
    guard let json, let metadata = DropboxMetadata(json, kind: .file),
      let entry = try entry(metadata, asked: path)
    else { throw client.nonsense("no metadata", call) }
    return entry
  }
}

extension DropboxStore {
  func removeOwn(_ path: StorePath) async throws(StoreError) {
    let call = DropboxCall(.delete, .members(["path": .string(self.folder.ownPath(path))]), about: .root)
    if case .refusal(let refusal) = try await client.answer(call), !refusal.has("not_found") {
      throw refusal.error(.root, client.server)
    }
  }

  func ownFiles(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    var call = DropboxCall(
      .listFolder, .members(["path": .string(self.folder.ownPath(folder)), "recursive": true]), about: .root)
    var found: [(path: StorePath, size: UInt64)] = []
    var bounds = PageBounds("the trash", about: .root, client.server.name)
    while true {
      let json: JSONValue
      switch try await client.answer(call) {
      case .result(let result): json = result
      case .refusal(let refusal):
        if refusal.has("not_found") || refusal.has("not_folder") { return [] }
        throw refusal.error(.root, client.server)
      }
      guard let values = json["entries"]?.elements, let cursor = json["cursor"]?.text else {
        throw client.nonsense("no page of a listing", call)
      }
      for value in values {
        guard let metadata = DropboxMetadata(value), metadata.kind != .deleted,
          let path = names.path(of: metadata), metadata.kind != .folder
        else { continue }
        found.append((path, metadata.size ?? 0))
      }
      guard json["has_more"]?.boolean == true else { return found }
      try bounds.add(values.count, next: cursor)
      call = DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
    }
  }
}
