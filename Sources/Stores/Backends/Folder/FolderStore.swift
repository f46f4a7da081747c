public import Basics
internal import CPlatform
public import FileStores
internal import POSIX

/// A club in a directory of this machine.
///
/// - A revision is a stat token: device, inode, size, mtime and ctime. Every write by any program changes it; so does a
///   change of mode or name.
/// - A put is atomic for every reader, and its condition also holds against other processes, editors included:
///   `renameat2` with `RENAME_EXCHANGE` swaps the new file and the old one, and swaps them back if the old one is not
///   the base. If a third program writes in that moment, its file is kept beside as "name (conflict copy …)".
/// - File systems without `RENAME_EXCHANGE` get a check and a rename, by one byteclub at a time. Other programs have a
///   window of microseconds between the two.
/// - A replaced file keeps its mode, group, owner (if permitted) and extended attributes. Its hard links keep the old
///   content.
/// - The store never leaves its folder (`openat2` with `RESOLVE_BENEATH`) and never follows links, not even links that
///   point inside. Pipes and devices are never opened.
/// - Links are listed as `.other`. Reading or writing one is `badInput` or `exists`, and a path through a linked folder
///   is `notPermitted`.
/// - Files that byteclub replaces or deletes are kept as versions (`FolderHistory`): up to 4 MiB a file, 100 versions
///   of a path, 256 MiB and a year. A change succeeds even if the previous version cannot be kept.
/// - A recursive listing skips the content of folders that cannot be opened, but lists the folders.
/// - Unfinished files (`.byteclub-tmp-…`) of a crash are removed after a day, when their folder is listed.
/// - The root itself may be a link, and each call looks it up again. When it is gone, calls throw `offline`.
public final class FolderStore: FileStore {
  let disk: FolderDisk
  let pool: BlockingPool
  let watcher: FolderWatcher?
  let listings: FolderListings

  /// Opens a club's folder.
  ///
  /// - Parameters:
  ///   - isFollowed: true to watch every listed folder and to offer `changes`.
  ///   - keepsVersions: true to offer `revisions`.
  ///   - hidesTrash: true to hide the trash folder. A server lists it as any other folder.
  ///   - warn: receives a sentence about a problem that did not stop a change.
  /// - Throws: `notFound` if the folder does not exist, `badInput` if it is not a folder, `notPermitted`.
  public convenience init(
    root: String, pool: BlockingPool, isFollowed: Bool = true, keepsVersions: Bool = true, hidesTrash: Bool = true,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreError) {
    try self.init(
      root: root, pool: pool, tuning: FolderTuning(), isFollowed: isFollowed, keepsVersions: keepsVersions,
      hidesTrash: hidesTrash, warn: warn)
  }

  package init(
    root: String, pool: BlockingPool, tuning: FolderTuning, isFollowed: Bool = true, keepsVersions: Bool = true,
    hidesTrash: Bool = true,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreError) {
    disk = try FolderDisk(root: root, tuning: tuning, keepsVersions: keepsVersions, hidesTrash: hidesTrash, warn: warn)
    self.pool = pool
    watcher = isFollowed ? FolderWatcher(disk: disk, pool: pool) : nil
    listings = FolderListings(disk: disk, watcher: watcher)
  }

  /// Makes a club's folder and its parents, if missing.
  /// - Throws: `exists` if something else has the name; `notPermitted`, `quota`.
  public static func create(root: String) throws(StoreError) {
    let text = Folders.absolute(root)
    var at = ""
    for part in PathText.parts(text) {
      at += "/" + part
      if mkdir(at, 0o777) == 0 || errno == EEXIST { continue }
      let code = errno
      // Some file systems report EROFS and EACCES before EEXIST.
      var there = cp_stat()
      if cp_stat_path(CName(at).bytes, &there) == 0 { continue }
      throw FolderFault.error(code, "make", (try? StorePath(at)) ?? .root)
    }
    var there = cp_stat()
    guard cp_stat_path(CName(text).bytes, &there) == 0, FileStat(there).kind == .folder else {
      throw StoreError(
        .exists, "\(text) already exists and is not a folder.", remedy: FolderFault.anotherName, path: .root)
    }
  }

  /// Every file system stores names of 255 bytes. Case and encoding are up to the file system.
  public var limits: StoreLimits {
    StoreLimits(
      nameBytes: 255, fileBytes: nil, caseSensitive: !disk.countsUTF16, unicodeNamesOnly: disk.countsUTF16,
      keepsTimes: true)
  }

  /// Revisions only where the folder keeps versions, changes only while it is watched.
  public var capabilities: Capabilities {
    Capabilities(
      uploads: FolderUploads(disk: disk, pool: pool), trash: FolderTrash(disk: disk, pool: pool), changes: watcher,
      revisions: disk.keepsVersions ? FolderHistory(store: self) : nil, batches: FolderBatches(store: self),
      adopting: self, ready: self)
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    return try await pool.run { [disk] () throws(StoreError) -> FileEntry in try disk.entry(path) }
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if path.isRoot { return }
    try await pool.run { [disk] () throws(StoreError) in
      try disk.checkWritable(path)
      let root = try disk.openRoot()
      for folder in try disk.makeFolder(path, below: root) {
        try disk.openParent(of: folder, below: root, to: "make").sync(folder)
      }
    }
  }

  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    return try await pool.run { [listings] () throws(StoreError) -> ListPage in
      try listings.page(folder, options, after: cursor)
    }
  }
}

extension FolderStore {
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    let (disk, offset) = (disk, options.offset)
    let read = try await pool.run { () throws(StoreError) -> OpenRead in
      try disk.beginRead(path, options)
    }
    let hashing = offset == 0 && read.stat.raw.size <= disk.tuning.hashedReadBytes
    let hasher = hashing && disk.hashes[read.stat.revision] == nil ? SharedHasher() : nil
    var at = offset
    var chunk = read.first
    if hasher == nil, offset + UInt64(chunk.count) == read.stat.raw.size {
      // The whole file: small files need only one call on the pool.
      try checkCancelled("The reading", path)
      if !chunk.isEmpty { try await receive(chunk[...]) }
      return disk.entry(read.stat, path)
    }
    while !chunk.isEmpty {
      try checkCancelled("The reading", path)
      try await receive(chunk[...])
      at += UInt64(chunk.count)
      let (bytes, from) = (chunk, at)
      chunk = try await pool.run { () throws(StoreError) -> [UInt8] in
        hasher?.update(bytes[...])
        guard from < read.stat.raw.size else { return [] }
        return try disk.readChunk(read.file, at: from, options, read.stat, path)
      }
    }
    if let hasher { disk.hashes.remember(hasher.finish(), for: read.stat.revision) }
    return disk.entry(read.stat, path)
  }
}

extension FolderStore {
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    let disk = disk
    let pending = try await pool.run { () throws(StoreError) -> PendingFile in try disk.beginPut(path, mode) }
    do throws(StoreError) {
      let hasher = SharedHasher()
      try await fill(pending, from: source, path, hasher)
      try checkCancelled("The writing", path)
      let modified = source.modified
      return try await pool.run { () throws(StoreError) -> FileEntry in
        if let modified { pending.file.setModified(modified) }
        return try disk.commit(pending, at: path, mode, hash: hasher.finish())
      }
    } catch {
      await pool.run { disk.abandon(pending) }
      throw error
    }
  }

  private func fill(
    _ pending: PendingFile, from source: any ByteSource, _ path: StorePath, _ hasher: SharedHasher
  ) async throws(StoreError) {
    let declared = source.size
    var reading = try await source.open(at: 0)
    var offset: UInt64 = 0
    while let chunk = try await reading.next() {
      try checkCancelled("The writing", path)
      let at = offset
      offset += UInt64(chunk.count)
      if let declared, offset > declared { throw .wrongLength(path, declared: declared, given: nil) }
      try await pool.run { [disk] () throws(StoreError) in
        hasher.update(chunk)
        try disk.write(chunk, at: at, to: pending, path)
      }
      source.delivered(offset)
    }
    if let declared, offset != declared { throw .wrongLength(path, declared: declared, given: offset) }
  }
}

extension FolderStore {
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The move", path)
    return try await pool.run { [disk] () throws(StoreError) -> FileEntry in
      try disk.move(path, to: target, ifRevision: ifRevision)
    }
  }

  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try checkCancelled("The deletion", path)
    try await pool.run { [disk] () throws(StoreError) in try disk.delete(path, ifRevision: ifRevision) }
  }
}

extension FolderStore: ReadyReading {
  public func readAtHand(_ path: StorePath, ifRevision: Revision, limit: Int) -> [UInt8]? {
    atHand { read(path, ifRevision, limit, isListed: false, below: $0) } ?? nil
  }

  public func readAtHand(_ listed: ArraySlice<FileEntry>, limit: Int, _ receive: (FileEntry, [UInt8]?) -> Bool) {
    atHand { folder in
      for entry in listed {
        guard let revision = entry.revision, let size = entry.size, size <= limit else {
          guard receive(entry, nil) else { return }
          continue
        }
        guard receive(entry, read(entry.path, revision, Int(size), isListed: true, below: folder)) else { return }
      }
    }
  }

  /// nil if the club's folder is not in memory, or another one.
  @discardableResult
  private func atHand<Value>(_ body: (_ folder: Int32) -> Value) -> Value? {
    let folder = cp_open_at_hand(disk.root.bytes, disk.device)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    return body(folder)
  }

  private func read(
    _ path: StorePath, _ revision: Revision, _ limit: Int, isListed: Bool, below folder: Int32
  ) -> [UInt8]? {
    guard !path.isRoot, !disk.isOwn(path) else { return nil }
    // One byte more than the limit, to recognize a longer file.
    let room = limit + 1
    let inMemory: Int32 = disk.fileSystem == FolderStore.memoryFileSystem ? 1 : 0
    var there = cp_stat()
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      let count = cp_read_at_hand(
        folder, CName(path).bytes, isListed ? 1 : 0, inMemory, buffer.baseAddress, room, &there)
      filled = max(count, 0)
    }
    let stat = FileStat(there)
    guard stat.kind == .file, stat.revision == revision, UInt64(bytes.count) == stat.raw.size, bytes.count <= limit,
      disk.isSettled(stat)
    else { return nil }
    return bytes
  }

  private static let memoryFileSystem: Int64 = 0x0102_1994
}
