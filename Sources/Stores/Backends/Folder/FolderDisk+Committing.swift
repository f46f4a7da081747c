internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX

extension FolderDisk {
  /// Gives a pending file its name: fsync, the rename for the mode, fsync of the folder. After an error the pending
  /// file still exists for `abandon`, and the name keeps its previous content.
  func commit(
    _ pending: PendingFile, at path: StorePath, _ mode: WriteMode, hash: ContentHash?
  ) throws(StoreError) -> FileEntry {
    let written = try giveName(pending, at: path, mode)
    try step(.syncFolder, path)
    try pending.parent.sync(path)
    return try conclude(pending, written, at: path, hash: hash)
  }

  /// Performs `commit` without the fsync of the folder. Returns the stat of the written file.
  func giveName(_ pending: PendingFile, at path: StorePath, _ mode: WriteMode) throws(StoreError) -> FileStat {
    try step(.look, path)
    // `.create` needs no check here: the rename refuses an existing name.
    if mode != .create, let old = try checkCondition(mode, path, in: pending.parent) {
      copyTraits(of: old, CName(path.name), to: pending)
    }
    try step(.syncFile, path)
    try pending.file.sync(path)
    let written = try pending.file.stat(path)
    switch mode {
    case .create: try commitNew(pending, path)
    case .overwrite: try commitOver(pending, path)
    case .replace(let base): try commitReplacing(pending, path, base, pinned: written)
    }
    return written
  }

  func conclude(
    _ pending: PendingFile, _ written: FileStat, at path: StorePath, hash: ContentHash?
  ) throws(StoreError) -> FileEntry {
    let now = try pending.file.stat(path)
    settle(now)
    // If another program has already written to the new file, this revision deliberately matches no version.
    var raw = now.raw
    (raw.size, raw.modified) = (written.raw.size, written.raw.modified)
    let stat = FileStat(raw)
    if let hash, now.isSameContent(as: written) { hashes.remember(hash, for: stat.revision) }
    let entry = entry(stat, path, hash: hash)
    return pending.loss.error.map { entry.losing($0) } ?? entry
  }

  private func commitNew(_ pending: PendingFile, _ path: StorePath) throws(StoreError) {
    try step(.rename, path)
    try renameNew(pending.name, in: pending.folder, to: path, in: pending.parent)
  }

  private func commitOver(_ pending: PendingFile, _ path: StorePath) throws(StoreError) {
    try step(.rename, path)
    let name = CName(path.name)
    let there = try pending.parent.stat(name, path)
    if let there, there.kind != .file { throw exists(path, there) }
    if let there, keepsVersions {
      if !tuning.lacksExchange, pending.folder.rename(pending.name, to: name, in: pending.parent, .exchange) == 0 {
        return try settleOver(pending, path, expected: there)
      }
      keepCopy(of: there, at: path, in: pending.parent, below: pending.root, pending.loss)
    }
    let code = pending.folder.rename(pending.name, to: name, in: pending.parent, .over)
    if code == -EISDIR || code == -ENOTEMPTY { throw exists(path, try pending.parent.stat(CName(path.name), path)) }
    if code < 0 { throw FolderFault.error(-code, "write", path) }
  }

  /// Settles an exchange without a base revision: the displaced file becomes a version, anything else is swapped back.
  private func settleOver(_ pending: PendingFile, _ path: StorePath, expected: FileStat) throws(StoreError) {
    guard let out = try pending.folder.stat(pending.name, path) else { return }
    guard out.kind == .file else {
      let code = pending.folder.rename(pending.name, to: CName(path.name), in: pending.parent, .exchange)
      if code < 0 { throw FolderFault.error(-code, "write", path) }
      throw exists(path, out)
    }
    let revision = out.isSameContent(as: expected) ? expected.revision : out.revision
    discardReplaced(pending, as: revision, path)
  }

  private func discardReplaced(_ pending: PendingFile, as revision: Revision, _ path: StorePath) {
    let isKept = keepVersion(
      pending.name, in: pending.folder, as: revision, of: path, below: pending.root, pending.loss)
    // Beside the file it keeps its hidden name for a day. Elsewhere the name is an upload's, so it is deleted.
    if !isKept, pending.folder !== pending.parent { unlinkat(pending.folder.raw, pending.name.bytes, 0) }
  }

  private func commitReplacing(
    _ pending: PendingFile, _ path: StorePath, _ base: Revision, pinned ours: FileStat
  ) throws(StoreError) {
    let name = CName(path.name)
    // Held open: the kernel cannot reuse the inode number before the comparison.
    let held = cp_pin_beneath(pending.parent.raw, name.bytes)
    guard held >= 0 else {
      if held == -ENOENT || held == -ELOOP { throw conflict(path, try pending.parent.stat(name, path)) }
      throw FolderFault.error(-held, "write", path)
    }
    let old = Descriptor(held)
    let before = try old.stat(path)
    guard before.kind == .file, before.revision == base else { throw conflict(path, before) }
    try step(.rename, path)
    let code =
      tuning.lacksExchange
      ? -EINVAL
      : pending.folder.rename(pending.name, to: name, in: pending.parent, .exchange)
    switch code {
    case 0: break
    case -ENOENT: throw conflict(path, try pending.parent.stat(name, path))
    case -EINVAL, -ENOSYS, -ENOTSUP:
      return try commitLooking(pending, path, base)
    default: throw FolderFault.error(-code, "write", path)
    }
    try settleExchange(pending, path, displaced: before, ours: ours, held: old)
  }

  /// The documented fallback: check again, then rename over the file. A lock admits one byteclub at a time; another
  /// program can still write in between.
  private func commitLooking(_ pending: PendingFile, _ path: StorePath, _ base: Revision) throws(StoreError) {
    // No byteclub holds the lock longer than half a second. Some folders cannot be locked.
    _ = try? FileLock.take(pending.parent.raw, waiting: .milliseconds(500))
    defer { FileLock.release(pending.parent.raw) }
    let now = try pending.parent.stat(CName(path.name), path)
    guard let now, now.revision == base else { throw conflict(path, now) }
    try commitOver(pending, path)
  }

  /// Checks the displaced file, now under the temporary name: it must be the unchanged base.
  private func settleExchange(
    _ pending: PendingFile, _ path: StorePath, displaced before: FileStat, ours: FileStat, held: Descriptor
  ) throws(StoreError) {
    do throws(StoreError) {
      try step(.lookAtDisplaced, path)
      let out = try pending.folder.stat(pending.name, path)
      if let out, out.isSameContent(as: before) {
        try step(.removeDisplaced, path)
        discardReplaced(pending, as: before.revision, path)
        return
      }
    } catch {
      swapBack(pending, path, ours: ours)
      throw error
    }
    swapBack(pending, path, ours: ours)
    throw conflict(path, try pending.parent.stat(CName(path.name), path))
  }

  /// Restores another program's version. If a third version appears meanwhile, that file is kept beside it.
  private func swapBack(_ pending: PendingFile, _ path: StorePath, ours: FileStat) {
    _ = tuning.probe?(.swapBack)
    let name = CName(path.name)
    let code = pending.folder.rename(pending.name, to: name, in: pending.parent, .exchange)
    if code == -ENOENT {
      let back = pending.folder.rename(pending.name, to: name, in: pending.parent, .new)
      if back == 0 { return }
    }
    if let out = (try? pending.folder.stat(pending.name, path)) ?? nil, !out.isSameFile(as: ours) {
      keepConflictCopy(pending.name, in: pending.folder, path, in: pending.parent)
    }
  }

  /// Gives a file or folder that was moved aside its name back. If that is taken by now, it is kept beside it.
  func putBack(_ aside: CName, _ path: StorePath, in parent: Descriptor) {
    _ = tuning.probe?(.swapBack)
    do throws(StoreError) {
      try renameNew(aside, in: parent, to: path, in: parent)
    } catch {
      keepConflictCopy(aside, in: parent, path, in: parent)
    }
  }

  private func keepConflictCopy(_ own: CName, in folder: Descriptor, _ path: StorePath, in parent: Descriptor) {
    let copy = NumberedName.marked(path.name, " (conflict copy \(FolderDisk.randomWord()))", limit: 255)
    _ = folder.rename(own, to: CName(copy), in: parent, .new)
  }

  /// - Throws: `exists`.
  func renameNew(
    _ from: CName, in folder: Descriptor, to path: StorePath, in parent: Descriptor
  ) throws(StoreError) {
    let name = CName(path.name)
    var code =
      tuning.lacksExchange
      ? -EINVAL
      : folder.rename(from, to: name, in: parent, .new)
    if code == -EINVAL || code == -ENOSYS || code == -ENOTSUP {
      // A hard link also refuses an existing name. A file system without links gets a check and a rename.
      if linkat(folder.raw, from.bytes, parent.raw, name.bytes, 0) == 0 {
        unlinkat(folder.raw, from.bytes, 0)
        return
      }
      code = -errno
      if code == -EPERM || code == -ENOTSUP || code == -ENOSYS || code == -EOPNOTSUPP {
        if let there = try parent.stat(name, path) { throw exists(path, there) }
        code = folder.rename(from, to: name, in: parent, .over)
      }
    }
    if code == -EEXIST { throw exists(path, try parent.stat(name, path)) }
    if code < 0 { throw FolderFault.error(-code, "write", path) }
  }

  /// Copies owner, group, mode and extended attributes of the old file, as far as permitted.
  private func copyTraits(of old: FileStat, _ name: CName, to pending: PendingFile) {
    var mode = old.raw.mode & 0o7777
    if fchown(pending.file.raw, old.raw.user, old.raw.group) != 0, fchown(pending.file.raw, .max, old.raw.group) != 0,
      let own = try? pending.file.stat(.root), own.raw.group != old.raw.group
    {
      // Another group must not get the old group's permissions.
      mode = (mode & ~0o70) | ((mode & 0o7) << 3)
    }
    let source = cp_open_beneath(pending.parent.raw, name.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    if source >= 0 {
      let source = Descriptor(source)
      cp_copy_attributes(source.raw, pending.file.raw)
    }
    _ = fchmod(pending.file.raw, mode)
  }
}
