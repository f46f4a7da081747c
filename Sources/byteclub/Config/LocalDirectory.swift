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
    if mkdir(path, 0o777) == 0 { return 0 }
    guard errno == ENOENT, let cut = path.lastIndex(of: "/"), cut > path.startIndex else { return errno }
    let above = make(String(path[..<cut]))
    if above != 0 { return above }
    return mkdir(path, 0o777) == 0 || errno == EEXIST ? 0 : errno
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
