import FileStores
import Glibc

/// What is done by name, whether or not the part is open.
extension PartDisk {
  static func openFolder(_ path: String) throws(LocalFileFault) -> LocalFile {
    let descriptor = LocalFile.retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last }
    return LocalFile(owning: descriptor)
  }

  /// A descriptor is closed with the last use of its file: it is held until `body` is through.
  private static func inFolder<Value>(_ path: String, _ body: (Int32) -> Value) throws(LocalFileFault) -> Value {
    let folder = try openFolder(path)
    return withExtendedLifetime(folder) { body(folder.descriptor) }
  }

  private static func stamp(of name: [UInt8], _ folder: Int32) -> stat? {
    var info = stat()
    return fstatat(folder, cString(name), &info, AT_SYMLINK_NOFOLLOW) == 0 ? info : nil
  }

  static func remove(_ name: [UInt8], in path: String, probe: DiskProbe?) throws(LocalFileFault) {
    let folder: LocalFile
    do throws(LocalFileFault) {
      folder = try openFolder(path)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return }
      throw error
    }
    try unlink(name, folder, probe)
  }

  static func unlink(_ name: [UInt8], _ folder: LocalFile, _ probe: DiskProbe?) throws(LocalFileFault) {
    try step(.unlink, probe) { () throws(LocalFileFault) in
      guard unlinkat(folder.descriptor, cString(name), 0) == 0 || errno == ENOENT else { throw .last }
    }
  }

  static func exists(_ name: [UInt8], in path: String) throws(LocalFileFault) -> Bool {
    try inFolder(path) { folder in stamp(of: name, folder) != nil }
  }

  /// True when two names are those of one file.
  static func isOne(_ name: [UInt8], _ other: [UInt8], in path: String) throws(LocalFileFault) -> Bool {
    try inFolder(path) { folder in
      guard let one = stamp(of: name, folder), let two = stamp(of: other, folder) else { return false }
      return one.st_ino == two.st_ino && one.st_dev == two.st_dev
    }
  }

  static func content(of name: [UInt8], in path: String) throws(LocalFileFault) -> (UInt64, ContentHash)? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = try inFolder(path) { folder in openat(folder, cString(name), flags) }
    guard descriptor >= 0 else { return nil }
    let file = LocalFile(owning: descriptor)
    guard try file.stamp().isRegular else { return nil }
    let hasher = ContentHasher()
    var count: UInt64 = 0
    while true {
      let bytes = try file.read(from: count, count: 1 << 20)
      if bytes.isEmpty { return (count, hasher.finish()) }
      hasher.update(bytes[...])
      count += UInt64(bytes.count)
    }
  }

  static func step<Value>(
    _ step: DiskStep, _ probe: DiskProbe?, _ body: () throws(LocalFileFault) -> Value
  ) throws(LocalFileFault) -> Value {
    guard let probe else { return try body() }
    if case let code = probe(step, false), code != 0 { throw LocalFileFault(code: code) }
    let value = try body()
    if case let code = probe(step, true), code != 0 { throw LocalFileFault(code: code) }
    return value
  }

  static func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}

extension LocalFileFault {
  /// A step out of order.
  static var notOpen: LocalFileFault { LocalFileFault(code: EBADF) }
}
