internal import CLinux
internal import FileStores
internal import Glibc

private let fileName = CName("file")
private let recordName = CName("origin")

extension FolderDisk {
  func discard(_ path: StorePath, ifRevision: Revision?) throws(StoreError) -> TrashedFile {
    guard !path.isReserved else { throw missing(path) }
    try path.checkWritable()
    let root = try openRoot()
    let parent = try openParent(of: path, below: root, to: "discard")
    let name = CName(path.name)
    guard let before = try parent.stat(name, path) else { throw missing(path) }
    if before.kind == .folder {
      throw StoreError(.badInput, "\"\(path)\" is a folder; only files go to the trash.", path: path)
    }
    try check(ifRevision, before, path)
    let trash = try openOwn("trash", below: root, making: true)
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let record = TrashRecord(
      origin: path, discarded: Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec)))
    // Sorts by time as far as the clock goes.
    let id = String(UInt64(bitPattern: record.discarded.nanoseconds), radix: 36) + "-" + FolderDisk.randomWord()
    let slot = try makeSlot(id, in: trash, record, path)
    do throws(StoreError) {
      try step(.rename, path)
      try renameNew(name, in: parent, to: StorePath("file"), in: slot)
      if ifRevision != nil, let out = try slot.stat(fileName, path), !out.isSameContent(as: before) {
        try renameNew(fileName, in: slot, to: path, in: parent)
        throw conflict(path, out)
      }
    } catch {
      try? remove(recordName, in: slot, path)
      unlinkat(trash.raw, CName(id).bytes, AT_REMOVEDIR)
      throw error
    }
    try slot.sync(path)
    try parent.sync(path)
    return TrashedFile(id: id, origin: path, discarded: record.discarded, size: before.raw.size)
  }

  func trashContents() throws(StoreError) -> [TrashedFile] {
    let root = try openRoot()
    guard let trash = try openOwnIfThere("trash", below: root) else { return [] }
    var files: [TrashedFile] = []
    while true {
      let names = try DirectoryReader(bytes: 64 * 1024).someNames(in: trash, .root)
      if names.isEmpty { break }
      for name in names {
        let raw = cl_open_beneath(trash.raw, name.bytes, O_RDONLY | O_DIRECTORY, 0)
        guard raw >= 0 else { continue }
        let slot = Descriptor(raw)
        guard let record = try record(in: slot), let stat = try slot.stat(fileName, .root) else {
          // A discard that a crash broke off: the file is still where it was.
          if try slot.stat(fileName, .root) == nil, isOlder(try slot.stat(.root), than: FolderDisk.staleSeconds) {
            try remove(name, in: trash, .root)
          }
          continue
        }
        let id = String(decoding: name.bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        files.append(
          TrashedFile(id: id, origin: record.origin, discarded: record.discarded, size: stat.raw.size))
      }
    }
    return files.sorted { ($0.discarded, $0.id) > ($1.discarded, $1.id) }
  }

  func restore(_ id: TrashedFile.ID) throws(StoreError) -> FileEntry {
    let gone = StoreError(.notFound, "The trash does not have this file any more.", path: .root)
    guard FolderDisk.isOwnWord(id) else { throw gone }
    let root = try openRoot()
    guard let trash = try openOwnIfThere("trash", below: root) else { throw gone }
    let raw = cl_open_beneath(trash.raw, CName(id).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw raw == -ENOENT ? gone : FolderFault.error(-raw, "restore", .root) }
    let slot = Descriptor(raw)
    guard let record = try record(in: slot), try slot.stat(fileName, record.origin) != nil else { throw gone }
    try record.origin.checkWritable()
    let (parent, made) = try openParentMaking(of: record.origin, below: root)
    do throws(StoreError) {
      try renameNew(fileName, in: slot, to: record.origin, in: parent)
    } catch {
      removeFolders(made, below: root)
      throw error
    }
    try parent.sync(record.origin)
    try remove(CName(id), in: trash, record.origin)
    guard let stat = try parent.stat(CName(record.origin.name), record.origin) else { throw missing(record.origin) }
    return entry(stat, record.origin)
  }

  func emptyTrash() throws(StoreError) -> Int {
    let files = try trashContents()
    let root = try openRoot()
    guard let trash = try openOwnIfThere("trash", below: root) else { return 0 }
    for file in files { try remove(CName(file.id), in: trash, file.origin) }
    try trash.sync(.root)
    return files.count
  }

  private func makeSlot(
    _ id: String, in trash: Descriptor, _ record: TrashRecord, _ path: StorePath
  ) throws(StoreError) -> Descriptor {
    guard mkdirat(trash.raw, CName(id).bytes, 0o777) == 0 else { throw FolderFault.error(errno, "discard", path) }
    let raw = cl_open_beneath(trash.raw, CName(id).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, "discard", path) }
    let slot = Descriptor(raw)
    do throws(StoreError) {
      let raw = cl_open_beneath(slot.raw, recordName.bytes, O_WRONLY | O_CREAT | O_EXCL, 0o666)
      guard raw >= 0 else { throw FolderFault.error(-raw, "discard", path) }
      let file = Descriptor(raw)
      try file.write(record.bytes[...], at: 0, path)
      try file.sync(path)
      try slot.sync(path)
      try trash.sync(path)
      return slot
    } catch {
      try? remove(CName(id), in: trash, path)
      throw error
    }
  }

  private func record(in slot: Descriptor) throws(StoreError) -> TrashRecord? {
    let raw = cl_open_beneath(slot.raw, recordName.bytes, O_RDONLY | O_NONBLOCK, 0)
    guard raw >= 0 else { return nil }
    return TrashRecord(try Descriptor(raw).read(16 * 1024, at: 0, .root))
  }
}
