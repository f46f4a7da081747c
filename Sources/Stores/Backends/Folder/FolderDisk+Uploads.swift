internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX

extension FolderDisk {
  private static let weekSeconds: Int64 = 7 * 24 * 60 * 60

  func beginUpload(_ path: StorePath) throws(StoreError) -> UploadSession {
    try checkWritable(path)
    let folder = try openOwn("uploads", below: try openRoot(), making: true)
    try removeOldUploads(in: folder)
    let session = UploadSession(FolderDisk.randomWord())
    let raw = cp_open_beneath(folder.raw, partName(session).bytes, O_RDWR | O_CREAT | O_EXCL, 0o666)
    guard raw >= 0 else { throw FolderFault.error(-raw, "write", path) }
    close(raw)
    try folder.sync(path)
    return session
  }

  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) throws(StoreError) -> UInt64 {
    let file = try beginAppend(to: session, at: offset, waits: true)
    do throws(StoreError) {
      try write(bytes, at: offset, toUpload: file)
      try file.sync(.root)
    } catch {
      file.truncate(to: offset)
      throw error
    }
    return offset + UInt64(bytes.count)
  }

  /// - Parameter waits: true to wait up to ten seconds for a concurrent append; the thread cannot be cancelled.
  /// - Throws: `conflict` if another append holds the lock, or if `offset` is not the end.
  func beginAppend(to session: UploadSession, at offset: UInt64, waits: Bool) throws(StoreError) -> Descriptor {
    let file = try openUpload(session, O_RDWR).file
    let isLocked: Bool
    do throws(SystemError) {
      isLocked = try FileLock.take(file.raw, waiting: waits ? .seconds(10) : .zero)
    } catch {
      throw FolderFault.error(error.code, "write", .root)
    }
    guard isLocked else {
      throw StoreError(.conflict, "The upload is being continued elsewhere.", remedy: "Ask how far it is.", path: .root)
    }
    let size = try file.stat(.root).raw.size
    guard size == offset else {
      throw StoreError(
        .conflict, "The store has \(size) bytes of the upload, not \(offset).", remedy: "Continue from there.",
        path: .root)
    }
    return file
  }

  func write(_ bytes: ByteChunk, at offset: UInt64, toUpload file: Descriptor) throws(StoreError) {
    do throws(StoreError) {
      try step(.write, .root)
      try file.write(bytes, at: offset, .root)
    } catch {
      guard error.kind == .quota else { throw error }
      throw StoreError(
        .quota, "The disk of \(rootText) has no space left for the upload (\(bytes.count) more bytes).",
        remedy: error.remedy, path: .root)
    }
  }

  func beginFinish(
    _ session: UploadSession, size: UInt64, at path: StorePath, _ mode: WriteMode
  ) throws(StoreError) -> PendingFile {
    try checkWritable(path)
    let (root, folder, file) = try openUpload(session, O_RDWR)
    let sent = try file.stat(path).raw.size
    guard sent == size else { throw .wrongLength(path, declared: size, given: sent) }
    let (parent, made) = try openParentMaking(of: path, below: root)
    do throws(StoreError) {
      try checkCondition(mode, path, in: parent)
    } catch {
      removeFolders(made, below: root)
      throw error
    }
    return PendingFile(
      root: root, folder: folder, name: partName(session), file: file, parent: parent, made: made)
  }

  func abandonUpload(_ session: UploadSession) throws(StoreError) {
    guard FolderDisk.isOwnWord(session.id),
      let folder = try openOwnIfThere("uploads", below: try openRoot())
    else { return }
    if unlinkat(folder.raw, partName(session).bytes, 0) != 0, errno != ENOENT {
      throw FolderFault.error(errno, "abandon the upload in", .root)
    }
  }

  func openUpload(
    _ session: UploadSession, _ flags: Int32
  ) throws(StoreError) -> (root: Descriptor, folder: Descriptor, file: Descriptor) {
    let gone = StoreError.uploadGone(.root)
    let root = try openRoot()
    guard FolderDisk.isOwnWord(session.id), let folder = try openOwnIfThere("uploads", below: root) else { throw gone }
    let raw = cp_open_beneath(folder.raw, partName(session).bytes, flags | O_NONBLOCK, 0)
    guard raw >= 0 else { throw raw == -ENOENT ? gone : FolderFault.error(-raw, "open the upload in", .root) }
    return (root, folder, Descriptor(raw))
  }

  private func partName(_ session: UploadSession) -> CName { CName(session.id + ".part") }

  private func removeOldUploads(in folder: Descriptor) throws(StoreError) {
    while true {
      let names = try DirectoryReader(bytes: 32 * 1024).someNames(in: folder, .root)
      if names.isEmpty { break }
      for name in names {
        guard let stat = try folder.stat(name, .root), isOlder(stat, than: FolderDisk.weekSeconds) else { continue }
        unlinkat(folder.raw, name.bytes, 0)
      }
    }
    lseek(folder.raw, 0, SEEK_SET)
  }
}
