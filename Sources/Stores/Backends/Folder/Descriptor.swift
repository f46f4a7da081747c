internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX

/// An open file or folder, closed with the last reference. All calls block.
final class Descriptor: Sendable {
  private let file: OpenFile
  var raw: Int32 { file.descriptor }

  init(_ raw: Int32) { file = OpenFile(owning: raw) }

  func stat(_ path: StorePath) throws(StoreError) -> FileStat {
    var out = cp_stat()
    try check(cp_stat_open(raw, &out), "look at", path)
    return FileStat(out)
  }

  /// Stats a name in this folder without following a link. Returns nil if nothing has the name.
  func stat(_ name: CName, _ path: StorePath) throws(StoreError) -> FileStat? {
    var out = cp_stat()
    let code = cp_stat_at(raw, name.bytes, &out)
    if code == -ENOENT { return nil }
    try check(code, "look at", path)
    return FileStat(out)
  }

  func read(_ count: Int, at offset: UInt64, _ path: StorePath) throws(StoreError) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(from: offset, count: count)
    } catch {
      throw FolderFault.error(error.code, "read", path)
    }
  }

  func write(_ bytes: ByteChunk, at offset: UInt64, _ path: StorePath) throws(StoreError) {
    do throws(SystemError) {
      try file.write(bytes, at: offset)
    } catch {
      throw FolderFault.error(error.code, "write", path)
    }
  }

  /// Releases the lock at once. Closing would release it too, but a suspended task can delay that.
  func unlock() { FileLock.release(raw) }

  /// Cuts the file off at `offset`. A failure is ignored, because the callers do not count the bytes behind it.
  func truncate(to offset: UInt64) { ftruncate(raw, off_t(offset)) }

  func sync(_ path: StorePath) throws(StoreError) {
    // EINVAL, ENOTSUP: this file system has no fsync for such a file.
    do throws(SystemError) {
      try file.synchronizeNames()
    } catch {
      throw FolderFault.error(error.code, "write", path)
    }
  }

  /// Starts the write-back, which shortens a later `sync`. Failure is harmless.
  func beginSync() { cp_begin_sync(raw) }

  /// Sets the modification time. On failure the file keeps the time of its last write.
  func setModified(_ time: Timestamp) {
    cp_set_modified(raw, time.parts.seconds, time.parts.nanoseconds)
  }

  /// Returns 0 or a negative errno; `-EINVAL` also means that the file system lacks this `RenameWay`.
  func rename(_ name: CName, to newName: CName, in parent: Descriptor, _ way: RenameWay) -> Int32 {
    cp_rename(raw, name.bytes, parent.raw, newName.bytes, way.rawValue)
  }

  private func check(_ code: Int32, _ action: String, _ path: StorePath) throws(StoreError) {
    if code < 0 { throw FolderFault.error(-code, action, path) }
  }
}

enum RenameWay: Int32 {
  case over = 0
  case new = 1
  case exchange = 2
}

struct CName: Sendable, Equatable {
  let bytes: [CChar]

  init(_ bytes: some Collection<UInt8>) {
    var copy: [CChar] = []
    copy.reserveCapacity(bytes.count + 1)
    for byte in bytes { copy.append(CChar(bitPattern: byte)) }
    copy.append(0)
    self.bytes = copy
  }

  init(_ text: String) {
    self.init(text.utf8)
  }

  init(_ path: StorePath) {
    if path.isRoot { self.init(".") } else { self.init(path.bytes) }
  }

  static func temporary() -> CName {
    CName(temporaryPrefix + FolderDisk.randomWord())
  }

  static let temporaryPrefix = ".byteclub-tmp-"

  var isTemporary: Bool { bytes.starts(with: CName.temporaryPrefix.utf8.map { CChar(bitPattern: $0) }) }
}
