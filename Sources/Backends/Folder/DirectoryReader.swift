internal import CLinux
internal import FileStores
internal import Glibc

/// Reads names with getdents64 into one large buffer: no stat, no readdir lock, few system calls.
final class DirectoryReader {
  private let buffer: UnsafeMutableRawBufferPointer

  init(bytes: Int) {
    buffer = .allocate(byteCount: bytes, alignment: 8)
  }

  deinit { buffer.deallocate() }

  /// Calls `body` with each of the next names (as far as one buffer goes), its DT_ type, and whence to go on after it.
  /// `.` and `..` come, too. Returns false at the end.
  func read(
    _ folder: Descriptor, _ path: StorePath, _ body: (UnsafeRawBufferPointer, UInt8, Int64) -> Void
  ) throws(StoreError) -> Bool {
    let got = cl_read_names(folder.raw, buffer.baseAddress, buffer.count)
    if got < 0 {
      // A folder that was deleted while it was open.
      if got == -Int(ENOENT) { return false }
      throw FolderFault.error(Int32(-got), "list", path)
    }
    var position = 0
    var name = cl_name()
    while cl_next_name(buffer.baseAddress, got, &position, &name) != 0 {
      body(UnsafeRawBufferPointer(start: name.name, count: name.length), name.type, name.next)
    }
    return got > 0
  }

  /// Some of the names in a folder, without `.` and `..`; none when it has none left.
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
