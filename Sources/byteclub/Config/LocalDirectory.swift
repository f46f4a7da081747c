import Glibc

/// Directories of this machine.
enum LocalDirectory {
  /// Whether a directory is there (links are followed).
  static func exists(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether anything is there, even a link that leads nowhere.
  static func holdsAnything(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Makes a directory and those above it, with the umask's mode. Returns 0 or the error number.
  static func make(_ path: String) -> Int32 {
    if exists(path) { return 0 }
    if mkdir(path, 0o777) == 0 {
      makeLast(above: path)
      return 0
    }
    guard errno == ENOENT, let cut = path.lastIndex(of: "/"), cut > path.startIndex else { return errno }
    let above = make(String(path[..<cut]))
    if above != 0 { return above }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { return errno }
    makeLast(above: path)
    return 0
  }

  /// The name of a directory that was made is on the disk when this returns, where the file system can do so.
  private static func makeLast(above path: String) {
    let cut = path.lastIndex(of: "/")
    let parent = open(
      cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    fsync(parent)
    close(parent)
  }

  /// Where a path leads, or would when what is missing of it were made: in full, without links, `.` and `..`.
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

  /// The path in full, without links where it is there, else from the working directory.
  static func absolute(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard !path.hasPrefix("/"), let working = getcwd(nil, 0) else { return path }
    defer { free(working) }
    return String(cString: working) + "/" + path
  }
}
