internal import CPlatform
internal import FileStores
internal import POSIX

struct FileStat: Sendable {
  let raw: cp_stat

  init(_ raw: cp_stat) {
    self.raw = raw
  }

  var kind: FileEntry.Kind {
    switch raw.mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): .file
    case UInt32(S_IFDIR): .folder
    default: .other
    }
  }

  /// The stat token: device, inode, size, mtime and ctime in nanoseconds. Every change of content also changes the
  /// ctime, which no program can set.
  var revision: Revision {
    let numbers = [
      raw.device, raw.inode, raw.size, UInt64(bitPattern: raw.modified), UInt64(bitPattern: raw.changed),
    ]
    return Revision(
      String(unsafeUninitializedCapacity: 5 * 17) { buffer in
        var end = 0
        for (index, number) in numbers.enumerated() {
          if index > 0 {
            buffer[end] = UInt8(ascii: ".")
            end += 1
          }
          var shift = max(0, (63 - number.leadingZeroBitCount) / 4) * 4
          while shift >= 0 {
            let digit = UInt8((number >> UInt64(shift)) & 15)
            buffer[end] = digit < 10 ? 48 + digit : 87 + digit
            end += 1
            shift -= 4
          }
        }
        return end
      })
  }

  /// True for the same file and content. Ignores the ctime, because a rename changes it on most file systems.
  func isSameContent(as other: FileStat) -> Bool {
    raw.device == other.raw.device && raw.inode == other.raw.inode && raw.size == other.raw.size
      && raw.modified == other.raw.modified
  }

  func isSameFile(as other: FileStat) -> Bool {
    raw.device == other.raw.device && raw.inode == other.raw.inode
  }

  func entry(_ path: StorePath, hash: ContentHash? = nil, owner: String? = nil) -> FileEntry {
    let kind = kind
    return FileEntry(
      path: path, kind: kind, size: kind == .file ? raw.size : nil, modified: Timestamp(nanoseconds: raw.modified),
      revision: kind == .file ? revision : nil, contentHash: hash,
      member: kind == .file ? owner : nil)
  }
}

/// Reads names with getdents64 into one large buffer: no stat, no readdir lock, few system calls.
final class DirectoryReader {
  private let buffer: UnsafeMutableRawBufferPointer

  init(bytes: Int) {
    buffer = .allocate(byteCount: bytes, alignment: 8)
  }

  deinit { buffer.deallocate() }

  /// Calls `body` with name, DT_ type and next offset of each entry in one buffer. Returns false at the end.
  func read(
    _ folder: Descriptor, _ path: StorePath, _ body: (UnsafeRawBufferPointer, UInt8, Int64) -> Void
  ) throws(StoreError) -> Bool {
    let got = cp_read_names(folder.raw, buffer.baseAddress, buffer.count)
    if got < 0 {
      if got == -Int(ENOENT) { return false }
      throw FolderFault.error(Int32(-got), "list", path)
    }
    var position = 0
    var name = cp_name()
    while cp_next_name(buffer.baseAddress, got, &position, &name) != 0 {
      body(UnsafeRawBufferPointer(start: name.name, count: name.length), name.type, name.next)
    }
    return got > 0
  }

  func someNames(in folder: Descriptor, _ path: StorePath) throws(StoreError) -> [CName] {
    var names: [CName] = []
    while names.isEmpty {
      let more = try read(folder, path) { name, _, _ in
        if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(CName(name)) }
      }
      if !more { break }
    }
    return names
  }
}
