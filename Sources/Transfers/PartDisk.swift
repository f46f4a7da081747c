import FileStores
import Glibc

/// An open part file. All calls block; used from one thread at a time. Locked (flock) while it is open: another engine's
/// sweep leaves it alone.
final class PartDisk {
  private static let marker = Array(".byteclub-part-".utf8)
  /// What Linux file systems take.
  static let maxNameBytes = 255
  private static let readBytes = 1 << 20

  private let folder: LocalFile
  private let path: String
  private let file: LocalFile
  private let name: [UInt8]
  private let probe: DiskProbe?
  private let hasher = ContentHasher()
  private(set) var count: UInt64 = 0

  /// Opens or makes it.
  init(folder path: String, name: [UInt8], probe: DiskProbe?) throws(LocalFileFault) {
    (self.path, self.name, self.probe) = (path, name, probe)
    let folder = try Self.openFolder(path)
    self.folder = folder
    file = try Self.step(.makePart, probe) { () throws(LocalFileFault) in
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let opened = LocalFile.retrying { openat(folder.descriptor, Self.cString(name), flags, 0o600) }
      guard opened >= 0 else { throw .last }
      return LocalFile(owning: opened)
    }
    guard try file.stamp().isRegular else { throw LocalFileFault(code: ELOOP) }
    _ = flock(file.descriptor, LOCK_EX | LOCK_NB)
  }

  /// Keeps the first `offset` bytes, or none when there are fewer, and goes on behind them. With `most`, keeps all bytes
  /// that the file has, when they are not more than that, and makes them last.
  func keep(_ offset: UInt64, most: UInt64?) throws(LocalFileFault) -> UInt64 {
    let size = try file.stamp().size
    let isAll = most.map { size > offset && size <= $0 } ?? false
    let start = size < offset ? 0 : isAll ? size : offset
    if isAll { try flush() }
    if size > start {
      try Self.step(.truncate, probe) { () throws(LocalFileFault) in
        guard ftruncate(file.descriptor, off_t(start)) == 0 else { throw .last }
      }
    }
    while count < start {
      let bytes = try file.read(from: count, count: Int(min(UInt64(Self.readBytes), start - count)))
      guard !bytes.isEmpty else { throw LocalFileFault(code: EIO) }
      hasher.update(bytes[...])
      count += UInt64(bytes.count)
    }
    lseek(file.descriptor, off_t(start), SEEK_SET)
    return start
  }

  func write(_ bytes: ByteChunk) throws(LocalFileFault) {
    try Self.step(.write, probe) { () throws(LocalFileFault) in try file.write(bytes) }
    hasher.update(bytes)
    count += UInt64(bytes.count)
  }

  func flush() throws(LocalFileFault) {
    try Self.step(.flush, probe) { () throws(LocalFileFault) in
      guard LocalFile.retrying({ fdatasync(file.descriptor) }) == 0 else { throw .last }
    }
  }

  func hash() -> ContentHash { hasher.finish() }

  /// The bytes, and who may read them, are on the disk when this returns.
  func seal() throws(LocalFileFault) {
    try Self.step(.seal, probe) { () throws(LocalFileFault) in
      guard fchmod(file.descriptor, 0o666 & ~Self.mask) == 0 else { throw .last }
      try file.synchronize()
    }
  }

  /// Gives the file a name that lasts, and takes the part's from it; false when something else has that name.
  func publish(as target: [UInt8]) throws(LocalFileFault) -> Bool {
    guard try take(target) else { return false }
    do throws(LocalFileFault) {
      try syncFolder()
    } catch {
      // A name that may not last is taken back, while the part still has its own.
      if try Self.exists(name, in: path) { unlinkat(folder.descriptor, Self.cString(target), 0) }
      throw error
    }
    try Self.unlink(name, folder, probe)
    return true
  }

  /// A second name for the file is refused when anything has it, as one step; the first name goes afterwards.
  private func take(_ target: [UInt8]) throws(LocalFileFault) -> Bool {
    try Self.step(.link, probe) { () throws(LocalFileFault) in
      if linkat(folder.descriptor, Self.cString(name), folder.descriptor, Self.cString(target), 0) == 0 { return true }
      let code = errno
      var info = stat()
      let isTaken = fstatat(folder.descriptor, Self.cString(target), &info, AT_SYMLINK_NOFOLLOW) == 0
      switch code {
      case EEXIST:
        // The link may have been made just before a crash.
        let own = try file.stamp()
        return isTaken && UInt64(info.st_ino) == own.inode && UInt64(info.st_dev) == own.device
      case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
        // File systems without links (FAT): looked at and renamed, which is two steps.
        if isTaken { return false }
        guard renameat(folder.descriptor, Self.cString(name), folder.descriptor, Self.cString(target)) == 0 else {
          throw .last
        }
        return true
      default: throw LocalFileFault(code: code)
      }
    }
  }

  private func syncFolder() throws(LocalFileFault) {
    try Self.step(.syncFolder, probe) { () throws(LocalFileFault) in
      do throws(LocalFileFault) {
        try folder.synchronize()
      } catch {
        // Some network file systems cannot do so for folders.
        guard error.code == EINVAL || error.code == EOPNOTSUPP else { throw error }
      }
    }
  }

  /// Removes parts of a file's name that nobody needs.
  func removeLeftovers(of goal: [UInt8], but claimed: Set<[UInt8]>) {
    let prefix = Self.prefix(of: goal)
    guard let listing = opendir(path) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let found = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
          Array(UnsafeBufferPointer(start: start, count: 256).prefix { $0 != 0 })
        }
      }
      guard found.count == prefix.count + 8, found.starts(with: prefix), found != name, !claimed.contains(found)
      else { continue }
      let descriptor = openat(folder.descriptor, Self.cString(found), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlinkat(folder.descriptor, Self.cString(found), 0) }
      close(descriptor)
    }
  }

  static func prefix(of goal: [UInt8]) -> [UInt8] {
    [UInt8(ascii: ".")] + goal.prefix(maxNameBytes - 1 - marker.count - 8) + marker
  }

  /// The process's umask. Asking with umask(2) would change it for other threads, so the kernel's table is read.
  private static var mask: mode_t {
    guard let status = try? LocalFile.open("/proc/self/status").read(from: 0, count: 4096),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: {
        $0.hasPrefix("Umask:")
      }), let mask = mode_t(line.dropFirst(6).drop { $0 == " " || $0 == "\t" }, radix: 8)
    else { return 0o077 }
    return mask
  }
}
