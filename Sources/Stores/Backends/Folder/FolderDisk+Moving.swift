internal import CPlatform
internal import FileStores
internal import POSIX

extension FolderDisk {
  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) throws(StoreError) -> FileEntry {
    guard !isOwn(path) else { throw missing(path) }
    if path.isRoot { throw .clubItself("moved") }
    try checkWritable(target)
    let root = try openRoot()
    let source = try openParent(of: path, below: root, to: "move")
    let name = CName(path.name)
    guard let before = try source.stat(name, path) else { throw missing(path) }
    try check(ifRevision, before, path)
    if path == target { return entry(before, path) }
    if target.relative(to: path) != nil { throw .intoItself(path) }
    let (parent, made) = try openParentMaking(of: target, below: root)
    do throws(StoreError) {
      if try isCaseChange(before, path, target, in: parent) {
        let code = source.rename(name, to: CName(target.name), in: parent, .over)
        if code < 0 { throw FolderFault.error(-code, "move", path) }
      } else {
        try step(.rename, path)
        try renameNew(name, in: source, to: target, in: parent)
      }
    } catch {
      removeFolders(made, below: root)
      throw error
    }
    guard let after = try parent.stat(CName(target.name), target) else { throw missing(target) }
    if ifRevision != nil, !after.isSameContent(as: before) {
      try renameNew(CName(target.name), in: parent, to: path, in: source)
      removeFolders(made, below: root)
      throw conflict(path, after)
    }
    switch after.kind {
    case .file: moveVersions(of: path, to: target, below: root)
    case .folder: moveVersions(ofAllIn: path, to: target, below: root)
    case .other: break
    }
    try parent.sync(target)
    try source.sync(path)
    if let revision = before.entry(path).revision, let hash = hashes[revision] {
      hashes.remember(hash, for: after.revision)
    }
    return entry(after, target)
  }

  private func isCaseChange(
    _ before: FileStat, _ path: StorePath, _ target: StorePath, in parent: Descriptor
  ) throws(StoreError) -> Bool {
    guard path.parent == target.parent, before.kind == .folder || before.raw.links == 1,
      let there = try parent.stat(CName(target.name), target)
    else { return false }
    return there.isSameFile(as: before)
  }

  /// Deletes a file, which is kept as a version, or a folder with its content, which is not.
  func delete(_ path: StorePath, ifRevision: Revision?) throws(StoreError) {
    guard !isOwn(path) else { throw missing(path) }
    try checkWritable(path)
    let root = try openRoot()
    let parent = try openParent(of: path, below: root, to: "delete")
    let name = CName(path.name)
    guard let before = try parent.stat(name, path) else { throw missing(path) }
    try check(ifRevision, before, path)
    if ifRevision == nil, before.kind != .folder {
      // Anything that cannot be kept as a version, such as a link, is deleted.
      if before.kind != .file || !keepVersion(name, in: parent, as: before.revision, of: path, below: root),
        unlinkat(parent.raw, name.bytes, 0) != 0
      {
        throw FolderFault.error(errno, "delete", path)
      }
      return try parent.sync(path)
    }
    // Rename it first: a folder disappears at once, and a file is compared where nobody else writes.
    try step(.rename, path)
    let aside = CName.temporary()
    let code = parent.rename(name, to: aside, in: parent, .over)
    if code < 0 { throw FolderFault.error(-code, "delete", path) }
    do throws(StoreError) {
      if ifRevision != nil, let out = try parent.stat(aside, path), !out.isSameContent(as: before) {
        throw conflict(path, out)
      }
      if before.kind != .file || !keepVersion(aside, in: parent, as: before.revision, of: path, below: root) {
        try remove(aside, in: parent, path)
      }
    } catch {
      putBack(aside, path, in: parent)
      throw error
    }
    try parent.sync(path)
  }

  func check(_ revision: Revision?, _ stat: FileStat, _ path: StorePath) throws(StoreError) {
    guard let revision else { return }
    guard stat.kind == .file, stat.revision == revision else { throw conflict(path, stat) }
  }
}
