import Basics
import FileStores
import POSIX

/// Files named by content, in two levels of folders: `ab/cd/abcd….256`. All calls block. Failures return nil or false,
/// because the cache is expendable. A file is renamed into place without fsync: readers detect a file torn by a power
/// cut.
struct CacheFolder: Sendable {
  struct Item {
    let path: String
    let bytes: Int
    let used: Timestamp
  }

  let path: String
  /// Larger files are not read.
  let maxFileBytes: Int
  var mode: mode_t = 0o600

  /// The file's bytes; nil if it does not exist or cannot be read. Counts as a use.
  func read(_ name: String) -> [UInt8]? {
    guard let file = try? OpenFile(place(of: name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
      let facts = try? file.facts(), facts.isRegular, facts.size <= maxFileBytes,
      let bytes = try? file.read(from: 0, count: Int(facts.size))
    else { return nil }
    Self.markUsed(file.descriptor)
    return bytes
  }

  /// Writes a whole file. Returns false, and leaves nothing, on failure.
  func write(_ bytes: [UInt8], as name: String) -> Bool {
    let target = place(of: name)
    do throws(SystemError) {
      try Folders.make(([path] + Self.folders(of: name)).joined(separator: "/"), mode: 0o700)
      try WholeFile.write(bytes, to: target, mode: mode, isDurable: false, seal: Self.markUsed)
      return true
    } catch {
      return false
    }
  }

  /// Sets the time itself: the kernel's stamps advance only every few milliseconds, too coarse to order uses.
  private static func markUsed(_ file: Int32) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    futimens(file, [now, now])
  }

  func holds(_ name: String) -> Bool {
    var facts = stat()
    return lstat(place(of: name), &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Gives a file a second name, in two folders below this one. Returns its path, or nil on failure.
  func link(_ name: String, into folders: String, as second: String) -> String? {
    let folder = "\(path)/\(folders)"
    _ = try? Folders.make(folder, mode: 0o700)
    let target = "\(folder)/\(second)"
    unlink(target)
    return POSIX.link(place(of: name), target) == 0 ? target : nil
  }

  func remove(_ name: String) { unlink(place(of: name)) }

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

  /// Removes files, oldest use first, until at most `limit` bytes are left. Returns the remaining bytes.
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

  private static func names(in path: String) -> [String] { (try? Folders.names(in: path)) ?? [] }
}
