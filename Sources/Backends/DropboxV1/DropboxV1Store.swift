internal import Synchronization
public import FileStores

/// A club in a folder of a server that speaks the Dropbox Core API, version 1: the API of the first byteclub, which
/// Dropbox itself switched off in 2017, and which small servers still speak.
///
/// - A revision is the API's `rev`. Names keep their case, and are one where they differ in nothing else.
/// - A put's condition is looked at before, and kept by the server (`parent_rev`, `overwrite=false`, `autorename=false`).
///   A server that does not know `autorename` keeps what is refused as a renamed copy: that copy is taken away again,
///   and the put throws; where it cannot be taken away, the error says under which name it is.
/// - The API knows no checksum: what is written is compared by its length alone.
/// - Two members who write the same bytes over one revision are both told that it is done: in this version identical
///   content is no conflict, whatever `parent_rev` says (the conflict rules of `files_put` and `commit_chunked_upload`),
///   and nothing like version 2's `strict_conflict` changes that.
/// - A move or deletion of one revision is checked against the file's history afterwards, and undone when another
///   member was faster; where the server keeps no history, against the file's size.
/// - A file larger than 8 MiB is sent in pieces and becomes visible with the last; to a server that takes no pieces, it
///   is sent in one call, by `files_put` or as a form.
/// - A folder that was listed before is asked for by its hash, so that nothing is sent while nothing has changed.
/// - The trash is the folder `.club-trash` in the club's folder, which no listing shows.
/// - Changes are waited for by one hanging call. Where the server cannot tell changes, `changes` is nil once that is
///   known.
public final class DropboxV1Store: FileStore {
  let client: DropboxV1Client
  let folder: DropboxFolder
  let tuning: DropboxTuning
  let pool: BlockingPool
  let memory = DropboxV1Memory()
  let watch = DropboxWatch()
  let abandoned = Mutex<Set<UploadSession>>([])

  /// A club in `folder` (empty for all that the server shows). Nothing is sent yet.
  /// - Parameter root: what the server is asked for: `auto`, `dropbox`, or `sandbox` for the app's own folder.
  /// - Throws: `badInput` when `folder` or `root` is none.
  public convenience init(
    server: DropboxServer, root: String = "auto", folder: String, transport: any HTTPTransport,
    signIn: DropboxV1SignIn, pool: BlockingPool
  ) throws(StoreError) {
    try self.init(
      server: server, root: root, folder: folder, transport: transport, signIn: signIn, pool: pool,
      tuning: DropboxTuning())
  }

  package init(
    server: DropboxServer, root: String = "auto", folder: String, transport: any HTTPTransport,
    signIn: DropboxV1SignIn, pool: BlockingPool, tuning: DropboxTuning
  ) throws(StoreError) {
    guard ["auto", "dropbox", "sandbox"].contains(root) else {
      throw StoreError(
        .badInput, "\"\(root)\" is not a root of the Dropbox API, version 1.",
        remedy: "Set \"root\" in the config to auto, dropbox or sandbox, or leave it out.")
    }
    self.folder = try DropboxFolder(folder)
    client = DropboxV1Client(server: server, root: root, transport: transport, signIn: signIn, tuning: tuning)
    self.tuning = tuning
    self.pool = pool
  }

  /// 255 bytes a name; names are UTF-8, and case tells no two apart.
  public var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: false, unicodeNamesOnly: true)
  }

  /// Uploads that can go on after a break, for a day or so; nil when the server has been found unable to take pieces.
  public var resumableUploads: (any ResumableUploads)? { memory.hasNoChunks ? nil : DropboxV1Uploads(store: self) }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { DropboxV1Trash(store: self) }
  /// What changed since a cursor; nil when the server has been found unable to tell.
  public var changes: (any ChangeFeed)? { memory.hasNoFeed ? nil : DropboxV1Changes(store: self) }
  /// Versions of files that the server has kept; nil when it has been found to keep none.
  public var revisions: (any RevisionHistory)? { memory.hasNoHistory ? nil : DropboxV1History(store: self) }
  /// Finding files by their names.
  public var search: (any StoreSearch)? { DropboxV1Search(store: self) }
  /// Small copies of pictures, made by the server.
  public var thumbnails: (any StoreThumbnails)? { DropboxV1Thumbnails(store: self) }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    guard let place = folder.apiPath(path) else { throw missing(path) }
    if place.isEmpty { return FileEntry(path: .root, kind: .folder) }
    let call = DropboxV1Call(.metadata, at: place, about: path, ["list": "false"])
    switch try await client.answer(call) {
    case .unchanged: throw client.fault.nonsense("an unexpected status 304", call)
    case .refusal(let refusal):
      let kind = refusal.error.kind
      throw kind == .notFound || kind == .badName || refusal.status == 409 ? missing(path) : refusal.error
    case .result(let json):
      guard let metadata = DropboxV1Metadata(json) else { throw client.fault.nonsense("no metadata", call) }
      guard let entry = try entry(metadata, asked: path) else { throw missing(path) }
      return entry
    }
  }

  /// Makes a folder and its parents; see `FileStore`. With the root, makes the club's folder.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if !path.isRoot { try folder.checkWritable(path) }
    let place = folder.ownPath(path)
    if place.isEmpty { return }
    let call = DropboxV1Call(.createFolder, about: path, ["root": client.root, "path": place])
    guard case .refusal(let refusal) = try await client.answer(call) else { return }
    if let there = try await entryIfAny(path) {
      if there.kind == .folder { return }
      throw exists(there)
    }
    throw try await blocked(path) ?? refusal.error
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

  /// An entry below the folder that was asked for, under the name that it has there; nil for what was deleted.
  func entry(_ metadata: DropboxV1Metadata, asked path: StorePath) throws(StoreError) -> FileEntry? {
    _ = self.path(of: metadata)
    return metadata.entry(at: path.isRoot ? path : try path.parent.appending(metadata.name))
  }

  /// Where something lies, below the club's folder; nil for what does not, for the folder itself, and for names that no
  /// path can hold. The case of the path is remembered.
  func path(of metadata: DropboxV1Metadata) -> StorePath? {
    guard metadata.parts.count > folder.depth,
      let path = try? StorePath(metadata.parts[folder.depth...].joined(separator: "/"))
    else { return nil }
    memory.note(metadata.lower, path)
    return path
  }

  func checkCancelled(_ what: String, _ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("\(what) of \"\(path)\"", path: path) }
  }

  /// The error for a path that cannot be, as a part of it is a file; nil when that is not so.
  func blocked(_ path: StorePath) async throws(StoreError) -> StoreError? {
    var above = path.parent
    while !above.isRoot {
      if let there = try await entryIfAny(above) {
        if there.kind == .folder { return nil }
        return StoreError(
          .exists, "\"\(path)\" cannot exist: \"\(there.path)\" is a file.", remedy: "Choose another folder.",
          path: path)
      }
      above = above.parent
    }
    return nil
  }

  /// The error for what is not there; for the club's folder itself, with what makes it.
  func missing(_ path: StorePath) -> StoreError {
    guard path.isRoot else { return StoreError(.notFound, "\"\(path)\" does not exist.", path: path) }
    return StoreError(
      .notFound, "The club's folder \(folder.path) at \(client.server.name) does not exist.",
      remedy: "Make it with: \(client.server.commands.makeFolder) (or correct \"folder\" in the config).", path: path)
  }

  func exists(_ there: FileEntry, _ note: String = "") -> StoreError {
    StoreError(
      .exists, "\"\(there.path)\" already exists.\(note)", remedy: "Choose another name.", path: there.path,
      current: there)
  }

  func conflict(_ path: StorePath, _ there: FileEntry?, _ note: String = "") -> StoreError {
    StoreError(
      .conflict, "\"\(path)\" has changed in the meantime.\(note)", remedy: "Nothing was overwritten.",
      path: path, current: there)
  }

  /// Does something to its end, whatever becomes of the caller's task.
  func finishing<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await Task(executorPreference: pool.tasks) { () -> Result<Value, StoreError> in
      do throws(StoreError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }.value.get()
  }
}
