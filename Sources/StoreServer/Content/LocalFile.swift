import FileStores
import Glibc

/// A file of the server's own, in its data directory. Calls block: make them on a pool.
final class LocalFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Makes a new file (0600), or opens one that is there.
  init(path: String, creating: Bool) throws(StoreError) {
    self.path = path
    let flags = creating ? O_RDWR | O_CREAT | O_EXCL : O_RDWR
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw LocalFile.failure(errno, path) }
  }

  deinit { close(descriptor) }

  var size: UInt64 {
    get throws(StoreError) {
      // Reading and writing have places of their own, so that of the descriptor is free.
      let end = lseek(descriptor, 0, SEEK_END)
      guard end >= 0 else { throw LocalFile.failure(errno, path) }
      return UInt64(end)
    }
  }

  func write(_ bytes: ByteChunk, at offset: UInt64) throws(StoreError) {
    let code = bytes.withUnsafeBytes { buffer -> Int32 in
      var done = 0
      while done < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(offset) + off_t(done))
        if count > 0 { done += count } else if errno != EINTR { return errno }
      }
      return 0
    }
    guard code == 0 else { throw LocalFile.failure(code, path) }
  }

  /// At most `count` bytes from an offset; empty at the end.
  func read(_ count: Int, at offset: UInt64) throws(StoreError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = pread(descriptor, buffer.baseAddress, count, off_t(offset))
      while got < 0, errno == EINTR { got = pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
      if got < 0 { code = errno }
      filled = max(got, 0)
    }
    guard code == 0 else { throw LocalFile.failure(code, path) }
    return bytes
  }

  func truncate(to size: UInt64) throws(StoreError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw LocalFile.failure(errno, path) }
  }

  /// What was written is on the disk.
  func sync() throws(StoreError) {
    guard fdatasync(descriptor) == 0 else { throw LocalFile.failure(errno, path) }
  }

  /// The file's name goes; what is open stays readable.
  func remove() { unlink(path) }

  fileprivate static func failure(_ code: Int32, _ path: String) -> StoreError {
    let message = "The server's file \"\(path)\" could not be used: \(String(cString: strerror(code)))."
    switch code {
    case ENOENT: return StoreError(.notFound, message)
    case ENOSPC, EDQUOT: return StoreError(.quota, message, remedy: "Free some space on that disk.")
    case EACCES, EPERM, EROFS: return StoreError(.notPermitted, message)
    default: return StoreError(.server, message)
    }
  }
}

extension LocalFile {
  /// Gives the file another name, over whatever has it.
  func rename(to target: String) throws(StoreError) {
    guard Glibc.rename(path, target) == 0 else { throw LocalFile.failure(errno, target) }
  }
}
