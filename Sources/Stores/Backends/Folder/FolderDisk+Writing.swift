internal import CPlatform
internal import FileStores
internal import POSIX

extension FolderDisk {
  func beginPut(_ path: StorePath, _ mode: WriteMode) throws(StoreError) -> PendingFile {
    try checkWritable(path)
    let root = try openRoot()
    let (parent, made) = try openParentMaking(of: path, below: root)
    do throws(StoreError) {
      return try beginPut(path, mode, in: parent, below: root, made: made)
    } catch {
      removeFolders(made, below: root)
      throw error
    }
  }

  /// Starts a put in an open folder. `abandon` removes the folders in `made`.
  func beginPut(
    _ path: StorePath, _ mode: WriteMode, in parent: Descriptor, below root: Descriptor, made: [StorePath]
  ) throws(StoreError) -> PendingFile {
    let there = try checkCondition(mode, path, in: parent)
    try step(.makeTemporary, path)
    let name = CName.temporary()
    // The umask limits a new file's 0666. A replacement starts private, because the old file may be private.
    let raw = cp_open_beneath(parent.raw, name.bytes, O_RDWR | O_CREAT | O_EXCL, there == nil ? 0o666 : 0o600)
    guard raw >= 0 else { throw FolderFault.error(-raw, "write", path) }
    return PendingFile(root: root, folder: parent, name: name, file: Descriptor(raw), parent: parent, made: made)
  }

  func write(_ bytes: ByteChunk, at offset: UInt64, to pending: PendingFile, _ path: StorePath) throws(StoreError) {
    do throws(StoreError) {
      try step(.write, path)
      try pending.file.write(bytes, at: offset, path)
    } catch {
      throw explainingRoom(error, bytes: offset + UInt64(bytes.count), path)
    }
  }

  func abandon(_ pending: PendingFile) {
    unlinkat(pending.folder.raw, pending.name.bytes, 0)
    removeFolders(pending.made, below: pending.root)
  }

  /// Checks the condition before a write, and returns the current stat. The commit checks it again.
  @discardableResult
  func checkCondition(_ mode: WriteMode, _ path: StorePath, in parent: Descriptor) throws(StoreError) -> FileStat? {
    let there = try parent.stat(CName(path.name), path)
    switch mode {
    case .create:
      if let there { throw exists(path, there) }
    case .overwrite:
      if let there, there.kind != .file { throw exists(path, there) }
    case .replace(let base):
      guard let there, there.kind == .file, there.revision == base else { throw conflict(path, there) }
    }
    if let there { try checkProtection(of: there, path, in: parent) }
    return there
  }

  /// A rename would replace a file that its mode or its owner protects, because it asks the folder alone.
  /// - Throws: `notPermitted` for a file that this user may not write.
  private func checkProtection(of there: FileStat, _ path: StorePath, in parent: Descriptor) throws(StoreError) {
    guard faccessat(parent.raw, CName(path.name).bytes, W_OK, AT_EACCESS) != 0, errno == EACCES else { return }
    let mode = String(there.raw.mode & 0o777, radix: 8)
    throw StoreError(
      .notPermitted,
      there.raw.user == geteuid()
        ? "\"\(path)\" is write-protected (mode \(mode))."
        : "\"\(path)\" belongs to another user, who does not let you write it (mode \(mode)).",
      remedy: there.raw.user == geteuid()
        ? "Nothing was written. \"chmod u+w\" allows it." : "Nothing was written. Ask its owner.",
      path: path)
  }

  func exists(_ path: StorePath, _ there: FileStat?) -> StoreError {
    let what =
      switch there?.kind {
      case .folder: "A folder"
      case .other: "A link, pipe or device"
      default: "A file"
      }
    return StoreError(
      .exists, "\(what) named \"\(path)\" already exists.", remedy: FolderFault.anotherName, path: path,
      current: there.map { entry($0, path) })
  }

  func conflict(_ path: StorePath, _ there: FileStat?) -> StoreError {
    let message =
      there == nil
      ? "\"\(path)\" no longer exists." : "Another program or member changed \"\(path)\"."
    return StoreError(
      .conflict, message, remedy: "Nothing was overwritten.", path: path, current: there.map { entry($0, path) })
  }

  private func explainingRoom(_ error: StoreError, bytes: UInt64, _ path: StorePath) -> StoreError {
    guard error.kind == .quota else { return error }
    return StoreError(
      .quota, "The disk of \(rootText) has no space left for \"\(path)\" (at least \(bytes) bytes).",
      remedy: error.remedy, path: path)
  }
}
