import Basics
import FileStores
import POSIX

/// A directory of backups of one club: contents by checksum, which all its backups share, and the newest backup's
/// manifest, list and databases. Calls block, except those that are async.
struct BackupFolder: Sendable {
  /// Marks the directory; its text is the format.
  private static let marker = "byteclub-backup"
  private static let markerText = "1\n"
  private static let readBytes = 512 << 10
  /// The most bytes of the marker and the manifest.
  private static let smallBytes = 64 << 10

  let directory: PrivateDirectory
  private let contents: PrivateDirectory
  private let incoming: PrivateDirectory
  private let pool: BlockingPool
  private let lock: OpenFile

  var path: String { directory.path }

  /// Makes or opens the directory for a backup, and waits for no other one.
  /// - Throws: `exists` if the directory has other things in it; `conflict` while another backup runs into it.
  init(making path: String, pool: BlockingPool) throws(StoreError) {
    let directory = try PrivateDirectory(making: path)
    if !directory.holds(BackupFolder.marker) {
      guard try directory.names().isEmpty else {
        throw StoreError(
          .exists, "\"\(path)\" is no backup of byteclub, and it is not empty.",
          remedy: "Name an empty directory, or one with an earlier backup of this club.")
      }
      try directory.write(Array(BackupFolder.markerText.utf8), as: BackupFolder.marker)
    }
    try self.init(directory, pool: pool)
    for name in try incoming.names() { try incoming.remove(name) }
  }

  /// Opens a directory with a backup.
  /// - Throws: `notFound` if it has none.
  init(opening path: String, pool: BlockingPool) throws(StoreError) {
    let directory = PrivateDirectory(at: path)
    guard directory.holds(BackupFolder.marker) else {
      throw StoreError(
        .notFound, "\"\(path)\" is no backup of byteclub.", remedy: "Name the directory that \"serve backup\" has made."
      )
    }
    try self.init(directory, pool: pool)
  }

  private init(_ directory: PrivateDirectory, pool: BlockingPool) throws(StoreError) {
    (self.directory, self.pool) = (directory, pool)
    guard try BackupFolder.small(BackupFolder.marker, in: directory) == Array(BackupFolder.markerText.utf8) else {
      throw StoreError(
        .unsupported, "The backup in \"\(directory.path)\" has a form that this byteclub does not know.",
        remedy: "Use the newest byteclub that you have.")
    }
    contents = try directory.directory("contents")
    incoming = try directory.directory("incoming")
    do throws(SystemError) {
      // The folder itself is locked while a database in it is opened.
      lock = try OpenFile(reading: directory.path(of: BackupFolder.marker))
      guard try FileLock.take(lock.descriptor) else { throw SystemError(code: EWOULDBLOCK) }
    } catch {
      if error.code == EWOULDBLOCK {
        throw StoreError(
          .conflict, "Another backup or restoration uses \"\(directory.path)\".",
          remedy: "Wait until it has ended, then try again.")
      }
      throw .system(error.code, "locked", directory.path)
    }
  }

  /// Lets others use the directory, although references to this value may be left.
  func unlock() { FileLock.release(lock.descriptor) }

  /// The newest whole backup; nil without one.
  /// - Throws: `corrupt`.
  func manifest() throws(StoreError) -> BackupManifest? {
    guard let bytes = try BackupFolder.small(BackupManifest.name, in: directory) else { return nil }
    guard let manifest = BackupManifest(bytes) else { throw damaged(BackupManifest.name) }
    return manifest
  }

  /// - Throws: `notFound` without a whole backup; `corrupt`.
  func newest() throws(StoreError) -> BackupManifest {
    if let manifest = try manifest() { return manifest }
    throw StoreError(
      .notFound, "\"\(path)\" has no whole backup: the first one was not finished.",
      remedy: "Make it again: byteclub serve backup DIR")
  }

  /// A file that the backup's form bounds.
  private static func small(
    _ name: String, in directory: PrivateDirectory
  ) throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try directory.read(name, limit: smallBytes)
    } catch {
      guard error.kind == .tooLarge else { throw error }
      throw damaged(name, in: directory)
    }
  }

  /// - Throws: `corrupt` if the part is missing or has another checksum.
  func check(_ part: BackupManifest.Part) throws(StoreError) {
    guard directory.holds(part.name), try sum(of: part.name) == part.sha256 else { throw damaged(part.name) }
  }

  func part(_ name: String) throws(StoreError) -> BackupManifest.Part {
    BackupManifest.Part(name: name, sha256: try sum(of: name))
  }

  private func sum(of name: String) throws(StoreError) -> String {
    let hash = SHA256()
    try BackupFolder.read(directory.path(of: name)) { hash.update($0) }
    return SHA256.hexadecimal(hash.finish())
  }

  func damaged(_ name: String) -> StoreError { BackupFolder.damaged(name, in: directory) }

  private static func damaged(_ name: String, in directory: PrivateDirectory) -> StoreError {
    StoreError(
      .corrupt, "The backup in \"\(directory.path)\" is damaged: \(name).",
      remedy: "Use another backup, or make this one anew: byteclub serve backup DIR --verify")
  }

  /// The error of a full disk says what did not fit, and not the name of a file that is gone again.
  func explained(_ error: StoreError, _ what: String) -> StoreError {
    guard error.kind == .quota else { return error }
    return StoreError(
      .quota, "\(what) could not be backed up: the disk of \"\(path)\" is full.",
      remedy: "Free some space on that disk, then run the backup again. An earlier backup there is as it was.")
  }

  func contentPath(_ hash: ContentHash) -> String { contents.path(of: "\(hash.hex.prefix(2))/\(hash.hex)") }

  func holds(_ hash: ContentHash, _ size: UInt64) -> Bool {
    contents.bytes(of: "\(hash.hex.prefix(2))/\(hash.hex)") == size
  }

  /// True if the content is there and its bytes have its checksum.
  func isSound(_ hash: ContentHash) throws(StoreError) -> Bool {
    guard access(contentPath(hash), F_OK) == 0 else { return false }
    return try BackupFolder.hash(of: contentPath(hash)) == hash
  }

  static func hash(of path: String) throws(StoreError) -> ContentHash {
    let hasher = ContentHasher()
    try read(path) { hasher.update($0) }
    return hasher.finish()
  }

  static func read(_ path: String, _ receive: (ByteChunk) -> Void) throws(StoreError) {
    do throws(SystemError) {
      let file = try OpenFile(reading: path)
      while true {
        let chunk = try file.readNext(readBytes)
        if chunk.isEmpty { return }
        receive(chunk[...])
      }
    } catch {
      throw .system(error.code, "read", path)
    }
  }

  /// Adds the content of a file of the club, and reads it again to check it.
  /// - Parameter isVerified: true to replace the content of an earlier backup if that is damaged.
  /// - Throws: `conflict` or `notFound` if the file has another revision or is gone; errors of the store and the disk.
  func add(
    _ file: StorePath, _ revision: Revision?, from store: any FileStore, isVerified: Bool
  ) async throws(StoreError) -> (hash: ContentHash, size: UInt64, isNew: Bool) {
    let target = try await newFile()
    let (hash, size) = try await target.receive(file, revision, from: store, pool)
    let isNew = try await pool.run { () throws(StoreError) -> Bool in
      if holds(hash, size) {
        let isSound = isVerified ? try isSound(hash) : true
        if isSound {
          target.remove()
          return false
        }
      }
      guard try BackupFolder.hash(of: target.path) == hash else {
        target.remove()
        throw StoreError(
          .server, "The disk of \"\(path)\" does not keep what is written.", remedy: "Check that disk, then try again.")
      }
      try install(target, hash)
      return true
    }
    return (hash, size, isNew)
  }

  /// Adds a version that the server keeps in a file of its own, which never changes: as another name of that file where
  /// that is possible, else as a copy. Returns false if the file is gone or damaged.
  func add(version hash: ContentHash, at source: String) throws(StoreError) -> Bool {
    guard access(source, F_OK) == 0, try BackupFolder.hash(of: source) == hash else { return false }
    let shard = try contents.directory(String(hash.hex.prefix(2)))
    let target = contentPath(hash)
    unlink(target)
    if link(source, target) == 0 {
      try BackupFolder.flushNames(shard)
      return true
    }
    let copy = try LocalFile(path: incoming.path(of: FreshID.word(22)), creating: true)
    try BackupFolder.copy(source, to: copy)
    guard try BackupFolder.hash(of: copy.path) == hash else {
      copy.remove()
      return false
    }
    try install(copy, hash)
    return true
  }

  private static func copy(_ source: String, to file: LocalFile) throws(StoreError) {
    func reading<Value>(_ body: () throws(SystemError) -> Value) throws(StoreError) -> Value {
      do throws(SystemError) { return try body() } catch { throw .system(error.code, "copied", source) }
    }
    do throws(StoreError) {
      let from = try reading { () throws(SystemError) in try OpenFile(reading: source) }
      var at: UInt64 = 0
      while true {
        let chunk = try reading { () throws(SystemError) in try from.readNext(readBytes) }
        if chunk.isEmpty { return }
        try file.write(chunk[...], at: at)
        at += UInt64(chunk.count)
      }
    } catch {
      file.remove()
      throw error
    }
  }

  /// Durably: a manifest never names a content that a power cut takes away.
  private func install(_ file: LocalFile, _ hash: ContentHash) throws(StoreError) {
    let shard = try contents.directory(String(hash.hex.prefix(2)))
    do throws(StoreError) {
      try file.sync()
      try file.rename(to: contentPath(hash))
    } catch {
      file.remove()
      throw error
    }
    try BackupFolder.flushNames(shard)
  }

  private static func flushNames(_ folder: PrivateDirectory) throws(StoreError) {
    do throws(SystemError) {
      try OpenFile(folder: folder.path).synchronizeNames()
    } catch {
      throw .system(error.code, "flushed", folder.path)
    }
  }

  private func newFile() async throws(StoreError) -> LocalFile {
    let path = incoming.path(of: FreshID.word(22))
    return try await pool.run { () throws(StoreError) in try LocalFile(path: path, creating: true) }
  }

  /// Makes the backup the newest whole one, durably, and removes all that it does not need.
  func finish(_ manifest: BackupManifest, keeping hashes: Set<ContentHash>) throws(StoreError) {
    try directory.write(Array(manifest.text.utf8), as: BackupManifest.name)
    let parts = manifest.parts.map(\.name)
    for name in try directory.names() where BackupFolder.isPart(name) && !parts.contains(name) {
      try directory.remove(name)
    }
    for folder in try contents.names() {
      let shard = try contents.directory(folder)
      for name in try shard.names() where ContentHash(hex: name).map({ !hashes.contains($0) }) ?? true {
        try shard.remove(name)
      }
    }
  }

  private static func isPart(_ name: String) -> Bool {
    name.hasPrefix("members-") || name.hasPrefix("index-") || name.hasPrefix("files-")
      || name.hasPrefix("key-")
  }
}
