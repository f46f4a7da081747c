/// A store that tells each call in one line: what was asked, what came of it, never a file's content.
///
/// Names are quoted, with control characters escaped, so that a name cannot forge a line.
public struct LoggingStore: FileStore {
  private let base: any FileStore
  private let log: CallLog

  /// Wraps a store. `log` is called once for each call that ended, on any thread, and should return soon.
  public init(_ base: any FileStore, log: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.log = CallLog(tell: log)
  }

  /// The limits of the contract.
  public var limits: StoreLimits { base.limits }
  /// Uploads that can go on after a break.
  public var resumableUploads: (any ResumableUploads)? {
    base.resumableUploads.map { LoggingUploads(base: $0, log: log) }
  }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { base.trash.map { LoggingTrash(base: $0, log: log) } }
  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? { base.changes.map { LoggingChanges(base: $0, log: log) } }
  /// Versions of files that the store has kept.
  public var revisions: (any RevisionHistory)? { base.revisions.map { LoggingHistory(base: $0, log: log) } }
  /// Finding files by words, which are not told.
  public var search: (any StoreSearch)? { base.search.map { LoggingSearch(base: $0, log: log) } }
  /// Small copies of pictures, made by the store.
  public var thumbnails: (any StoreThumbnails)? { base.thumbnails.map { LoggingThumbnails(base: $0, log: log) } }
  /// Writing many small files at once.
  public var batchUploads: (any BatchUploads)? { base.batchUploads.map { LoggingBatches(base: $0, log: log) } }
  /// Reading the many files of a folder at once.
  public var folderReading: (any FolderReading)? { base.folderReading.map { LoggingFolders(base: $0, log: log) } }

  /// One page of a folder; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    let detail = options.detail == .full ? "full" : "names"
    let how = "\(detail)\(options.recursive ? " recursive" : "")\(cursor == nil ? "" : " next")"
    return try await log(
      "list \(CallLog.quoted(folder)) \(how)",
      { "\($0.entries.count) entries\($0.next == nil ? "" : ", more to come")" }
    ) { () throws(StoreError) in
      try await base.list(folder, options, after: cursor)
    }
  }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await log("entry \(CallLog.quoted(path))", CallLog.size) { () throws(StoreError) in
      try await base.entry(at: path)
    }
  }

  /// Reads a file in chunks; see `FileStore`.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await log("read \(CallLog.quoted(path)) from \(offset)", CallLog.size) { () throws(StoreError) in
      try await base.read(path, from: offset, ifRevision: ifRevision, receive)
    }
  }

  /// Writes a whole file; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await log("put \(CallLog.quoted(path)) \(mode.word)", CallLog.size) { () throws(StoreError) in
      try await base.put(source, at: path, mode: mode)
    }
  }

  /// Moves a file or folder; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    let what = "move \(CallLog.quoted(path)) to \(CallLog.quoted(target))"
    return try await log(what, CallLog.size) { () throws(StoreError) in
      try await base.move(path, to: target, ifRevision: ifRevision)
    }
  }

  /// Deletes for good; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await log("delete \(CallLog.quoted(path))", { "done" }) { () throws(StoreError) in
      try await base.delete(path, ifRevision: ifRevision)
    }
  }

  /// Makes a folder and its parents; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try await log("create folder \(CallLog.quoted(path))", { "done" }) { () throws(StoreError) in
      try await base.createFolder(path)
    }
  }
}

extension WriteMode {
  /// The mode without its revision.
  var word: String {
    switch self {
    case .create: "create"
    case .replace: "replace"
    case .overwrite: "overwrite"
    }
  }
}
