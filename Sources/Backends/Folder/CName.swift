internal import FileStores

/// Bytes with a NUL after them, as the kernel takes names and paths.
struct CName: Sendable, Equatable {
  let bytes: [CChar]

  init(_ bytes: some Collection<UInt8>) {
    var copy: [CChar] = []
    copy.reserveCapacity(bytes.count + 1)
    for byte in bytes { copy.append(CChar(bitPattern: byte)) }
    copy.append(0)
    self.bytes = copy
  }

  init(_ text: String) {
    self.init(text.utf8)
  }

  /// A path as the kernel takes it, relative to the root.
  init(_ path: StorePath) {
    if path.isRoot { self.init(".") } else { self.init(path.bytes) }
  }

  /// A new name that is byteclub's own and that nobody else has.
  static func temporary() -> CName {
    CName(temporaryPrefix + FolderDisk.randomWord())
  }

  /// How names of unfinished files begin.
  static let temporaryPrefix = ".byteclub-tmp-"
}
