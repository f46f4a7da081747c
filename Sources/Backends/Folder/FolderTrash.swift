internal import CLinux
internal import FileStores
internal import Glibc

/// The trash of a folder: `.byteclub/trash/<id>/` with the file, and a record of where it came from.
///
/// The record is on the disk before the file moves, so a crash leaves the file in one of the two places.
struct FolderTrash: StoreTrash {
  let disk: FolderDisk
  let pool: BlockingPool

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try checkCancelled(path)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> TrashedFile in
      try disk.discard(path, ifRevision: ifRevision)
    }
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try checkCancelled(.root)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> [TrashedFile] in try disk.trashContents() }
  }

  func restore(_ file: TrashedFile.ID) async throws(StoreError) -> FileEntry {
    try checkCancelled(.root)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> FileEntry in try disk.restore(file) }
  }

  func empty() async throws(StoreError) -> Int {
    try checkCancelled(.root)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> Int in try disk.emptyTrash() }
  }

  private func checkCancelled(_ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The work on the trash", path: path) }
  }
}

/// Where a discarded file came from, as it is written down: lines of a version, a time in nanoseconds, then the path.
struct TrashRecord {
  var discarded: Timestamp
  var origin: StorePath

  private static let version = "byteclub trash 1"

  var bytes: [UInt8] {
    Array("\(TrashRecord.version)\n\(discarded.nanoseconds)\n".utf8) + origin.bytes
  }

  init(origin: StorePath, discarded: Timestamp) {
    self.origin = origin
    self.discarded = discarded
  }

  init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(TrashRecord.version.utf8),
      let time = Int64(String(decoding: parts[1], as: UTF8.self)), let origin = try? StorePath(parts[2])
    else { return nil }
    self.init(origin: origin, discarded: Timestamp(nanoseconds: time))
  }
}
