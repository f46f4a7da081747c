package import Basics
public import FileStores

/// A club in a folder of a server that speaks the Dropbox Core API, version 1. The first byteclub used this API;
/// Dropbox switched it off in 2017, but small servers still offer it.
///
/// - A revision is the API's `rev`. Names keep their case, but case does not distinguish them.
/// - The store checks a put's condition before, and the server when it stores (`parent_rev`, `overwrite=false`,
///   `autorename=false`). A server that ignores `autorename` stores a rejected write as a renamed copy: the put removes
///   the copy and throws, or names the copy if it cannot be removed.
/// - The API has no checksum: only the length of a write is compared.
/// - Two members who write the same bytes over one revision both succeed: identical content is no conflict, whatever
///   `parent_rev` is (conflict rules of `files_put` and `commit_chunked_upload`).
/// - A move or deletion of one revision is checked against the file's history afterwards, and undone if another member
///   was faster. Without a history, the size decides.
/// - A file larger than 8 MiB is sent in pieces and becomes visible with the last one. A server without pieces gets it
///   in one call, by `files_put` or as a form.
/// - A folder that was listed before is requested with its hash, so an unchanged folder is not sent again.
/// - The trash is the folder `.club-trash` in the club's folder, hidden from listings.
/// - One longpoll waits for changes. If the server has no change feed, `changes` becomes nil once that is known.
public final class DropboxV1Store: FileStore, DropboxAccount {
  let client: DropboxV1Client
  let folder: DropboxFolder
  let tuning: DropboxTuning
  let pool: BlockingPool
  let memory = DropboxV1Memory()
  let watch: DropboxWatch
  let abandoned = AbandonedUploads()

  /// Opens a club in `folder`, or everything if empty. Sends nothing yet.
  /// - Parameter root: the API's root: `auto`, `dropbox`, or `sandbox` for the app's own folder.
  /// - Throws: `badInput` if `folder` or `root` is invalid.
  package init(
    server: DropboxServer, root: String = "auto", folder: String, transport: any HTTPTransport,
    signIn: DropboxV1SignIn, pool: BlockingPool, tuning: DropboxTuning = DropboxTuning()
  ) throws(StoreError) {
    guard ["auto", "dropbox", "sandbox"].contains(root) else {
      throw StoreError(
        .badInput, "\"\(root)\" is not a root of the Dropbox API, version 1.",
        remedy: "Set \"root\" in the config to auto, dropbox or sandbox, or leave it out.")
    }
    self.folder = try DropboxFolder(folder, hidesTrash: tuning.hidesTrash)
    client = DropboxV1Client(server: server, root: root, transport: transport, signIn: signIn, tuning: tuning)
    watch = DropboxWatch(tuning.clock)
    self.tuning = tuning
    self.pool = pool
  }

  public var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: false, unicodeNamesOnly: true)
  }

  /// Without uploads, changes or revisions once the server is known to lack them. Uploads last about a day.
  public var capabilities: Capabilities {
    Capabilities(
      uploads: memory.hasNoChunks ? nil : DropboxV1Uploads(store: self), trash: DropboxTrash(store: self),
      changes: memory.hasNoFeed ? nil : DropboxFeed(store: self),
      revisions: memory.hasNoHistory ? nil : DropboxV1History(store: self), search: DropboxV1Search(store: self),
      thumbnails: DropboxV1Thumbnails(store: self))
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    guard let place = folder.apiPath(path) else { throw missing(path) }
    if place.isEmpty { return FileEntry(path: .root, kind: .folder) }
    let call = DropboxV1Call(.metadata, at: place, about: path, ["list": "false"])
    let json = try await client.result(call) { refusal in
      let kind = refusal.error.kind
      return kind == .notFound || kind == .badName || refusal.status == 409 ? missing(path) : refusal.error
    }
    guard let metadata = DropboxV1Metadata(json) else { throw client.nonsense("no metadata", call) }
    guard let entry = try entry(metadata, asked: path) else { throw missing(path) }
    return entry
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if !path.isRoot { try folder.checkWritable(path) }
    let place = folder.ownPath(path)
    if place.isEmpty { return }
    let call = DropboxV1Call(.createFolder, about: path, ["root": client.root, "path": place])
    guard case .refusal(let refusal) = try await client.answer(call) else { return }
    if let there = try await entryIfAny(path) {
      if there.kind == .folder { return }
      throw .exists(there)
    }
    throw try await blocked(path, entryIfAny) ?? refusal.error
  }

  func entry(_ metadata: DropboxV1Metadata, asked path: StorePath) throws(StoreError) -> FileEntry? {
    _ = self.path(of: metadata)
    return metadata.entry(at: path.isRoot ? path : try path.parent.appending(metadata.name))
  }

  /// The path below the club's folder, if any path can hold it. Remembers its case.
  func path(of metadata: DropboxV1Metadata) -> StorePath? {
    guard metadata.parts.count > folder.depth,
      let path = try? StorePath(metadata.parts[folder.depth...].joined(separator: "/"))
    else { return nil }
    memory.note(metadata.lower, path)
    return path
  }

}

/// The API's own `restore` can neither list deleted files by age nor remove them for good.
extension DropboxV1Store {
  func removeOwn(_ path: StorePath) async throws(StoreError) {
    let call = DropboxV1Call(
      .delete, about: .root, ["root": client.root, "path": self.folder.ownPath(path)])
    if case .refusal(let refusal) = try await client.answer(call), !refusal.isMissing { throw refusal.error }
  }

  func ownFiles(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    let all = try await ifThere { () throws(StoreError) in
      try await tree(self.folder.ownPath(folder), about: .root).0
    }
    return (all ?? []).compactMap { metadata in
      guard !metadata.isFolder, !metadata.isDeleted, let path = self.path(of: metadata) else { return nil }
      return (path, metadata.size ?? 0)
    }
  }
}
