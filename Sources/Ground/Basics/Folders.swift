internal import POSIX

public enum Folders {
  /// The names in a folder, without `.` and `..`, in no order; U+FFFD replaces bytes that are not UTF-8. Blocks.
  public static func names(in path: String) throws(SystemError) -> [String] {
    try nameBytes(in: path).map { String(decoding: $0, as: UTF8.self) }
  }

  public static func nameBytes(in path: String) throws(SystemError) -> [[UInt8]] {
    guard let folder = opendir(path) else { throw .last }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    return names
  }

  /// The path with the working directory in front, unless it is absolute. Keeps `.`, `..` and links.
  public static func absolute(_ path: String) -> String {
    guard !path.utf8.starts(with: "/".utf8), let working = getcwd(nil, 0) else { return path }
    defer { free(working) }
    let base = String(cString: working)
    return path.isEmpty || path == "." ? base : base == "/" ? "/\(path)" : "\(base)/\(path)"
  }

  /// The place of a path without links and `..`. A missing part is below the deepest folder that exists. Blocks.
  public static func resolved(_ path: String) -> String {
    var existing = absolute(path)
    var missing: [Substring] = []
    while true {
      if let real = realpath(existing, nil) {
        defer { free(real) }
        var parts = String(cString: real).split(separator: "/")
        for part in missing.reversed() where part != "." {
          if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
      }
      let parts = existing.split(separator: "/")
      guard let last = parts.last else { return path }
      missing.append(last)
      existing = "/" + parts.dropLast().joined(separator: "/")
    }
  }

  /// Makes a folder and its missing parents. The umask applies. Blocks.
  /// - Parameter onEach: gets the path of each new folder.
  /// - Returns: false if something exists at the path, perhaps no folder.
  @discardableResult public static func make(
    _ path: String, mode: UInt32 = 0o777, onEach: (String) -> Void = { _ in }
  ) throws(SystemError) -> Bool {
    if mkdir(path, mode) == 0 {
      onEach(path)
      return true
    }
    switch errno {
    case EEXIST: return false
    case ENOENT:
      guard let cut = path.lastIndex(of: "/"), cut > path.startIndex else { throw SystemError(code: ENOENT) }
      try make(String(path[..<cut]), mode: mode, onEach: onEach)
      guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
      onEach(path)
      return true
    case let code: throw SystemError(code: code)
    }
  }
}
