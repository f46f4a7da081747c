import Glibc

/// Directories that only their owner may look into.
enum PrivateDirectory {
  /// Makes a directory, and the ones above it, with mode 0700. One that is there is left as it is.
  /// - Throws: a sentence that names the directory.
  static func make(_ path: String) throws(ConfigFault) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST && isDirectory(path) { return }
    let code = errno
    if code == ENOENT, let cut = path.lastIndex(of: "/"), cut > path.startIndex {
      try makeParents(String(path[..<cut]))
      if mkdir(path, 0o700) == 0 || errno == EEXIST && isDirectory(path) { return }
    }
    throw ConfigFault(
      "The directory \(path) cannot be made: \(SystemError.sentence(errno)). byteclub keeps its files there.")
  }

  private static func makeParents(_ path: String) throws(ConfigFault) {
    if isDirectory(path) { return }
    if let cut = path.lastIndex(of: "/"), cut > path.startIndex { try makeParents(String(path[..<cut])) }
    // The XDG specification asks for 0700 here, too.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw ConfigFault(
        "The directory \(path) cannot be made: \(SystemError.sentence(errno)). byteclub keeps its files there.")
    }
  }

  /// Whether a directory is there (links are followed).
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
