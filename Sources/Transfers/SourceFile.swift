import FileStores
import Synchronization

/// A file of this machine whose bytes go up, read and hashed in one go on the pool's threads.
///
/// All bytes come from one content: as soon as the file is another one than when it was opened, reading throws `badInput`
/// and `isChanged` says so.
final class SourceFile: Sendable {
  /// Bytes hashed at once where they are not sent.
  private static let hashedBytes = 4 << 20

  private struct Hash {
    let hasher = ContentHasher()
    var count: UInt64 = 0
    var isChanged = false
  }

  let path: String
  let bytes: UInt64
  /// What tells this content from another, also after a restart. Without the device: its number may be another one after
  /// the next boot, and the content hash is compared at the end all the same.
  let stamp: String
  private let file: LocalFile
  private let opened: LocalFile.Stamp
  private let pool: BlockingPool
  private let hash = Mutex(Hash())

  /// Opens the file at `path`, following links.
  /// - Throws: `notFound`; `notPermitted`; `badInput` when it is not a regular file (a pipe does not block).
  static func open(_ path: String, _ pool: BlockingPool) async throws(StoreError) -> SourceFile {
    let (file, stamp) = try await pool.blocking("byteclub could not open the file \"\(path)\"") {
      () throws(LocalFileFault) in
      let file = try LocalFile.open(path)
      return (file, try file.stamp())
    }
    guard stamp.isRegular else {
      let what = stamp.isFolder ? "a folder" : "not a regular file"
      throw StoreError(.badInput, "\"\(path)\" is \(what).", remedy: "Choose a file.")
    }
    return SourceFile(path, file, stamp, pool)
  }

  private init(_ path: String, _ file: LocalFile, _ stamp: LocalFile.Stamp, _ pool: BlockingPool) {
    (self.path, self.file, opened, self.pool) = (path, file, stamp, pool)
    bytes = stamp.size
    let times = (stamp.modified + stamp.changed).map(String.init).joined(separator: ".")
    self.stamp = "\(stamp.inode):\(stamp.size):\(times)"
  }

  /// True once a reading has found another content.
  var isChanged: Bool { hash.withLock { $0.isChanged } }

  /// The bytes from `offset` on: `count` of them, fewer at the end.
  func read(from offset: UInt64, count: Int) async throws(StoreError) -> [UInt8] {
    if Task.isCancelled { throw .cancelled("Reading \"\(path)\"") }
    try await hashUp(to: offset)
    return try await readOnce(from: offset, count: count)
  }

  /// The hash of the whole content.
  func contentHash() async throws(StoreError) -> ContentHash {
    try await hashUp(to: bytes)
    return hash.withLock { hash in
      hash.count = 0
      return hash.hasher.finish()
    }
  }

  /// Hashes what was not read yet.
  private func hashUp(to offset: UInt64) async throws(StoreError) {
    while true {
      let count = hash.withLock { $0.count }
      guard count < offset else { return }
      if Task.isCancelled { throw .cancelled("Reading \"\(path)\"") }
      _ = try await readOnce(from: count, count: min(Self.hashedBytes, Int(clamping: offset - count)))
    }
  }

  private func readOnce(from offset: UInt64, count: Int) async throws(StoreError) -> [UInt8] {
    let wanted = Int(clamping: min(UInt64(max(0, count)), bytes - min(bytes, offset)))
    let read: [UInt8]? = try await pool.blocking("byteclub could not read the file \"\(path)\"") {
      [self] () throws(LocalFileFault) in
      let read = try file.read(from: offset, count: wanted)
      // After the bytes were read: what the stamp says now holds for them.
      guard read.count == wanted, try file.stamp() == opened else { return nil }
      hash.withLock { hash in
        let end = offset + UInt64(read.count)
        guard offset <= hash.count, end > hash.count else { return }
        hash.hasher.update(read[Int(hash.count - offset)...])
        hash.count = end
      }
      return read
    }
    if let read { return read }
    hash.withLock { $0.isChanged = true }
    throw StoreError(
      .badInput, "\"\(path)\" changed during the upload.",
      remedy: "Upload it again when no program writes it.")
  }
}
