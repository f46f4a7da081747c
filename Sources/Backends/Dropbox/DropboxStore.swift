internal import JSON
internal import Synchronization
public import FileStores

/// A club in a folder of a Dropbox, or of a server that speaks the Dropbox API (version 2).
///
/// - A revision is the API's `rev`. Names keep their case, and are one where they differ in nothing else.
/// - A put's condition is the server's to keep (`add` and `update` with `strict_conflict`); its bytes are checked there
///   against their content hash, and a reading's bytes here.
/// - A file larger than 8 MiB is sent as it is read: up to 150 MiB in one request, and in pieces when that breaks or the
///   file is larger. It becomes visible with its last byte.
/// - The trash is the folder `.club-trash` in the club's folder, which no listing shows: what is discarded is moved
///   there, below a folder that is named for the moment. What is deleted for good can, at Dropbox itself, still be
///   brought back from there for some weeks.
/// - `modified` is the time that the file's writer gave, where it is not in the server's future.
/// - Changes are waited for by one hanging call; nothing is asked for while nothing happens.
public final class DropboxStore: FileStore {
  let client: DropboxClient
  let folder: DropboxFolder
  let tuning: DropboxTuning
  let pool: BlockingPool
  let names: DropboxNames
  let seen = DropboxRevisions()
  let listings = DropboxListings()
  let watch = DropboxWatch()
  let abandoned = Mutex<Set<UploadSession>>([])

  /// A club in `folder` (empty for all that the server shows). Nothing is sent yet.
  /// - Throws: `badInput` when `folder` is no path.
  public convenience init(
    server: DropboxServer, folder: String, transport: any HTTPTransport, tokens: any AccessTokens, pool: BlockingPool
  ) throws(StoreError) {
    try self.init(
      server: server, folder: folder, transport: transport, tokens: tokens, pool: pool, tuning: DropboxTuning())
  }

  package init(
    server: DropboxServer, folder: String, transport: any HTTPTransport, tokens: any AccessTokens, pool: BlockingPool,
    tuning: DropboxTuning
  ) throws(StoreError) {
    self.folder = try DropboxFolder(folder)
    let now = tuning.now
    client = DropboxClient(
      server: server, transport: transport, tokens: tokens, now: { now() / 1_000_000_000 })
    self.tuning = tuning
    self.pool = pool
    names = DropboxNames(self.folder)
  }

  /// 255 bytes a name; names are UTF-8, and case tells no two apart.
  public var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: 2_199_019_061_248, caseSensitive: false, unicodeNamesOnly: true)
  }

  /// Uploads that can go on after a break, for a week.
  public var resumableUploads: (any ResumableUploads)? { DropboxUploads(store: self) }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { DropboxTrash(store: self) }
  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? { DropboxChanges(store: self) }
  /// Versions of files that the server has kept.
  public var revisions: (any RevisionHistory)? { DropboxHistory(store: self) }
  /// Finding files by words, also in files where the server looks into them.
  public var search: (any StoreSearch)? { DropboxSearch(store: self) }
  /// Small copies of pictures, made by the server.
  public var thumbnails: (any StoreThumbnails)? { DropboxThumbnails(store: self) }
  /// Writing up to 1,000 small files with one commit.
  public var batchUploads: (any BatchUploads)? { DropboxBatches(store: self) }
  /// Reading the many files of a folder at once.
  public var folderReading: (any FolderReading)? { DropboxFolderReading(store: self) }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await look(at: path).entry
  }

  /// Makes a folder and its parents; see `FileStore`. With the root, makes the club's folder.
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
      error = self.exists(there, at: path)
    }
    throw error
  }

  /// What is at a path, with the API's own word for it.
  func look(at path: StorePath) async throws(StoreError) -> (entry: FileEntry, id: String?) {
    try checkCancelled("The look-up", path)
    guard let place = folder.apiPath(path) else { throw missing(path) }
    // The API has no word for the root of all.
    if place.isEmpty { return (FileEntry(path: .root, kind: .folder), nil) }
    let call = DropboxCall(.metadata, .members(["path": .string(place)]), about: path)
    switch try await client.answer(call) {
    case .refusal(let refusal):
      // Below a file there is nothing, either.
      let error = refusal.error(path, client.server)
      throw error.kind == .notFound || error.kind == .badInput || error.kind == .badName ? missing(path) : error
    case .result(let json):
      guard let metadata = DropboxMetadata(json) else { throw client.fault.nonsense("no metadata", call) }
      guard metadata.kind != .deleted, let entry = try entry(metadata, asked: path) else { throw missing(path) }
      return (entry, metadata.id)
    }
  }

  /// What is at a path, nil when nothing is.
  func entryIfAny(_ path: StorePath) async throws(StoreError) -> FileEntry? {
    do throws(StoreError) {
      return try await entry(at: path)
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
  }

  /// An entry below the folder that was asked for, under the name that it has there.
  func entry(_ metadata: DropboxMetadata, asked path: StorePath) throws(StoreError) -> FileEntry? {
    _ = names.path(of: metadata)
    let own = path.isRoot ? path : try path.parent.appending(metadata.name)
    let entry = metadata.entry(at: own)
    if let entry { seen.note(entry) }
    return entry
  }

  /// The metadata of a file in an answer.
  func file(_ json: JSONValue?, _ call: DropboxCall, at path: StorePath) throws(StoreError) -> FileEntry {
    guard let json, let metadata = DropboxMetadata(json, kind: .file),
      let entry = try entry(metadata, asked: path)
    else { throw client.fault.nonsense("no metadata", call) }
    return entry
  }

  func checkCancelled(_ what: String, _ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("\(what) of \"\(path)\"", path: path) }
  }

  /// The error for what is not there; for the club's folder itself, with what makes it.
  func missing(_ path: StorePath) -> StoreError {
    guard path.isRoot else { return StoreError(.notFound, "\"\(path)\" does not exist.", path: path) }
    return StoreError(
      .notFound, "The club's folder \(folder.path) at \(client.server.name) does not exist.",
      remedy: "Make it with: \(client.server.commands.makeFolder) (or correct \"folder\" in the config).", path: path)
  }

  func exists(_ there: FileEntry, at path: StorePath) -> StoreError {
    StoreError(
      .exists, "\"\(there.path)\" already exists.", remedy: "Choose another name.", path: path, current: there)
  }

  func conflict(_ path: StorePath, _ there: FileEntry?) -> StoreError {
    StoreError(
      .conflict, "\"\(path)\" has changed in the meantime.", remedy: "Nothing was overwritten.", path: path,
      current: there)
  }
}
