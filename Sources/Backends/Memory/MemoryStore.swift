internal import Glibc
internal import Synchronization
public import FileStores

/// A club in memory: for tests and for trying things out. Gone with the process.
///
/// A revision is a number that is never given out twice; every version is kept. Every power is there but small copies of
/// pictures and batches. Listing goes in the order of bytes.
public final class MemoryStore: FileStore {
  let tree = Mutex(MemoryTree())
  let log = ChangeLog()
  private let now: @Sendable () -> Timestamp
  private let pageEntries: Int

  /// An empty store. `now` dates files; a listing has `pageEntries` entries a page.
  public init(pageEntries: Int = 1024, now: @escaping @Sendable () -> Timestamp = MemoryStore.systemTime) {
    self.pageEntries = max(1, pageEntries)
    self.now = now
  }

  /// The time of this machine's clock.
  public static let systemTime: @Sendable () -> Timestamp = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// The limits of the contract.
  public var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: false)
  }

  /// Uploads that can go on after a break.
  public var resumableUploads: (any ResumableUploads)? { MemoryUploads(store: self) }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { MemoryTrash(store: self) }
  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? { MemoryChanges(store: self) }
  /// Every version of every file.
  public var revisions: (any RevisionHistory)? { MemoryHistory(store: self) }
  /// Finding files by their names.
  public var search: (any StoreSearch)? { MemorySearch(store: self) }

  /// One page of a folder; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    var mark: MemoryCursor?
    if let cursor {
      mark = MemoryCursor(cursor)
      guard mark?.folder == folder, mark?.options == options else {
        throw StoreError(
          .badInput, "The listing of \"\(folder)\" cannot be continued.", remedy: "Refresh the list.",
          path: folder)
      }
    }
    let begun = mark?.changes ?? log.cursor
    let last = mark?.last
    let entries = try tree.withLock { tree throws(StoreError) in
      try tree.entries(in: folder, recursive: options.recursive, after: last, limit: pageEntries + 1)
    }
    let page = entries.prefix(pageEntries).map {
      options.detail == .full ? $0 : FileEntry(path: $0.path, kind: $0.kind)
    }
    let isWhole = options.detail == .full
    guard entries.count > pageEntries, let end = page.last else {
      return ListPage(entries: page, isWhole: isWhole, changes: begun)
    }
    let next = MemoryCursor(folder: folder, options: options, last: end.path, changes: begun)
    return ListPage(entries: page, isWhole: isWhole, next: next.cursor)
  }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    return try tree.withLock { tree throws(StoreError) in try tree.entry(path) }
  }

  /// Reads a file in chunks; see `FileStore`.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    let (bytes, entry) = try tree.withLock { tree throws(StoreError) in
      try tree.content(path, from: offset, ifRevision: ifRevision)
    }
    var rest = bytes.dropFirst(Int(offset))
    while !rest.isEmpty {
      try checkCancelled("The reading", path)
      try await receive(rest.prefix(64 * 1024))
      rest = rest.dropFirst(64 * 1024)
    }
    return entry
  }

  /// Writes a whole file; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    try path.checkWritable()
    try tree.withLock { tree throws(StoreError) in try tree.checkCondition(mode, path) }
    let (bytes, hash) = try await collect(source, path)
    try checkCancelled("The writing", path)
    return try commit(bytes, hash, at: path, mode)
  }

  /// Gives bytes a name, on the mode's condition.
  func commit(
    _ bytes: [UInt8], _ hash: ContentHash, at path: StorePath, _ mode: WriteMode
  ) throws(StoreError) -> FileEntry {
    let time = now()
    let (entry, changed) = try tree.withLock { tree throws(StoreError) in
      try tree.checkCondition(mode, path)
      let made = try tree.makeFolders(path.parent)
      return (tree.write(bytes, hash, path, time), made + [path])
    }
    log.note(changed)
    return entry
  }

  /// Moves a file or folder; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The move", path)
    let (entry, changed) = try tree.withLock { tree throws(StoreError) in
      try tree.move(path, to: target, ifRevision: ifRevision)
    }
    log.note(changed)
    return entry
  }

  /// Deletes for good; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try checkCancelled("The deletion", path)
    try tree.withLock { tree throws(StoreError) in _ = try tree.remove(path, ifRevision: ifRevision) }
    log.note([path])
  }

  /// Makes a folder and its parents; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if path.isRoot { return }
    try path.checkWritable()
    log.note(try tree.withLock { tree throws(StoreError) in try tree.makeFolders(path) })
  }

  func checkCancelled(_ what: String, _ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("\(what) of \"\(path)\"", path: path) }
  }

  var time: Timestamp { now() }

  private func collect(
    _ source: any ByteSource, _ path: StorePath
  ) async throws(StoreError) -> ([UInt8], ContentHash) {
    let declared = source.size
    var reading = try await source.open(at: 0)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() {
      try checkCancelled("The writing", path)
      bytes.append(contentsOf: chunk)
      if let declared, UInt64(bytes.count) > declared { throw .wrongLength(path, declared: declared, given: nil) }
      source.delivered(UInt64(bytes.count))
    }
    if let declared, UInt64(bytes.count) != declared {
      throw .wrongLength(path, declared: declared, given: UInt64(bytes.count))
    }
    return (bytes, ContentHash(of: bytes))
  }
}
