public import FileStores
internal import CLinux
internal import Glibc

/// A club in a directory of this machine.
///
/// - A revision is a stat token: device, inode, size, mtime and ctime. Any program's write makes another one; so does
///   a change of mode or name.
/// - A put is atomic for every reader, and its condition also holds against other processes (editors included):
///   the new file and the old one change places (`renameat2` with `RENAME_EXCHANGE`), and when what came out is not
///   the base, they change back. Should a third program have written in that very moment, its file is kept beside
///   as "name (conflict copy …)". File systems without `RENAME_EXCHANGE` get a look and a rename, by one byteclub at a
///   time, with a window of microseconds between for other programs.
/// - A replaced file keeps its mode, group, owner (where allowed) and extended attributes. Its hard links stay with
///   the old content.
/// - Nothing outside the folder is reached (`openat2` with `RESOLVE_BENEATH`), and links are never followed, not even
///   those that point inside: they are listed as `.other`, reading or writing one is `badInput` or `exists`, and a
///   path through a linked folder is `notPermitted`. Pipes and devices are never opened.
/// - What byteclub replaces, and a file that it deletes, is kept as a version (`FolderHistory`): up to 4 MiB a file, 100
///   versions of a path, 256 MiB and a year. A change is made also when the version before it cannot be kept.
/// - A recursive listing passes over folders that may not be opened; they are listed themselves.
/// - Unfinished files (`.byteclub-tmp-…`) that a crash left are removed after a day, when their folder is listed.
/// - The root itself may be a link, and is looked up anew for each call. When it is gone, calls throw `offline`.
public final class FolderStore: FileStore {
  let disk: FolderDisk
  let pool: BlockingPool
  let watcher: FolderWatcher?
  let listings: FolderListings

  /// Opens a club's folder.
  ///
  /// With `isFollowed`, a listing begins to watch what it lists, so that `changes` can tell from there on. Without, there
  /// is no `changes`, and nothing is watched: for a folder that is only written into. Without `keepsVersions`, there is
  /// no `revisions`. Without `hidesTrash`, the trash is a folder as others are: for a server. `warn` is told, in a sentence, of what went wrong in a change that was made all the same.
  /// - Throws: `notFound` when there is no such folder, `badInput` when it is something else, `notPermitted`.
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

  /// Makes a club's folder, with its parents. One that is there already is no error.
  /// - Throws: `exists` when something else is in the way; `notPermitted`, `quota`.
  public static func create(root: String) throws(StoreError) {
    let text = FolderDisk.absolute(root)
    var at = ""
    for part in PathText.parts(text) {
      at += "/" + part
      if mkdir(at, 0o777) == 0 || errno == EEXIST { continue }
      let code = errno
      // EROFS and EACCES come before EEXIST on some file systems: what is there need not be made.
      var there = cl_stat()
      if cl_stat_path(CName(at).bytes, &there) == 0 { continue }
      throw FolderFault.error(code, "make", (try? StorePath(at)) ?? .root)
    }
    var there = cl_stat()
    guard cl_stat_path(CName(text).bytes, &there) == 0, FileStat(there).kind == .folder else {
      throw StoreError(
        .exists, "\(text) already exists and is not a folder.", remedy: FolderFault.anotherName, path: .root)
    }
  }

  /// 255 bytes a name, which every disk holds; case and encoding as the file system has them.
  public var limits: StoreLimits {
    StoreLimits(
      nameBytes: 255, fileBytes: nil, caseSensitive: !disk.countsUTF16, unicodeNamesOnly: disk.countsUTF16)
  }

  /// Uploads that can go on after a break.
  public var resumableUploads: (any ResumableUploads)? { FolderUploads(disk: disk, pool: pool) }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { FolderTrash(disk: disk, pool: pool) }
  /// What was replaced or deleted.
  public var revisions: (any RevisionHistory)? { disk.keepsVersions ? FolderHistory(store: self) : nil }
  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? { watcher }
  /// Writing many small files at once.
  public var batchUploads: (any BatchUploads)? { FolderBatches(store: self) }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try checkCancelled("The look-up", path)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> FileEntry in try disk.entry(path) }
  }

  /// Makes a folder and its parents; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if path.isRoot { return }
    let disk = disk
    try await pool.run { () throws(StoreError) in
      try disk.checkWritable(path)
      let root = try disk.openRoot()
      for folder in try disk.makeFolder(path, below: root) {
        try disk.openParent(of: folder, below: root, to: "make").sync(folder)
      }
    }
  }

  /// One page of a folder; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    let listings = listings
    return try await pool.run { () throws(StoreError) -> ListPage in
      try listings.page(folder, options, after: cursor)
    }
  }

  func checkCancelled(_ what: String, _ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("\(what) of \"\(path)\"", path: path) }
  }
}
