internal import CLinux
internal import FileStores
internal import Glibc

/// What the file system says of a file.
struct FileStat: Sendable {
  let raw: cl_stat

  init(_ raw: cl_stat) {
    self.raw = raw
  }

  var kind: FileEntry.Kind {
    switch raw.mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): .file
    case UInt32(S_IFDIR): .folder
    default: .other
    }
  }

  /// The stat token: device, inode, size, and both times in nanoseconds. Every way of changing a file's content
  /// changes the ctime, which no program can set.
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

  /// True when this is the same file with the same content, whatever names and modes it was given in between
  /// (a rename changes the ctime on most file systems).
  func isSameContent(as other: FileStat) -> Bool {
    raw.device == other.raw.device && raw.inode == other.raw.inode && raw.size == other.raw.size
      && raw.modified == other.raw.modified
  }

  func isSameFile(as other: FileStat) -> Bool {
    raw.device == other.raw.device && raw.inode == other.raw.inode
  }

  /// The entry of this file at a path.
  func entry(_ path: StorePath, hash: ContentHash? = nil) -> FileEntry {
    let kind = kind
    return FileEntry(
      path: path, kind: kind, size: kind == .file ? raw.size : nil, modified: Timestamp(nanoseconds: raw.modified),
      revision: kind == .file ? revision : nil, contentHash: hash)
  }
}
