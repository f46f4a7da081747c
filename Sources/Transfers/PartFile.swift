import FileStores
import Glibc

/// The unfinished file of a download. All calls block; used from one thread at a time.
///
/// It is locked (flock) for as long as its process lives: one without a lock is a leftover.
final class PartFile {
  private static let marker = Array(".byteclub-part-".utf8)
  /// What Linux file systems take.
  private static let maxNameBytes = 255
  private static let maxNames = 10_000

  private let folder: LocalFile
  private let file: LocalFile
  private let partName: [CChar]
  private let name: [UInt8]
  private let hasher = ContentHasher()
  private(set) var size: UInt64 = 0

  init(directory: String, name: [UInt8]) throws(LocalFileFault) {
    let descriptor = LocalFile.retrying { Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last }
    folder = LocalFile(owning: descriptor)
    self.name = name
    let prefix = Self.prefix(of: name)
    Self.removeLeftovers(in: directory, folder: folder, prefix: prefix)
    while true {
      let digits = String(UInt32.random(in: .min ... .max), radix: 16)
      let candidate = Self.cString(prefix + Array(String(repeating: "0", count: 8 - digits.count).utf8) + digits.utf8)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let made = LocalFile.retrying { openat(descriptor, candidate, flags, 0o600) }
      if made < 0, errno == EEXIST { continue }
      guard made >= 0 else { throw .last }
      file = LocalFile(owning: made)
      partName = candidate
      // Where the file system has no locks, another process may take this for a leftover; it has none then either.
      _ = flock(made, LOCK_EX | LOCK_NB)
      return
    }
  }

  func write(_ bytes: ByteChunk) throws(LocalFileFault) {
    try file.write(bytes)
    hasher.update(bytes)
    size += UInt64(bytes.count)
  }

  /// The hash of all that was written. Asked once.
  func hash() -> ContentHash { hasher.finish() }

  /// The bytes, and who may read them, are on the disk when this returns.
  func synchronize() throws(LocalFileFault) {
    guard fchmod(file.descriptor, 0o666 & ~Self.mask) == 0 else { throw .last }
    try file.synchronize()
  }

  /// Gives the file its name, or the next one that is free. Returns the name.
  func publish() throws(LocalFileFault) -> [UInt8] {
    for number in 1...Self.maxNames {
      let candidate = number == 1 ? name : FileName.numbered(name, number, limit: Self.maxNameBytes)
      guard try take(candidate) else { continue }
      try keep(candidate)
      return candidate
    }
    throw LocalFileFault(code: EEXIST)
  }

  /// Makes the name last; when that fails, takes it back.
  private func keep(_ candidate: [UInt8]) throws(LocalFileFault) {
    do throws(LocalFileFault) {
      try folder.synchronize()
    } catch {
      // Some network file systems cannot do so for folders.
      if error.code == EINVAL || error.code == EOPNOTSUPP { return }
      unlinkat(folder.descriptor, Self.cString(candidate), 0)
      throw error
    }
  }

  func remove() {
    unlinkat(folder.descriptor, partName, 0)
  }

  /// Moves the file to a name, unless anything has that name.
  private func take(_ candidate: [UInt8]) throws(LocalFileFault) -> Bool {
    let target = Self.cString(candidate)
    // A second name for the file is refused when anything has it, as one step; the first name goes afterwards.
    if linkat(folder.descriptor, partName, folder.descriptor, target, 0) == 0 {
      unlinkat(folder.descriptor, partName, 0)
      return true
    }
    switch errno {
    case EEXIST: return false
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
      // File systems without links (FAT): looked at and renamed, which is two steps.
      var info = stat()
      if fstatat(folder.descriptor, target, &info, AT_SYMLINK_NOFOLLOW) == 0 { return false }
      guard renameat(folder.descriptor, partName, folder.descriptor, target) == 0 else { throw .last }
      return true
    default: throw .last
    }
  }

  private static func prefix(of name: [UInt8]) -> [UInt8] {
    [UInt8(ascii: ".")] + name.prefix(maxNameBytes - 1 - marker.count - 8) + marker
  }

  private static func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  private static func removeLeftovers(in directory: String, folder: LocalFile, prefix: [UInt8]) {
    guard let listing = opendir(directory) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let found = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
          Array(UnsafeBufferPointer(start: start, count: 256).prefix { $0 != 0 })
        }
      }
      guard found.count == prefix.count + 8, found.starts(with: prefix) else { continue }
      let leftover = cString(found)
      let descriptor = openat(folder.descriptor, leftover, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlinkat(folder.descriptor, leftover, 0) }
      close(descriptor)
    }
  }

  /// The process's umask. Asking with umask(2) would change it for other threads, so the kernel's table is read.
  private static var mask: mode_t {
    guard let status = try? LocalFile.open("/proc/self/status").readText(),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }),
      let mask = mode_t(line.dropFirst(6).drop { $0 == " " || $0 == "\t" }, radix: 8)
    else { return 0o077 }
    return mask
  }
}

extension LocalFile {
  fileprivate func readText() throws(LocalFileFault) -> String {
    String(decoding: try read(from: 0, count: 4096), as: UTF8.self)
  }
}
