import FileStores
import Glibc

/// Files named by content, in two levels of folders: `ab/cd/abcd….256`. All calls block. What fails is told by
/// nil or false: nothing in here is needed.
///
/// A file is written under a name of its own and renamed, without fsync: one that a power cut has torn does not pass
/// the check that every reading makes.
struct CacheFolder: Sendable {
  /// A file, as far as tidying up needs to know.
  struct Item {
    let path: String
    let bytes: Int
    let used: Timestamp
  }

  let path: String
  /// Larger files are not read.
  let maxFileBytes: Int
  /// The mode of the files.
  var mode: mode_t = 0o600

  /// The file's bytes; nil when there is none, or none that can be read. Counts as a use.
  func read(_ name: String) -> [UInt8]? {
    let file = open(place(of: name), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= maxFileBytes else {
      return nil
    }
    let count = Int(facts.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = Glibc.read(file, buffer.baseAddress.map { $0 + filled }, count - filled)
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        filled += got
      }
    }
    Self.markUsed(file)
    return bytes
  }

  /// Writes a whole file, readable by its owner alone. False when that failed: nothing is left then.
  func write(_ bytes: [UInt8], as name: String) -> Bool {
    let target = place(of: name)
    var folder = path
    Self.makeFolders(path)
    for part in Self.folders(of: name) {
      folder += "/\(part)"
      mkdir(folder, 0o700)
    }
    let temporary = "\(folder)/.\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let wrote = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if wrote < 0, errno == EINTR { continue }
      if wrote <= 0 { break }
      rest = rest.dropFirst(wrote)
    }
    Self.markUsed(file)
    if close(file) == 0, rest.isEmpty, rename(temporary, target) == 0 { return true }
    unlink(temporary)
    return false
  }

  /// The kernel's own stamps stand still for milliseconds, in which several looks would count as one.
  private static func markUsed(_ file: Int32) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    futimens(file, [now, now])
  }

  /// Whether a file of this name is here.
  func holds(_ name: String) -> Bool {
    var facts = stat()
    return lstat(place(of: name), &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Gives a file a second name, in two folders below this one; its path, or nil when that failed.
  func link(_ name: String, into folders: String, as second: String) -> String? {
    let folder = "\(path)/\(folders)"
    Self.makeFolders(folder)
    let target = "\(folder)/\(second)"
    unlink(target)
    return Glibc.link(place(of: name), target) == 0 ? target : nil
  }

  func remove(_ name: String) { unlink(place(of: name)) }

  /// All files that are here, half-written ones included.
  func items() -> [Item] {
    var items: [Item] = []
    for first in Self.names(in: path) {
      for second in Self.names(in: "\(path)/\(first)") {
        let folder = "\(path)/\(first)/\(second)"
        for name in Self.names(in: folder) {
          var facts = stat()
          guard lstat("\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
          let used = Timestamp(seconds: Int64(facts.st_mtim.tv_sec), nanoseconds: Int64(facts.st_mtim.tv_nsec))
          items.append(Item(path: "\(folder)/\(name)", bytes: Int(facts.st_size), used: used))
        }
      }
    }
    return items
  }

  /// Removes files, oldest use first, until at most `limit` bytes are left. Returns how many are left.
  func shrink(to limit: Int) -> Int {
    let items = items().sorted { $0.used < $1.used }
    var left = items.reduce(0) { $0 + $1.bytes }
    for item in items {
      guard left > limit else { break }
      if unlink(item.path) == 0 { left -= item.bytes }
    }
    return left
  }

  private func place(of name: String) -> String {
    (Self.folders(of: name) + [name]).reduce(path) { "\($0)/\($1)" }
  }

  private static func folders(of name: String) -> [String] {
    [String(name.prefix(2)), String(name.dropFirst(2).prefix(2))]
  }

  private static func makeFolders(_ path: String) {
    if mkdir(path, 0o700) == 0 || errno != ENOENT { return }
    guard let cut = path.lastIndex(of: "/"), cut != path.startIndex else { return }
    makeFolders(String(path[..<cut]))
    mkdir(path, 0o700)
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
