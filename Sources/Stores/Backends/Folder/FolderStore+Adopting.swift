internal import Basics
internal import CPlatform
public import FileStores
internal import POSIX

extension FolderStore: FileAdopting {
  public func put(
    adopting file: String, hash: ContentHash, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry? {
    try checkCancelled("The writing", path)
    return try await pool.run { [disk] () throws(StoreError) -> FileEntry? in
      try disk.adopt(CName(file), hash, at: path, mode)
    }
  }
}

extension FolderDisk {
  fileprivate func adopt(
    _ file: CName, _ hash: ContentHash, at path: StorePath, _ mode: WriteMode
  ) throws(StoreError) -> FileEntry? {
    // The adopted file gets the mode, group, attributes and temporary name of a new file.
    let model = try beginPut(path, mode)
    do throws(StoreError) {
      guard let pending = try take(file, as: model, path) else {
        abandon(model)
        return nil
      }
      return try commit(pending, at: path, mode, hash: hash)
    } catch {
      abandon(model)
      throw error
    }
  }

  private func take(_ file: CName, as model: PendingFile, _ path: StorePath) throws(StoreError) -> PendingFile? {
    let wanted = try model.file.stat(path)
    let raw = POSIX.open(file.bytes, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard raw >= 0 else { return nil }
    let taken = Descriptor(raw)
    let there = try taken.stat(path)
    guard there.kind == .file, there.raw.links == 1, there.raw.device == wanted.raw.device,
      there.raw.user == wanted.raw.user, there.raw.group == wanted.raw.group
    else { return nil }
    try step(.write, path)
    cp_copy_attributes(model.file.raw, raw)
    // For the club the file is new, so its times are now.
    guard fchmod(raw, wanted.raw.mode & 0o7777) == 0, futimens(raw, nil) == 0,
      renameat(AT_FDCWD, file.bytes, model.folder.raw, model.name.bytes) == 0
    else { return nil }
    return PendingFile(
      root: model.root, folder: model.folder, name: model.name, file: taken, parent: model.parent, made: model.made)
  }
}
