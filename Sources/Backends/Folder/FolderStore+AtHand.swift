internal import CLinux
public import FileStores

extension FolderStore: ReadyReading {
  /// All bytes of a small file that is in the kernel's memory; see `ReadyReading`.
  public func readAtHand(_ path: StorePath, ifRevision: Revision, limit: Int) -> [UInt8]? {
    guard !path.isRoot, !disk.isOwn(path) else { return nil }
    // One more than may be: a longer file is seen to be longer.
    let room = limit + 1
    let inMemory: Int32 = disk.fileSystem == FolderStore.memoryFileSystem ? 1 : 0
    var there = cl_stat()
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      let count = cl_read_at_hand(
        disk.root.bytes, disk.device, CName(path).bytes, inMemory, buffer.baseAddress, room, &there)
      filled = max(count, 0)
    }
    let stat = FileStat(there)
    guard stat.kind == .file, stat.revision == ifRevision, UInt64(bytes.count) == stat.raw.size, bytes.count <= limit,
      disk.isSettled(stat)
    else { return nil }
    return bytes
  }

  /// tmpfs.
  private static let memoryFileSystem: Int64 = 0x0102_1994
}
