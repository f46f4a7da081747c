internal import FileStores
internal import Zip

/// Files that are looked for in a folder's archive, while it comes.
///
/// Dropbox's archives have the folder itself as their one top-level directory; one that has not is understood as well.
/// Whatever the names in it are, nothing counts but bytes with the content hash of the file that is looked for.
struct ZippedFolder {
  /// Bytes that are handed on together.
  private static let batchBytes = 1 << 20
  /// What may come beside the wanted files at least, in bytes.
  private static let leastSurplus: UInt64 = 16 << 20

  private struct Opened {
    let file: FileEntry
    let size: UInt64
    let hasher = ContentHasher()
    var count: UInt64 = 0
    var isDropped = false
  }

  private let top: String
  private var wanted: [String: FileEntry] = [:]
  private var reader: ZipReader
  private var opened: Opened?
  private var received: UInt64 = 0
  private let most: UInt64

  /// The archive of `folder`, whose last component Dropbox calls `top`.
  init(_ files: [FileEntry], below folder: StorePath, top: some Sequence<UInt8>) {
    self.top = DropboxFolder.fold(top)
    for file in files where file.kind == .file && file.size != nil && file.contentHash != nil {
      guard let path = file.path.relative(to: folder) else { continue }
      wanted[DropboxFolder.fold(path)] = file
    }
    let bytes = wanted.values.totalBytes
    most = bytes > .max / 4 ? .max : 2 * bytes + ZippedFolder.leastSurplus
    let (names, top) = (wanted, self.top)
    reader = ZipReader { ZippedFolder.file($0, in: names, top)?.1.size }
  }

  /// Whether all of the archive came.
  var isOver: Bool { reader.isOver }

  /// Whether more has come for nothing than for something: byteclub's own trash lies in the folder, too, and is in no list.
  var isWaste: Bool { received > most }

  /// More of the archive.
  mutating func add(_ bytes: ByteChunk) {
    received += UInt64(bytes.count)
    reader.add(bytes)
  }

  /// What is in that, a batch at a time; none when more must come first.
  mutating func next() throws(ZipFault) -> [FolderPart] {
    var parts: [FolderPart] = []
    var bytes = 0
    while bytes < ZippedFolder.batchBytes, let part = try reader.next() {
      switch part {
      case .begin(let name):
        opened = nil
        guard let (key, file) = ZippedFolder.file(name, in: wanted, top), let size = file.size else { continue }
        wanted[key] = nil
        opened = Opened(file: file, size: size)
      case .bytes(let chunk):
        guard var opened, !opened.isDropped else { continue }
        self.opened = nil
        opened.count += UInt64(chunk.count)
        opened.hasher.update(chunk)
        opened.isDropped = opened.count > opened.size
        parts.append(opened.isDropped ? .dropped(opened.file) : .bytes(opened.file, chunk))
        bytes += chunk.count
        self.opened = opened
      case .end:
        guard let opened, !opened.isDropped else { continue }
        let isRight = opened.count == opened.size && opened.hasher.finish() == opened.file.contentHash
        parts.append(isRight ? .whole(opened.file) : .dropped(opened.file))
        self.opened = nil
      case .over: break
      }
    }
    return parts
  }

  /// The file of a name in the archive, and the key it is looked for by.
  private static func file(_ name: [UInt8], in files: [String: FileEntry], _ top: String) -> (String, FileEntry)? {
    if let slash = name.firstIndex(of: UInt8(ascii: "/")), fold(name[..<slash]) == top {
      let key = fold(name[(slash + 1)...])
      if let file = files[key] { return (key, file) }
    }
    let key = fold(name)
    return files[key].map { (key, $0) }
  }

  private static func fold(_ name: some Sequence<UInt8>) -> String { DropboxFolder.fold(name) }
}
