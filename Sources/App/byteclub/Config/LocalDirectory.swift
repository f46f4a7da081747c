import Basics
import POSIX

enum LocalDirectory {
  /// Follows links.
  static func exists(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// True even for a dangling link.
  static func holdsAnything(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// With parents and the umask's mode. Returns 0 or the error number.
  static func make(_ path: String) -> Int32 {
    if exists(path) { return 0 }
    do throws(SystemError) {
      try Folders.make(path, onEach: makeLast)
      return exists(path) ? 0 : EEXIST
    } catch {
      return error.code
    }
  }

  /// Flushes a new directory's name to the disk, if the file system supports it.
  private static func makeLast(_ path: String) {
    let cut = path.lastIndex(of: "/")
    let above = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    do throws(SystemError) { try OpenFile(folder: above).synchronizeNames() } catch { return }
  }

  /// Without links, `.` and `..`; the last components need not exist.
  static func resolved(_ path: String) -> String {
    var at = path.hasPrefix("/") ? path : absolute(".") + "/" + path
    var missing: [Substring] = []
    while at != "/", !holdsAnything(at), let cut = at.lastIndex(of: "/") {
      missing.append(at[at.index(after: cut)...])
      at = cut == at.startIndex ? "/" : String(at[..<cut])
    }
    var parts = absolute(at).split(separator: "/")
    for name in missing.reversed() where name != "." && !name.isEmpty {
      if name == ".." { _ = parts.popLast() } else { parts.append(name) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Without links if the path exists, otherwise relative to the working directory.
  static func absolute(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    return Folders.absolute(path)
  }
}
