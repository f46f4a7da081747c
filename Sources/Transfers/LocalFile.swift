import Glibc

/// An open file of this machine, closed with the last reference. All calls block.
final class LocalFile: Sendable {
  let descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// What tells one content of a file from another without reading it.
  struct Stamp: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    let size: UInt64
    let modified: [Int]
    let changed: [Int]
    let isRegular: Bool
    let isFolder: Bool
  }

  /// Opens for reading. A pipe or device does not block, and is told apart by its stamp.
  static func open(_ path: String) throws(LocalFileFault) -> LocalFile {
    let descriptor = retrying { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw .last }
    return LocalFile(owning: descriptor)
  }

  func stamp() throws(LocalFileFault) -> Stamp {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw .last }
    return Stamp(
      device: UInt64(info.st_dev), inode: UInt64(info.st_ino), size: UInt64(clamping: info.st_size),
      modified: [info.st_mtim.tv_sec, info.st_mtim.tv_nsec], changed: [info.st_ctim.tv_sec, info.st_ctim.tv_nsec],
      isRegular: info.st_mode & S_IFMT == S_IFREG, isFolder: info.st_mode & S_IFMT == S_IFDIR)
  }

  /// Up to `count` bytes from `offset`; fewer, down to none, at the end.
  func read(from offset: UInt64, count: Int) throws(LocalFileFault) -> [UInt8] {
    var failure: LocalFileFault?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(LocalFileFault) {
        filled = try read(into: UnsafeMutableRawBufferPointer(buffer), from: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// As many bytes from `offset` on as there are, or fit into `buffer`; how many.
  func read(into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(LocalFileFault) -> Int {
    guard let offset = off_t(exactly: offset) else { return 0 }
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let got = pread(descriptor, rest.baseAddress, rest.count, offset + off_t(filled))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .last }
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  /// Writes all bytes at the file's position.
  func write(_ bytes: ArraySlice<UInt8>) throws(LocalFileFault) {
    var rest = bytes
    while !rest.isEmpty {
      let wrote = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if wrote < 0, errno == EINTR { continue }
      guard wrote > 0 else { throw .last }
      rest = rest.dropFirst(wrote)
    }
  }

  /// On the disk when this returns.
  func synchronize() throws(LocalFileFault) {
    guard Self.retrying({ fsync(descriptor) }) == 0 else { throw .last }
  }

  static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
