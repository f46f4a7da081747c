internal import CPlatform
internal import FileStores
internal import POSIX

extension FolderDisk {
  @discardableResult
  func makeFolder(_ path: StorePath, below root: Descriptor) throws(StoreError) -> [StorePath] {
    var made: [StorePath] = []
    var current = StorePath.root
    for name in path.components {
      current = try current.appending(name)
      let parent = try openParent(of: current, below: root, to: "make")
      if mkdirat(parent.raw, CName(name).bytes, 0o777) == 0 {
        made.append(current)
        continue
      }
      let code = errno
      guard code == EEXIST else {
        removeFolders(made, below: root)
        throw FolderFault.error(code, "make", current)
      }
      guard let there = try parent.stat(CName(name), current), there.kind != .folder else { continue }
      removeFolders(made, below: root)
      if there.raw.mode & UInt32(S_IFMT) == UInt32(S_IFLNK), current != path {
        throw FolderFault.error(ELOOP, "write", current)
      }
      throw StoreError(
        .exists, "\"\(current)\" already exists and is not a folder.", remedy: FolderFault.anotherName, path: current,
        current: entry(there, current))
    }
    return made
  }

  func openParentMaking(
    of path: StorePath, below root: Descriptor
  ) throws(StoreError) -> (parent: Descriptor, made: [StorePath]) {
    let raw = cp_open_beneath(root.raw, CName(path.parent).bytes, O_RDONLY | O_DIRECTORY, 0)
    if raw >= 0 { return (Descriptor(raw), []) }
    guard raw == -ENOENT || raw == -ENOTDIR else { throw FolderFault.error(-raw, "write", path) }
    let made = try makeFolder(path.parent, below: root)
    do throws(StoreError) {
      let parent = try openParent(of: path, below: root, to: "write")
      for folder in made { try openParent(of: folder, below: root, to: "write").sync(folder) }
      return (parent, made)
    } catch {
      removeFolders(made, below: root)
      throw error
    }
  }

  func removeFolders(_ made: [StorePath], below root: Descriptor) {
    for path in made.reversed() { unlinkat(root.raw, CName(path).bytes, AT_REMOVEDIR) }
  }

  /// Deletes a file, or a folder with its content. Deletes links instead of following them.
  func remove(_ name: CName, in parent: Descriptor, _ path: StorePath) throws(StoreError) {
    if unlinkat(parent.raw, name.bytes, 0) == 0 { return }
    var code = errno
    if code == ENOENT { return }
    guard code == EISDIR || code == EPERM else { throw FolderFault.error(code, "delete", path) }
    let raw = cp_open_beneath(parent.raw, name.bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw FolderFault.error(code == EPERM ? EPERM : -raw, "delete", path) }
    let folder = Descriptor(raw)
    while true {
      let names = try DirectoryReader(bytes: 32 * 1024).someNames(in: folder, path)
      if names.isEmpty { break }
      for name in names { try remove(name, in: folder, path) }
      lseek(folder.raw, 0, SEEK_SET)
    }
    if unlinkat(parent.raw, name.bytes, AT_REMOVEDIR) == 0 { return }
    code = errno
    if code != ENOENT { throw FolderFault.error(code, "delete", path) }
  }
}
