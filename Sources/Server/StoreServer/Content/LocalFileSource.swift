import Basics
import FileStores
import POSIX

struct LocalFileSource: ByteSource {
  let file: LocalFile
  let bytes: UInt64
  let pool: BlockingPool

  var size: UInt64? { bytes }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(file: file, pool: pool, offset: offset)
  }

  private struct Reading: ByteReading {
    let file: LocalFile
    let pool: BlockingPool
    var offset: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      let (file, at) = (file, offset)
      let bytes = try await pool.run { () throws(StoreError) -> [UInt8] in try file.read(512 * 1024, at: at) }
      offset += UInt64(bytes.count)
      return bytes.isEmpty ? nil : bytes[...]
    }
  }
}

/// A file in the server's data directory. Calls block: run them on a pool.
final class LocalFile: Sendable {
  let path: String
  private let file: OpenFile

  /// Creates a new file (0600) or opens an existing one.
  init(path: String, creating: Bool) throws(StoreError) {
    self.path = path
    do throws(SystemError) {
      file = try OpenFile(path, (creating ? O_RDWR | O_CREAT | O_EXCL : O_RDWR) | O_NOFOLLOW)
    } catch {
      throw LocalFile.failure(error.code, path)
    }
  }

  /// Opens an existing file to read it, also on a read-only disk.
  init(reading path: String) throws(StoreError) {
    self.path = path
    do throws(SystemError) {
      file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
    } catch {
      throw LocalFile.failure(error.code, path)
    }
  }

  var size: UInt64 {
    get throws(StoreError) {
      try attempt { () throws(SystemError) in try file.facts().size }
    }
  }

  func write(_ bytes: ByteChunk, at offset: UInt64) throws(StoreError) {
    try attempt { () throws(SystemError) in try file.write(bytes, at: offset) }
  }

  /// At most `count` bytes; empty at the end.
  func read(_ count: Int, at offset: UInt64) throws(StoreError) -> [UInt8] {
    try attempt { () throws(SystemError) in try file.read(from: offset, count: count) }
  }

  func truncate(to size: UInt64) throws(StoreError) {
    guard ftruncate(file.descriptor, off_t(size)) == 0 else { throw LocalFile.failure(errno, path) }
  }

  /// Flushes written bytes to the disk.
  func sync() throws(StoreError) {
    try attempt { () throws(SystemError) in try file.synchronize(metadata: false) }
  }

  private func attempt<Value>(_ call: () throws(SystemError) -> Value) throws(StoreError) -> Value {
    do throws(SystemError) { return try call() } catch { throw LocalFile.failure(error.code, path) }
  }

  /// Unlinks the file; open descriptors stay readable.
  func remove() { unlink(path) }

  fileprivate static func failure(_ code: Int32, _ path: String) -> StoreError {
    let message = "The server's file \"\(path)\" could not be used: \(SystemError.text(code))."
    switch code {
    case ENOENT: return StoreError(.notFound, message)
    case ENOSPC, EDQUOT: return StoreError(.quota, message, remedy: "Free some space on that disk.")
    case EACCES, EPERM, EROFS: return StoreError(.notPermitted, message)
    default: return StoreError(.server, message)
    }
  }
}

extension LocalFile {
  func rename(to target: String) throws(StoreError) {
    guard POSIX.rename(path, target) == 0 else { throw LocalFile.failure(errno, target) }
  }
}
