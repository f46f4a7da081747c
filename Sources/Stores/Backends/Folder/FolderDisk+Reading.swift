internal import CPlatform
internal import FileStores
internal import POSIX

struct OpenRead: Sendable {
  let file: Descriptor
  let stat: FileStat
  let first: [UInt8]
}

extension FolderDisk {
  func beginRead(_ path: StorePath, _ options: ReadOptions) throws(StoreError) -> OpenRead {
    guard !isOwn(path) else { throw missing(path) }
    let root = try openRoot()
    if path.isRoot { throw notAFile(path, .folder) }
    return try beginRead(CName(path.name), in: try openParent(of: path, below: root, to: "read"), path, options)
  }

  /// `path` is the file's name for the member.
  func beginRead(
    _ name: CName, in parent: Descriptor, _ path: StorePath, _ options: ReadOptions
  ) throws(StoreError) -> OpenRead {
    let offset = options.offset
    // Check before opening, because opening a pipe or a device can have effects.
    guard let before = try parent.stat(name, path) else { throw missing(path) }
    guard before.kind == .file else { throw notAFile(path, before.kind) }
    let raw = cp_open_beneath(parent.raw, name.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else {
      if raw == -ELOOP { throw notAFile(path, .other) }
      throw FolderFault.error(-raw, "read", path)
    }
    let file = Descriptor(raw)
    let stat = try file.stat(path)
    guard stat.kind == .file else { throw notAFile(path, stat.kind) }
    if let revision = options.revision, stat.revision != revision {
      throw StoreError(
        .conflict, "\"\(path)\" has changed since it was read.", remedy: "Read it again.",
        path: path, current: entry(stat, path))
    }
    guard offset <= stat.raw.size else { throw .pastTheEnd(path, offset, stat.raw.size) }
    let first = try readChunk(file, at: offset, options, stat, path)
    return OpenRead(file: file, stat: stat, first: first)
  }

  /// - Throws: `conflict` if the file has changed since it was opened.
  func readChunk(
    _ file: Descriptor, at offset: UInt64, _ options: ReadOptions, _ stat: FileStat, _ path: StorePath
  ) throws(StoreError) -> [UInt8] {
    let left = stat.raw.size - offset
    let count = Int(min(left, UInt64(min(tuning.chunkBytes, options.chunkBytes ?? .max))))
    let bytes = count == 0 ? [] : try file.read(count, at: offset, path)
    // Check after every chunk: all chunks must belong to one version.
    let now = try file.stat(path)
    guard now.revision == stat.revision, bytes.count > 0 || count == 0 else {
      throw StoreError(
        .conflict, "\"\(path)\" changed while byteclub read it.", remedy: "Read it again.", path: path,
        current: entry(now, path))
    }
    if UInt64(bytes.count) == left { settle(stat) }
    return bytes
  }

  func notAFile(_ path: StorePath, _ kind: FileEntry.Kind) -> StoreError {
    switch kind {
    case .folder: .isFolder(path)
    default:
      StoreError(
        .badInput, "\"\(path)\" is a link, a pipe or a device, and byteclub opens only regular files.",
        remedy: "Put the file itself into the club's folder.", path: path)
    }
  }
}
