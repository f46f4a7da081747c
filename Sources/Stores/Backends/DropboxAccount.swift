internal import Basics
internal import FileStores
internal import JSON

/// A store of either version of the Dropbox API: all that differs between them by their calls alone.
protocol DropboxAccount: FileStore {
  associatedtype Client: DropboxCalls
  associatedtype Metadata: DropboxListed
  var client: Client { get }
  var folder: DropboxFolder { get }
  var tuning: DropboxTuning { get }
  var pool: BlockingPool { get }
  var watch: DropboxWatch { get }
  var abandoned: AbandonedUploads { get }
  func entry(_ metadata: Metadata, asked path: StorePath) throws(StoreError) -> FileEntry?
  /// The newest cursor of the feed.
  func latest() async throws(StoreError) -> String
  func longPoll(since cursor: String, seconds: Int) -> Client.Call
  func changes(since cursor: String) -> Client.Call
  /// - Returns: nil if the server has lost the cursor.
  func changesPage(_ json: JSONValue, _ call: Client.Call) async throws(StoreError) -> DropboxChangePage?
  func changesError(_ refusal: Client.Refusal, _ call: Client.Call) -> StoreError
  /// Moves whatever exists, also byteclub's own.
  func relocate(
    _ from: String, _ to: String, _ path: StorePath, _ target: StorePath
  ) async throws(StoreError) -> Metadata
  /// Changes only the case of a name.
  func rename(_ from: String, _ to: String, _ path: StorePath, _ target: StorePath) async throws(StoreError) -> Metadata
  /// True if the moved file has the content of `before`. A move can change the revision.
  func isContent(
    _ moved: Metadata, of before: FileEntry, formerlyAt place: String
  ) async throws(StoreError) -> Bool
  /// Deletes one of byteclub's own paths with its content. A missing path is no error.
  func removeOwn(_ path: StorePath) async throws(StoreError)
  /// Reads one of byteclub's own files, whose size is known.
  func readOwn(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError)
  /// The files below one of byteclub's own folders. Empty if there is none.
  func ownFiles(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)]
}

protocol DropboxListed: Sendable {
  var size: UInt64? { get }
}

struct DropboxChangePage: Sendable {
  let changes: [ChangeSet.Change]
  /// The number of entries, also of those that are none of the club's.
  let entries: Int
  let cursor: String
  let hasMore: Bool
}

extension DropboxAccount {
  func missing(_ path: StorePath) -> StoreError { folder.missing(path, at: client.server) }

  /// The API's path of an entry for some work; the club's own folder is refused with `root`.
  func place(of path: StorePath, for work: String, root: StoreError) throws(StoreError) -> String {
    try checkCancelled(work, path)
    if path.isRoot { throw root }
    guard let place = folder.apiPath(path) else { throw missing(path) }
    return place
  }

  /// - Throws: `conflict` if the entry has another revision.
  func expected(_ revision: Revision?, at path: StorePath) async throws(StoreError) -> FileEntry {
    let there = try await entry(at: path)
    if let revision, there.revision != revision { throw .conflict(path, there) }
    return there
  }

  func checkCondition(_ mode: WriteMode, at path: StorePath) async throws(StoreError) {
    try mode.check(try await entryIfAny(path), at: path)
  }

  /// The API moves whatever exists. With `ifRevision`, the revision is checked before and the content after; if another
  /// member wrote in between, the move is undone.
  func moveEntry(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    let from = try place(of: path, for: "The move", root: .clubItself("moved"))
    try folder.checkWritable(target)
    let to = folder.ownPath(target)
    if path == target { return try await expected(ifRevision, at: path) }
    if target.relative(to: path) != nil, try await entry(at: path).kind == .folder { throw .intoItself(path) }
    let isSame = DropboxFolder.fold(path.bytes) == DropboxFolder.fold(target.bytes)
    let before: FileEntry? = ifRevision == nil ? nil : try await expected(ifRevision, at: path)
    let moved = try await isSame ? rename(from, to, path, target) : relocate(from, to, path, target)
    if let before, try await !isContent(moved, of: before, formerlyAt: from) {
      _ = try await pool.finishing { () throws(StoreError) in try await self.relocate(to, from, target, path) }
      throw .conflict(path, try await entryIfAny(path))
    }
    guard let entry = try entry(moved, asked: target) else { throw missing(target) }
    return entry
  }
}

/// The trash of a club: `ClubTrash` with the moves of the API.
struct DropboxTrash<Store: DropboxAccount>: ClubTrash {
  let store: Store

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    let from = try store.place(of: path, for: "The discarding", root: .clubItself("discarded"))
    let before = try await store.expected(ifRevision, at: path)
    if before.kind == .folder { throw .folderDiscarded(path) }
    let id = TrashID(discarded: Timestamp(nanoseconds: store.tuning.now()), word: store.tuning.random())
    let slot = try folder.appending(id.text)
    // With the name's stored case, whatever the case of the request.
    let target = slot.descending(before.path.bytes[...])
    let to = store.folder.ownPath(target)
    let moved = try await store.relocate(from, to, path, target)
    if ifRevision != nil, try await !store.isContent(moved, of: before, formerlyAt: from) {
      try await store.pool.finishing { () throws(StoreError) in
        _ = try await store.relocate(to, from, target, path)
        try await store.removeOwn(slot)
      }
      throw .conflict(path, try await store.entryIfAny(path))
    }
    return TrashedFile(id: id.text, origin: before.path, discarded: id.discarded, size: moved.size ?? 0)
  }

  func moveBack(_ path: StorePath, to origin: StorePath) async throws(StoreError) -> FileEntry? {
    let moved = try await store.relocate(store.folder.ownPath(path), store.folder.ownPath(origin), path, origin)
    return try store.entry(moved, asked: origin)
  }

  func remove(_ path: StorePath) async throws(StoreError) { try await store.removeOwn(path) }

  func read(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await store.readOwn(file, options, receive)
  }

  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    try await store.ownFiles(below: folder)
  }
}
