internal import CLinux
internal import FileStores
internal import Glibc

/// An open file or folder; closed when the last reference goes. All calls block.
final class Descriptor: Sendable {
  let raw: Int32

  init(_ raw: Int32) {
    self.raw = raw
  }

  deinit { close(raw) }

  /// What fstat says.
  func stat(_ path: StorePath) throws(StoreError) -> FileStat {
    var out = cl_stat()
    try check(cl_stat_open(raw, &out), "look at", path)
    return FileStat(out)
  }

  /// What fstatat says of a name in this folder, without following a link; nil when nothing is there.
  func stat(_ name: CName, _ path: StorePath) throws(StoreError) -> FileStat? {
    var out = cl_stat()
    let code = cl_stat_at(raw, name.bytes, &out)
    if code == -ENOENT { return nil }
    try check(code, "look at", path)
    return FileStat(out)
  }

  /// Up to `count` bytes from `offset`; empty at the end.
  func read(_ count: Int, at offset: UInt64, _ path: StorePath) throws(StoreError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat {
        let got = pread(raw, buffer.baseAddress, count, off_t(clamping: offset))
        code = got < 0 ? errno : 0
        filled = max(got, 0)
      } while code == EINTR
    }
    try check(-code, "read", path)
    return bytes
  }

  /// Writes all of the bytes at `offset`.
  func write(_ bytes: ByteChunk, at offset: UInt64, _ path: StorePath) throws(StoreError) {
    let code = bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let put = pwrite(raw, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset) + off_t(done))
        if put < 0 {
          if errno == EINTR { continue }
          return errno
        }
        done += put
      }
      return 0
    }
    try check(-code, "write", path)
  }

  /// Gives back a lock before the descriptor is closed, which a suspended task may delay.
  func unlock() { flock(raw, LOCK_UN) }

  /// Cuts off what lies behind `offset`. A system that will not leaves bytes that nobody counts.
  func truncate(to offset: UInt64) { ftruncate(raw, off_t(offset)) }

  /// Waits until what was written is on the disk.
  func sync(_ path: StorePath) throws(StoreError) {
    while fsync(raw) != 0 {
      // EINVAL, ENOTSUP: this file system has no fsync for such a file.
      if errno == EINVAL || errno == ENOTSUP { return }
      if errno != EINTR { throw FolderFault.error(errno, "write", path) }
    }
  }

  /// Has the disk begin with what was written, so that a later `sync` waits less. A system that will not is no harm.
  func beginSync() { cl_begin_sync(raw) }

  /// Gives a file that was written another time. Where that is not possible it keeps the moment of the writing.
  func setModified(_ time: Timestamp) {
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Before 1970 the rest still counts forwards.
    cl_set_modified(raw, rest < 0 ? seconds - 1 : seconds, rest < 0 ? rest + 1_000_000_000 : rest)
  }

  /// Renames a name of this folder.
  /// Returns 0, or a negative errno: `-EINVAL` also where the file system does not know the way.
  func rename(_ name: CName, to newName: CName, in parent: Descriptor, _ way: RenameWay) -> Int32 {
    cl_rename(raw, name.bytes, parent.raw, newName.bytes, way.rawValue)
  }

  private func check(_ code: Int32, _ action: String, _ path: StorePath) throws(StoreError) {
    if code < 0 { throw FolderFault.error(-code, action, path) }
  }
}

/// What a rename does with what is at the new name.
enum RenameWay: Int32 {
  /// Replaces it.
  case over = 0
  /// Fails with `EEXIST`.
  case new = 1
  /// Gives it the old name.
  case exchange = 2
}
