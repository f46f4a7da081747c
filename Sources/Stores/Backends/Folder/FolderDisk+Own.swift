internal import CPlatform
internal import FileStores
internal import POSIX

extension FolderDisk {
  func openOwn(_ name: String, below root: Descriptor, making: Bool) throws(StoreError) -> Descriptor {
    if making {
      for part in [".byteclub", ".byteclub/" + name] where mkdirat(root.raw, part, 0o777) != 0 && errno != EEXIST {
        throw FolderFault.error(errno, "make byteclub's own folder in", .root)
      }
    }
    let raw = cp_open_beneath(root.raw, CName(".byteclub/" + name).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, "open byteclub's own folder in", .root) }
    return Descriptor(raw)
  }

  func openOwnIfThere(_ name: String, below root: Descriptor) throws(StoreError) -> Descriptor? {
    do throws(StoreError) {
      return try openOwn(name, below: root, making: false)
    } catch  where error.kind == .notFound {
      return nil
    }
  }

  /// True if a name in a folder belongs to byteclub instead of the club.
  func isHidden(_ name: UnsafeRawBufferPointer, in folder: StorePath) -> Bool {
    guard name.first == UInt8(ascii: ".") else { return false }
    return name.starts(with: reservedPrefix) || hidesTrash && folder.isRoot && name.elementsEqual(trashName)
  }

  func isOwn(_ path: StorePath) -> Bool {
    path.isReserved || hidesTrash && path.components.first.map { $0.elementsEqual(trashName) } ?? false
  }

  /// True on FAT, exFAT and NTFS, which store names as up to 255 UTF-16 units and ignore case.
  var countsUTF16: Bool { [0x4D44, 0x2011_BAB0, 0x5346_544E, 0x7366_746E].contains(fileSystem) }

  /// - Throws: `badName` for byteclub's own paths, for the root, and for names that this file system cannot store.
  func checkWritable(_ path: StorePath) throws(StoreError) {
    try path.checkWritable(nameBytes: countsUTF16 ? 3 * 255 : 255)
    guard isOwn(path) else { return }
    throw StoreError(
      .badName, "\(DropboxFolder.trashName) is byteclub's own: \"\(path)\".", remedy: "Choose another name.", path: path
    )
  }

  /// True for ids that byteclub generates: digits, lowercase letters and `-`. Any other text could be a path.
  static func isOwnWord(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.count < 64
      && word.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 45 }
  }
}

private let reservedPrefix = Array(".byteclub".utf8)
private let trashName = Array(DropboxFolder.trashName.utf8)
