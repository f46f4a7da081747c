internal import Backends
internal import POSIX
internal import Synchronization
public import FileStores

/// A club in memory, for tests and experiments. A revision is a number that is never reused, and every version is kept.
/// The store lacks thumbnails, batches and folder reading; listings are in byte order.
public final class MemoryStore: FileStore {
  let tree = Mutex(MemoryTree())
  let shared = Mutex(MemoryShares())
  let log = ChangeLog()
  private let now: @Sendable () -> Timestamp
  private let pageEntries: Int

  public init(pageEntries: Int = 1024, now: @escaping @Sendable () -> Timestamp = { .now() }) {
    self.pageEntries = max(1, pageEntries)
    self.now = now
  }

  /// Every reader of changes must list anew, as after a restart of a server without a memory of them.
  public func forgetChanges() { log.loseTrack() }

  public var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: false)
  }

  public var capabilities: Capabilities {
    Capabilities(
      uploads: MemoryUploads(store: self), trash: MemoryTrash(store: self), changes: MemoryChanges(store: self),
      revisions: MemoryHistory(store: self), search: MemorySearch(store: self), links: MemoryLinks(store: self))
  }

  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    var mark: MemoryCursor?
    if let cursor {
      mark = MemoryCursor(cursor)
      guard mark?.folder == folder, mark?.options == options.plain else { throw .listingLost(folder) }
    }
    let begun = mark?.changes ?? log.cursor
    let last = mark?.last
    let entries = try tree.withLock { tree throws(StoreError) in
      try tree.entries(in: folder, options, after: last, limit: pageEntries + 1)
    }
    let page = entries.prefix(pageEntries).map {
      options.detail == .full ? $0 : FileEntry(path: $0.path, kind: $0.kind)
    }
    let isWhole = options.detail == .full
    guard entries.count > pageEntries, let end = page.last else {
      return ListPage(entries: page, isWhole: isWhole, changes: begun)
    }
    let next = MemoryCursor(folder: folder, options: options.plain, last: end.path, changes: begun)
    return ListPage(entries: page, isWhole: isWhole, next: next.cursor)
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    return try tree.withLock { tree throws(StoreError) in try tree.entry(path) }
  }

  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    let (bytes, entry) = try tree.withLock { tree throws(StoreError) in
      try tree.content(path, from: options.offset, ifRevision: options.revision)
    }
    var rest = bytes.dropFirst(Int(options.offset))
    while !rest.isEmpty {
      try checkCancelled("The reading", path)
      try await receive(rest.prefix(64 * 1024))
      rest = rest.dropFirst(64 * 1024)
    }
    return entry
  }

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

  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The move", path)
    let (entry, changed) = try tree.withLock { tree throws(StoreError) in
      try tree.move(path, to: target, ifRevision: ifRevision)
    }
    shared.withLock { $0.move(path, to: target) }
    log.note(changed)
    return entry
  }

  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try checkCancelled("The deletion", path)
    let left = try tree.withLock { tree throws(StoreError) in try tree.remove(path, ifRevision: ifRevision).left }
    shared.withLock { $0.links[path] = nil }
    log.note(left)
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if path.isRoot { return }
    try path.checkWritable()
    log.note(try tree.withLock { tree throws(StoreError) in try tree.makeFolders(path) })
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
