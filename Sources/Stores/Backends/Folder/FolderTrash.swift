internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX

/// The trash of a folder: `.club-trash/<id>/`, with each file at its path in the club. `ClubTrash` uses the same
/// format, so owner and members of a served folder share one trash. Each file moves in one rename, so it is never in
/// both places or in neither.
struct FolderTrash: StoreTrash {
  let disk: FolderDisk
  let pool: BlockingPool

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try checkCancelled(path)
    return try await pool.run { () throws(StoreError) -> TrashedFile in
      try disk.discard(path, ifRevision: ifRevision)
    }
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try checkCancelled(.root)
    return try await pool.run { () throws(StoreError) -> [TrashedFile] in try disk.trashContents() }
  }

  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    try checkCancelled(.root)
    return try await pool.run { () throws(StoreError) -> FileBeginning in try disk.readTrashed(file, limit: limit) }
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try checkCancelled(.root)
    return try await pool.run { () throws(StoreError) -> FileEntry in try disk.restore(file, as: path) }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try checkCancelled(.root)
    try await pool.run { () throws(StoreError) in try disk.deleteTrashed(file) }
  }

  func empty() async throws(StoreError) -> Int {
    try checkCancelled(.root)
    return try await pool.run { () throws(StoreError) -> Int in try disk.emptyTrash() }
  }

  private func checkCancelled(_ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The work on the trash", path: path) }
  }
}

extension FolderDisk {
  func discard(_ path: StorePath, ifRevision: Revision?) throws(StoreError) -> TrashedFile {
    guard !isOwn(path) else { throw missing(path) }
    try checkWritable(path)
    let root = try openRoot()
    let parent = try openParent(of: path, below: root, to: "discard")
    let name = CName(path.name)
    guard let before = try parent.stat(name, path) else { throw missing(path) }
    if before.kind == .folder { throw .folderDiscarded(path) }
    try check(ifRevision, before, path)
    let now = Timestamp(nanoseconds: Int64(clamping: FolderDisk.nanoseconds()))
    let id = TrashID(discarded: now, word: UInt64.random(in: .min ... .max))
    let target = try StorePath(DropboxFolder.trashName).appending(id.text).descending(path.bytes[...])
    let (place, made) = try openParentMaking(of: target, below: root)
    do throws(StoreError) {
      try step(.rename, path)
      try renameNew(name, in: parent, to: target, in: place)
      if ifRevision != nil, let out = try place.stat(CName(target.name), path), !out.isSameContent(as: before) {
        try renameNew(CName(target.name), in: place, to: path, in: parent)
        throw conflict(path, out)
      }
    } catch {
      removeFolders(made, below: root)
      throw error
    }
    try place.sync(path)
    try parent.sync(path)
    return TrashedFile(id: id.text, origin: path, discarded: id.discarded, size: before.raw.size)
  }

  func trashContents() throws(StoreError) -> [TrashedFile] {
    var files = try oldTrashContents()
    if let trash = try openTrash() {
      for id in try trashIDs(in: trash) { files += try trashed(id, in: trash).map(\.file) }
    }
    return files.sorted { ($0.discarded, $0.id) > ($1.discarded, $1.id) }
  }

  func readTrashed(_ id: TrashedFile.ID, limit: Int) throws(StoreError) -> FileBeginning {
    guard let word = TrashID(id), let trash = try openTrash(), let found = try trashed(word, in: trash).first else {
      let (slot, origin) = try openOld(id, to: "read")
      return try beginning(of: FolderDisk.oldName, in: slot, origin, limit)
    }
    return try beginning(of: CName(found.file.origin.name), in: found.folder, found.file.origin, limit)
  }

  private func beginning(
    of name: CName, in folder: Descriptor, _ origin: StorePath, _ limit: Int
  ) throws(StoreError) -> FileBeginning {
    do throws(StoreError) {
      let read = try beginRead(name, in: folder, origin, ReadOptions())
      var bytes = read.first
      while bytes.count <= limit, UInt64(bytes.count) < read.stat.raw.size {
        bytes += try readChunk(read.file, at: UInt64(bytes.count), ReadOptions(), read.stat, origin)
      }
      return FileBeginning(of: bytes, limit: limit)
    } catch {
      throw error.kind == .notFound ? .trashedFileGone : error
    }
  }

  func restore(_ id: TrashedFile.ID, as path: StorePath?) throws(StoreError) -> FileEntry {
    guard let word = TrashID(id), let trash = try openTrash(), let found = try trashed(word, in: trash).first else {
      return try restoreOld(id, as: path)
    }
    let entry = try putBack(
      CName(found.file.origin.name), in: found.folder, to: path ?? found.file.origin, below: try openRoot())
    try remove(CName(id), in: trash, entry.path)
    return entry
  }

  func deleteTrashed(_ id: TrashedFile.ID) throws(StoreError) {
    if let word = TrashID(id), let trash = try openTrash() {
      try keep(try trashed(word, in: trash))
      try remove(CName(id), in: trash, .root)
      try trash.sync(.root)
    }
    try deleteOld(id)
  }

  /// Puts files that leave the trash into the history of their paths. A file above the history's size limit is deleted.
  private func keep(_ files: [(file: TrashedFile, folder: Descriptor)]) throws(StoreError) {
    for (file, folder) in files { try keepTrashed(CName(file.origin.name), in: folder, of: file.origin) }
  }

  /// - Throws: the reason why the file could not be kept. It is still in the trash.
  func keepTrashed(_ name: CName, in folder: Descriptor, of origin: StorePath) throws(StoreError) {
    guard keepsVersions, let stat = try folder.stat(name, origin), stat.kind == .file else { return }
    let loss = VersionLoss()
    guard !keepVersion(name, in: folder, as: stat.revision, of: origin, below: try openRoot(), loss),
      let error = loss.error
    else { return }
    throw StoreError(
      error.kind, "\"\(origin)\" stays in the trash, as it could not be kept as a version: \(error.message)",
      remedy: error.remedy, path: origin)
  }

  func emptyTrash() throws(StoreError) -> Int {
    let old = try oldTrashContents()
    for file in old { try deleteOld(file.id) }
    guard let trash = try openTrash() else { return old.count }
    var count = old.count
    for id in try trashIDs(in: trash) {
      let files = try trashed(id, in: trash)
      try keep(files)
      count += files.count
      try remove(CName(id.text), in: trash, .root)
    }
    try trash.sync(.root)
    return count
  }

  /// - Throws: `exists` if the name is taken.
  func putBack(
    _ name: CName, in folder: Descriptor, to path: StorePath, below root: Descriptor
  ) throws(StoreError) -> FileEntry {
    try checkWritable(path)
    let (parent, made) = try openParentMaking(of: path, below: root)
    do throws(StoreError) {
      try renameNew(name, in: folder, to: path, in: parent)
    } catch {
      removeFolders(made, below: root)
      throw error
    }
    try parent.sync(path)
    guard let stat = try parent.stat(CName(path.name), path) else { throw missing(path) }
    return entry(stat, path)
  }

  private func openTrash() throws(StoreError) -> Descriptor? {
    do throws(StoreError) {
      let trash = try StorePath(DropboxFolder.trashName)
      return try open(trash, O_RDONLY | O_DIRECTORY, below: try openRoot(), to: "look at")
    } catch  where error.kind == .notFound {
      return nil
    }
  }

  private func trashIDs(in trash: Descriptor) throws(StoreError) -> [TrashID] {
    try names(in: trash).compactMap { TrashID(String(decoding: $0, as: UTF8.self)) }
  }

  /// The files of one discard, each with its folder. There is one file, unless another program added more.
  private func trashed(
    _ id: TrashID, in trash: Descriptor
  ) throws(StoreError) -> [(file: TrashedFile, folder: Descriptor)] {
    var found: [(file: TrashedFile, folder: Descriptor)] = []
    var folders: [(StorePath, CName)] = [(.root, CName(id.text))]
    while let (path, name) = folders.popLast() {
      let raw = cp_open_beneath(trash.raw, name.bytes, O_RDONLY | O_DIRECTORY, 0)
      guard raw >= 0 else { continue }
      let folder = Descriptor(raw)
      for name in try names(in: folder) {
        let child = try path.appending(name)
        guard let stat = try folder.stat(CName(name), child) else { continue }
        if stat.kind == .folder {
          folders.append((child, CName(Array((id.text + "/").utf8) + child.bytes)))
        } else {
          found.append((TrashedFile(id: id.text, origin: child, discarded: id.discarded, size: stat.raw.size), folder))
        }
      }
    }
    return found
  }

  private func names(in folder: Descriptor) throws(StoreError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    while true {
      let names = try DirectoryReader(bytes: 32 * 1024).someNames(in: folder, .root)
      if names.isEmpty { return found }
      found += names.map { name in name.bytes.dropLast().map { UInt8(bitPattern: $0) } }
    }
  }
}
