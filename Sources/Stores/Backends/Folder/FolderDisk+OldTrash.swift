internal import CPlatform
internal import FileStores
internal import POSIX

private let recordName = CName("origin")

/// The trash of earlier versions of byteclub: `.byteclub/trash/<id>/` with the file and a record of its origin.
extension FolderDisk {
  static let oldName = CName("file")

  func oldTrashContents() throws(StoreError) -> [TrashedFile] {
    guard let trash = try openOwnIfThere("trash", below: try openRoot()) else { return [] }
    var files: [TrashedFile] = []
    while true {
      let names = try DirectoryReader(bytes: 64 * 1024).someNames(in: trash, .root)
      if names.isEmpty { break }
      for name in names {
        let raw = cp_open_beneath(trash.raw, name.bytes, O_RDONLY | O_DIRECTORY, 0)
        guard raw >= 0 else { continue }
        let slot = Descriptor(raw)
        guard let record = try record(in: slot), let stat = try slot.stat(FolderDisk.oldName, .root) else { continue }
        let id = String(decoding: name.bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        files.append(TrashedFile(id: id, origin: record.origin, discarded: record.discarded, size: stat.raw.size))
      }
    }
    return files
  }

  func restoreOld(_ id: TrashedFile.ID, as target: StorePath?) throws(StoreError) -> FileEntry {
    let (slot, origin) = try openOld(id, to: "restore")
    let root = try openRoot()
    let entry = try putBack(FolderDisk.oldName, in: slot, to: target ?? origin, below: root)
    if let trash = try openOwnIfThere("trash", below: root) { try remove(CName(id), in: trash, entry.path) }
    return entry
  }

  /// - Throws: `notFound` without such a file.
  func openOld(_ id: TrashedFile.ID, to action: String) throws(StoreError) -> (slot: Descriptor, origin: StorePath) {
    let gone = StoreError.trashedFileGone
    guard FolderDisk.isOwnWord(id), let trash = try openOwnIfThere("trash", below: try openRoot()) else { throw gone }
    let raw = cp_open_beneath(trash.raw, CName(id).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw raw == -ENOENT ? gone : FolderFault.error(-raw, action, .root) }
    let slot = Descriptor(raw)
    guard let origin = try record(in: slot)?.origin, try slot.stat(FolderDisk.oldName, origin) != nil else {
      throw gone
    }
    return (slot, origin)
  }

  func deleteOld(_ id: TrashedFile.ID) throws(StoreError) {
    guard FolderDisk.isOwnWord(id), let trash = try openOwnIfThere("trash", below: try openRoot()) else { return }
    let raw = cp_open_beneath(trash.raw, CName(id).bytes, O_RDONLY | O_DIRECTORY, 0)
    if raw >= 0, case let slot = Descriptor(raw), let record = try record(in: slot) {
      try keepTrashed(FolderDisk.oldName, in: slot, of: record.origin)
    }
    try remove(CName(id), in: trash, .root)
    try trash.sync(.root)
  }

  private func record(in slot: Descriptor) throws(StoreError) -> TrashRecord? {
    let raw = cp_open_beneath(slot.raw, recordName.bytes, O_RDONLY | O_NONBLOCK, 0)
    guard raw >= 0 else { return nil }
    return TrashRecord(try Descriptor(raw).read(16 * 1024, at: 0, .root))
  }
}

private struct TrashRecord {
  let discarded: Timestamp
  let origin: StorePath

  init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("byteclub trash 1".utf8),
      let time = Int64(String(decoding: parts[1], as: UTF8.self)), let origin = try? StorePath(parts[2])
    else { return nil }
    self.origin = origin
    discarded = Timestamp(nanoseconds: time)
  }
}

extension FolderDisk {
  static let staleSeconds: Int64 = 24 * 60 * 60

  /// Removes abandoned unfinished files. Ignores failures.
  func removeStale(_ names: [CName], in folder: Descriptor, _ path: StorePath, now: Int64 = Int64(time(nil))) {
    for name in names {
      guard let stat = (try? folder.stat(name, path)) ?? nil, isOlder(stat, than: FolderDisk.staleSeconds, now: now)
      else {
        continue
      }
      try? remove(name, in: folder, path)
    }
  }

  func isOlder(_ stat: FileStat, than seconds: Int64, now: Int64 = Int64(time(nil))) -> Bool {
    // The ctime counts: an old file that was just put aside has an old mtime.
    now - Timestamp(nanoseconds: stat.raw.changed).seconds > seconds
  }
}
