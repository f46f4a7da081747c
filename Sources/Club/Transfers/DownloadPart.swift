import Basics
import CPlatform
import FileStores
import POSIX
import Synchronization

/// The unfinished file of a download: `.NAME.byteclub-part-XXXXXXXX` in the download's folder, readable by its owner
/// only. An open part is locked (flock), so that the sweep of another engine skips it.
///
/// All file work blocks the pool's threads only. Calls come one at a time; after an `add`, `settle` comes
/// before any other call.
final class DownloadPart: Sendable {
  static let maxNameBytes = 255
  private static let marker = Array(".byteclub-part-".utf8)
  private static let readBytes = 1 << 20
  /// Short enough that a power cut costs a slow connection little.
  private static let flushInterval = Duration.milliseconds(200)

  private struct Disk {
    let folder: LocalFile
    let file: LocalFile
    let hasher = ContentHasher()
    var count: UInt64 = 0
    /// The time and the duration of the last flush.
    var flushed = Duration.zero
    var flushTime = Duration.zero
  }

  let name: [UInt8]
  private let folder: String
  private let goal: [UInt8]
  private let pool: BlockingPool
  private let flushedBytes: UInt64
  private let elapsed: @Sendable () -> Duration
  private let probe: DiskProbe?
  private let disk = Mutex<Disk?>(nil)
  private let lane: ChunkLane<LocalFileFault>
  private let durableBytes = Atomic<UInt64>(0)

  /// The part of a download in `folder`, under the journal's name for it or a new one. Touches no file.
  init(of record: TransferRecord, in folder: String, _ engine: TransferEngine, _ settings: TransferSettings) {
    (self.folder, goal) = (folder.isEmpty ? "." : folder, Array(record.path.name))
    name = record.part ?? Self.newName(for: goal, engine.random())
    (pool, elapsed) = (engine.pool, engine.elapsed)
    (flushedBytes, probe) = (UInt64(settings.pieceBytes), settings.diskProbe)
    lane = ChunkLane(pool: engine.pool)
  }

  private static func newName(for goal: [UInt8], _ random: UInt64) -> [UInt8] {
    let digits = Array(String(UInt32(truncatingIfNeeded: random), radix: 16).utf8)
    return prefix(of: goal) + [UInt8](repeating: UInt8(ascii: "0"), count: 8 - digits.count) + digits
  }

  private static func prefix(of goal: [UInt8]) -> [UInt8] {
    [UInt8(ascii: ".")] + goal.prefix(maxNameBytes - 1 - marker.count - 8) + marker
  }

  /// Opens or creates the file and keeps its first `offset` bytes, or nothing if it has fewer. With `most`, keeps the
  /// whole file if it has at most that many bytes.
  /// - Parameter claimed: names of parts that transfers need; other leftovers of the same file are removed.
  /// - Returns: the number of kept bytes.
  func open(at offset: UInt64, most: UInt64?, claimed: Set<[UInt8]>) async throws(StoreError) -> UInt64 {
    try await blocking("byteclub could not write to the folder \"\(folder)\"") {
      [self] (disk) throws(LocalFileFault) in
      let folder = try openFolder()
      let file = try step(.makePart) { () throws(LocalFileFault) in
        try LocalFile.open(name, in: folder, O_RDWR | O_CREAT, mode: 0o600)
      }
      guard try file.stamp().isRegular else { throw LocalFileFault(code: ELOOP) }
      _ = try? FileLock.take(file.descriptor)
      if offset == 0 { removeLeftovers(in: folder, but: claimed) }
      var opened = Disk(folder: folder, file: file, flushed: elapsed())
      try keep(offset, most, &opened)
      durableBytes.store(opened.count, ordering: .relaxed)
      disk = opened
      return opened.count
    }
  }

  private func keep(_ offset: UInt64, _ most: UInt64?, _ disk: inout Disk) throws(LocalFileFault) {
    let size = try disk.file.stamp().size
    let isAll = most.map { size > offset && size <= $0 } ?? false
    let start = size < offset ? 0 : isAll ? size : offset
    if isAll { try flush(disk) }
    if size > start {
      try step(.truncate) { () throws(LocalFileFault) in
        guard ftruncate(disk.file.descriptor, off_t(start)) == 0 else { throw .last }
      }
    }
    while disk.count < start {
      let bytes = try disk.file.read(from: disk.count, count: Int(min(UInt64(Self.readBytes), start - disk.count)))
      guard !bytes.isEmpty else { throw LocalFileFault(code: EIO) }
      disk.hasher.update(bytes[...])
      disk.count += UInt64(bytes.count)
    }
    lseek(disk.file.descriptor, off_t(start), SEEK_SET)
  }

  func freeBytes() async -> UInt64? {
    await pool.run { [folder] in
      var info = statvfs()
      guard statvfs(folder, &info) == 0, info.f_blocks > 0 else { return nil }
      return UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize)).partialValue
    }
  }

  /// Adds bytes, which are written and flushed in the background. A later call throws their error.
  func add(_ bytes: ByteChunk) async throws(StoreError) {
    do throws(LocalFileFault) {
      try await lane.add(bytes) { [self] (bytes) throws(LocalFileFault) in try write(bytes) }
    } catch {
      throw error.storeError(failure)
    }
  }

  /// Returns when all added bytes are written.
  func settle() async throws(StoreError) {
    do throws(LocalFileFault) { try await lane.finish() } catch { throw error.storeError(failure) }
  }

  var durable: UInt64 { durableBytes.load(ordering: .relaxed) }

  private func write(_ bytes: ByteChunk) throws(LocalFileFault) {
    try disk.withLock { (disk) throws(LocalFileFault) in
      guard var open = disk else { throw LocalFileFault(code: EBADF) }
      defer { disk = open }
      try step(.write) { () throws(LocalFileFault) in try open.file.write(bytes) }
      open.hasher.update(bytes)
      open.count += UInt64(bytes.count)
      // Timed flushes take a slow disk less than a tenth of its time.
      let time = elapsed()
      let isDue = time - open.flushed >= max(Self.flushInterval, open.flushTime * 10)
      guard isDue || open.count - durable >= flushedBytes else { return }
      try flush(open)
      durableBytes.store(open.count, ordering: .relaxed)
      open.flushed = elapsed()
      open.flushTime = open.flushed - time
    }
  }

  private func flush(_ disk: Disk) throws(LocalFileFault) {
    try step(.flush) { () throws(LocalFileFault) in
      try disk.file.synchronize(metadata: false)
    }
  }

  func flush() async throws(StoreError) -> UInt64 {
    try await blocking(failure) { [self] (disk) throws(LocalFileFault) in
      guard let disk else { return 0 }
      try flush(disk)
      return disk.count
    }
  }

  /// The size and hash of all written bytes. Call it once.
  func sum() async throws(StoreError) -> (UInt64, ContentHash) {
    try await blocking(failure) { (disk) throws(LocalFileFault) in
      guard let disk else { throw LocalFileFault(code: EBADF) }
      return (disk.count, disk.hasher.finish())
    }
  }

  /// Makes bytes and permissions durable. The file gets the stored one's time, if that is known.
  func seal(modified: Timestamp?) async throws(StoreError) {
    try await blocking(failure) { [self] (disk) throws(LocalFileFault) in
      guard let file = disk?.file else { throw LocalFileFault(code: EBADF) }
      try step(.seal) { () throws(LocalFileFault) in
        guard fchmod(file.descriptor, 0o666 & ~Self.mask) == 0 else { throw .last }
        if let modified { file.setModified(modified) }
        try file.synchronize()
      }
    }
  }

  /// Gives the file a durable name in place of the part's name, without replacing anything.
  /// - Returns: false if another file has that name; true also if this file already had it.
  func publish(as target: [UInt8]) async throws(StoreError) -> Bool {
    try await blocking(failure) { [self] (disk) throws(LocalFileFault) in
      guard let disk else { throw LocalFileFault(code: EBADF) }
      guard try link(target, disk) else { return false }
      do throws(LocalFileFault) {
        try step(.syncFolder) { () throws(LocalFileFault) in
          do throws(LocalFileFault) {
            try disk.folder.synchronize()
          } catch {
            // Some network file systems cannot sync folders.
            guard error.code == EINVAL || error.code == EOPNOTSUPP else { throw error }
          }
        }
      } catch {
        if disk.folder.status(of: name) != nil { unlinkat(disk.folder.descriptor, LocalFile.cString(target), 0) }
        throw error
      }
      try unlink(in: disk.folder)
      return true
    }
  }

  private func link(_ target: [UInt8], _ disk: Disk) throws(LocalFileFault) -> Bool {
    try step(.link) { () throws(LocalFileFault) in
      let folder = disk.folder.descriptor
      let (from, to) = (LocalFile.cString(name), LocalFile.cString(target))
      if linkat(folder, from, folder, to, 0) == 0 { return true }
      let code = errno
      let taken = disk.folder.status(of: target)
      switch code {
      case EEXIST:
        // The link may have been made just before a crash.
        let own = try disk.file.stamp()
        return taken.map { UInt64($0.st_ino) == own.inode && UInt64($0.st_dev) == own.device } ?? false
      case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
        // File systems without links (FAT) need two steps.
        if taken != nil { return false }
        guard renameat(folder, from, folder, to) == 0 else { throw .last }
        return true
      default: throw LocalFileFault(code: code)
      }
    }
  }

  func remove() async throws(StoreError) {
    try await blocking("byteclub could not remove the unfinished download in \"\(folder)\"") {
      [self] (disk) throws(LocalFileFault) in
      disk = nil
      do throws(LocalFileFault) {
        try unlink(in: try openFolder())
      } catch {
        guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
      }
    }
  }

  private func unlink(in folder: LocalFile) throws(LocalFileFault) {
    try step(.unlink) { () throws(LocalFileFault) in
      guard unlinkat(folder.descriptor, LocalFile.cString(name), 0) == 0 || errno == ENOENT else { throw .last }
    }
  }

  private func removeLeftovers(in folder: LocalFile, but claimed: Set<[UInt8]>) {
    let prefix = Self.prefix(of: goal)
    for found in (try? Folders.nameBytes(in: self.folder)) ?? [] {
      guard found.count == prefix.count + 8, found.starts(with: prefix), found != name, !claimed.contains(found),
        let file = try? LocalFile.open(found, in: folder, O_RDONLY)
      else { continue }
      if (try? FileLock.take(file.descriptor)) == true { unlinkat(folder.descriptor, LocalFile.cString(found), 0) }
    }
  }

  private var failure: String {
    "byteclub could not write the file \"\(String(decoding: goal, as: UTF8.self))\" to \"\(folder)\""
  }

  private func blocking<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable (inout Disk?) throws(LocalFileFault) -> Value
  ) async throws(StoreError) -> Value {
    try await pool.blocking(what) { [self] () throws(LocalFileFault) in
      try disk.withLock { (disk) throws(LocalFileFault) in try body(&disk) }
    }
  }

  private func openFolder() throws(LocalFileFault) -> LocalFile { try LocalFile.open(folder, O_DIRECTORY) }

  private func step<Value>(
    _ step: DiskStep, _ body: () throws(LocalFileFault) -> Value
  ) throws(LocalFileFault) -> Value {
    guard let probe else { return try body() }
    if case let code = probe(step, false), code != 0 { throw LocalFileFault(code: code) }
    let value = try body()
    if case let code = probe(step, true), code != 0 { throw LocalFileFault(code: code) }
    return value
  }

  /// The process's umask; the strictest where the system does not tell.
  private static var mask: mode_t {
    let mask = cp_umask()
    return mask < 0 ? 0o077 : mode_t(mask)
  }
}

extension DownloadPart {
  func content(of name: [UInt8]) async throws(StoreError) -> (UInt64, ContentHash)? {
    try await inFolder { (folder) throws(LocalFileFault) in
      guard let file = try? LocalFile.open(name, in: folder, O_RDONLY), try file.stamp().isRegular else { return nil }
      let hasher = ContentHasher()
      var count: UInt64 = 0
      while true {
        let bytes = try file.read(from: count, count: Self.readBytes)
        if bytes.isEmpty { return (count, hasher.finish()) }
        hasher.update(bytes[...])
        count += UInt64(bytes.count)
      }
    }
  }

  func hasName(_ other: [UInt8]) async throws(StoreError) -> Bool {
    try await inFolder { [name] (folder) throws(LocalFileFault) in
      guard let one = folder.status(of: name), let two = folder.status(of: other) else { return false }
      return one.st_ino == two.st_ino && one.st_dev == two.st_dev
    }
  }

  func exists() async throws(StoreError) -> Bool {
    try await inFolder { [name] (folder) throws(LocalFileFault) in folder.status(of: name) != nil }
  }

  private func inFolder<Value: Sendable>(
    _ body: @escaping @Sendable (LocalFile) throws(LocalFileFault) -> Value
  ) async throws(StoreError) -> Value {
    try await pool.blocking("byteclub could not read the folder \"\(folder)\"") { [self] () throws(LocalFileFault) in
      try body(try openFolder())
    }
  }
}
