public import Basics
import CPlatform
import Database
public import FileStores
import POSIX

/// Makes a club of a backup: its files in an empty folder, and the server's own data about it.
public struct ClubRestoration: Sendable {
  public struct Report: Sendable {
    public var club = ""
    /// Seconds since 1970.
    public var made: Int64 = 0
    public var files = 0
    public var bytes: UInt64 = 0
    public var versions = 0
    public var members = 0
    /// The names of files and versions that were not restored, because the backup has no sound content of them.
    public var damaged: [String] { left.map(\.name) }
    var left: [BackupLine] = []
    /// True if this restoration completes an earlier one that left something out.
    public var isCompletion = false
    /// Of a completion: files whose names others have by now.
    public var taken: [String] = []
  }

  /// The name of a file in the server's own directory: it is there while a restoration is not whole.
  private static let unfinished = "restoring"
  /// A file with the lines of the backup that were left out, below the club's name.
  private static let leftOut = "left-out"

  private let root: String
  private let store: any FileStore
  private let own: PrivateDirectory
  private let pool: BlockingPool
  private let club: String?

  /// - Parameters:
  ///   - root: the path of the folder that `store` keeps its files in.
  ///   - club: the only club whose backup is restored; nil for any.
  public init(
    root: String, store: any FileStore, own: PrivateDirectory, pool: BlockingPool, club: String? = nil
  ) {
    (self.root, self.store, self.own, self.pool, self.club) = (root, store, own, pool, club)
  }

  /// - Throws: `conflict` if a restoration into the club was begun and not ended.
  public static func checkWhole(_ own: PrivateDirectory, choice: String) throws(StoreError) {
    guard own.holds(unfinished) else { return }
    throw StoreError(
      .conflict, "A restoration of this club was begun and not ended: not all of its files are there.",
      remedy: "Repeat it, it goes on where it stopped: byteclub serve restore DIR \(choice)")
  }

  /// Restores the newest backup of a directory. A restoration that was killed goes on when it is repeated, and one that
  /// left something out restores that.
  /// - Throws: `exists` if the folder or the server's data about it are not empty, or have another key; `badInput` for the
  ///   backup of another club; `corrupt` if more of the backup is damaged than contents, each of which costs its own file.
  public func run(from path: String) async throws(StoreError) -> Report {
    let folder = try await pool.run { () throws(StoreError) in try BackupFolder(opening: path, pool: pool) }
    defer { folder.unlock() }
    let manifest = try await pool.run { () throws(StoreError) in
      let manifest = try folder.newest()
      if let club, manifest.club != club {
        throw StoreError(
          .badInput, "The backup in \"\(folder.path)\" is of the club \"\(manifest.club)\", not of \"\(club)\".",
          remedy: "Name the directory with the backup of \"\(club)\", or add --other-club to restore this one there.")
      }
      try folder.check(manifest)
      return manifest
    }
    if let left = try await left(of: manifest) { return try await complete(left, manifest, from: folder) }
    try await begin(manifest)
    if let key = manifest.key {
      try await pool.run { () throws(StoreError) in
        guard let bytes = try folder.directory.read(key.name) else { throw folder.damaged(key.name) }
        try OwnCertificate.keep(bytes, in: own)
      }
    }
    var report = Report()
    (report.club, report.made) = (manifest.club, manifest.made)
    let index = try await pool.run { () throws(StoreError) in
      for name in ["", "-wal", "-shm"] { try own.remove("index.sqlite" + name) }
      try SQLiteCopy.make(of: folder.directory.path(of: manifest.index.name), at: own.path(of: "index.sqlite"))
      let index = try ServerIndexDatabase(path: own.path(of: "index.sqlite"))
      try index.write { try $0.resumeAfterRestoration(at: ServerOptions.now()) }
      return index
    }
    try await restoreLines(of: manifest, from: folder, index, &report)
    let left = report.left
    report.members = try await pool.run { () throws(StoreError) in
      for name in ["", "-wal", "-shm"] { try own.remove("members.sqlite" + name) }
      try SQLiteCopy.make(of: folder.directory.path(of: manifest.members.name), at: own.path(of: "members.sqlite"))
      let count = try ServerMembersDatabase(path: own.path(of: "members.sqlite")).members().count
      try leaveOut(left, manifest)
      try own.remove(ClubRestoration.unfinished)
      return count
    }
    return report
  }

  /// nil unless a restoration of this club came to its end and left something out.
  private func left(of manifest: BackupManifest) async throws(StoreError) -> [BackupLine]? {
    return try await pool.run { () throws(StoreError) -> [BackupLine]? in
      guard !own.holds(ClubRestoration.unfinished), let bytes = try own.read(ClubRestoration.leftOut) else {
        return nil
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      guard lines.first.map(String.init) == PercentEncoding.encoded(manifest.club) else { return nil }
      return lines.dropFirst().compactMap { BackupLine($0) }
    }
  }

  private func leaveOut(_ lines: [BackupLine], _ manifest: BackupManifest) throws(StoreError) {
    if lines.isEmpty { return try own.remove(ClubRestoration.leftOut) }
    let text = PercentEncoding.encoded(manifest.club) + "\n" + lines.map(\.text).joined()
    try own.write(Array(text.utf8), as: ClubRestoration.leftOut)
  }

  /// The members have used the club since: its index, its list of members and its files stay as they are.
  private func complete(
    _ lines: [BackupLine], _ manifest: BackupManifest, from folder: BackupFolder
  ) async throws(StoreError) -> Report {
    var report = Report()
    (report.club, report.made, report.isCompletion) = (manifest.club, manifest.made, true)
    for line in lines { try await restore(line, from: folder, nil, &report) }
    let left = report.left
    report.members = try await pool.run { () throws(StoreError) in
      try leaveOut(left, manifest)
      return try ServerMembersDatabase(reading: own.path(of: "members.sqlite")).members().count
    }
    return report
  }

  /// Marks the club as unfinished.
  private func begin(_ manifest: BackupManifest) async throws(StoreError) {
    let marked = try await pool.run { () throws(StoreError) in try own.read(ClubRestoration.unfinished) }
    if marked == Array(manifest.id.utf8) { return }
    guard marked == nil else {
      throw StoreError(
        .exists, "The restoration of another backup into \"\(root)\" was begun and not ended.",
        remedy: "Remove all files in \"\(root)\" and \"\(own.path)\", then try again.")
    }
    let names = try await pool.run { () throws(StoreError) in try PrivateDirectory(at: root).names() }
    guard names.isEmpty else {
      throw StoreError(
        .exists, "The folder \"\(root)\" is not empty, so nothing was restored.",
        remedy: "Name an empty folder with --root.")
    }
    guard !own.holds("members.sqlite"), !own.holds("index.sqlite") else {
      throw StoreError(
        .exists, "The folder \"\(root)\" was served before: \"\(own.path)\" has its members or its index.",
        remedy: "Restore into another folder, or move that directory away.")
    }
    try await pool.run { () throws(StoreError) in
      try own.write(Array(manifest.id.utf8), as: ClubRestoration.unfinished)
    }
  }

  private func restoreLines(
    of manifest: BackupManifest, from folder: BackupFolder, _ index: ServerIndexDatabase, _ report: inout Report
  ) async throws(StoreError) {
    var offset: UInt64 = 0
    while true {
      let start = offset
      let page = try await pool.run { () throws(StoreError) in try folder.lines(of: manifest, at: start) }
      if page.lines.isEmpty { return }
      for line in page.lines { try await restore(line, from: folder, index, &report) }
      offset = page.end
    }
  }

  /// - Parameter index: nil for a completion.
  private func restore(
    _ line: BackupLine, from folder: BackupFolder, _ index: ServerIndexDatabase?, _ report: inout Report
  ) async throws(StoreError) {
    switch line {
    case .folder(let path): try await store.createFolder(path)
    case .version(let hash, let size):
      let isWhole = try await pool.run { () throws(StoreError) in
        guard try folder.isWhole(hash, size) else { return false }
        let versions = try own.directory("versions")
        if versions.bytes(of: hash.hex) != size {
          try ClubRestoration.copy(folder.contentPath(hash), to: versions.path(of: hash.hex))
        }
        return true
      }
      if isWhole { report.versions += 1 } else { report.left.append(line) }
    case .file(let path, let hash, let size, let modified):
      guard try await pool.run({ () throws(StoreError) in try folder.isWhole(hash, size) }) else {
        report.left.append(line)
        return
      }
      guard try await write(path, hash, size, from: folder, isLate: index == nil) else {
        report.taken.append(line.name)
        return
      }
      try await pool.run { () throws(StoreError) in setModified(path, modified) }
      let revision = try await store.entry(at: path).revision
      try await pool.run { () throws(StoreError) in
        try index?.write { try $0.noteRestored(path, revision, hash, size: size) }
      }
      report.files += 1
      report.bytes += size
    }
  }

  /// Writes a file, unless an earlier attempt has.
  /// - Returns: false if it is late, and something else has its name.
  private func write(
    _ path: StorePath, _ hash: ContentHash, _ size: UInt64, from folder: BackupFolder, isLate: Bool
  ) async throws(StoreError) -> Bool {
    let content = try await pool.run { () throws(StoreError) -> LocalFile in
      try LocalFile(reading: folder.contentPath(hash))
    }
    let source = LocalFileSource(file: content, bytes: size, pool: pool)
    do throws(StoreError) {
      _ = try await store.put(source, at: path, mode: .create)
      return true
    } catch {
      guard error.kind == .exists else { throw error }
      if isLate { return try await store.entry(at: path, holding: source) != nil }
      guard let there = error.current, there.kind == .file, there.path == path, there.size == size else { throw error }
      return true
    }
  }

  private func setModified(_ path: StorePath, _ seconds: Int64) {
    let whole = (Array(root.utf8) + [UInt8(ascii: "/")] + path.bytes).map(CChar.init(bitPattern:)) + [0]
    let file = open(whole, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // A file system without times of its own keeps the time of the restoration.
    cp_set_modified(file, seconds, 0)
  }

  /// Copies a file by a temporary name, so that one under its name is whole.
  private static func copy(_ source: String, to target: String) throws(StoreError) {
    let part = target + ".part"
    unlink(part)
    let file = try LocalFile(path: part, creating: true)
    var at: UInt64 = 0
    var failure: StoreError?
    try BackupFolder.read(source) { chunk in
      guard failure == nil else { return }
      do throws(StoreError) {
        try file.write(chunk, at: at)
        at += UInt64(chunk.count)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try file.sync()
    try file.rename(to: target)
  }
}
