import Basics
import POSIX

/// A directory of this member's own: mode 0700, its files 0600, regardless of the umask. All calls block. Names are
/// single components chosen by the caller, never by a club.
public struct PrivateDirectory: Sendable, Hashable {
  public let path: String

  /// Creates the directory and its parents if they are missing.
  /// - Throws: `notPermitted`, `quota` or `server`, naming the directory.
  public init(making path: String) throws(StoreError) {
    self.path = path
    try PrivateDirectory.make(path)
  }

  /// A directory that exists, or is not used before it does.
  public init(at path: String) { self.path = path }

  public func path(of name: String) -> String { "\(path)/\(name)" }

  public func directory(_ name: String) throws(StoreError) -> PrivateDirectory {
    try PrivateDirectory(making: path(of: name))
  }

  /// Writes a whole file, durably: after the return, a power cut does not lose it. Readers see the old or the new file.
  public func write(_ bytes: [UInt8], as name: String) throws(StoreError) {
    do throws(SystemError) {
      try WholeFile.write(bytes, to: name, in: try OpenFile(folder: path))
    } catch {
      throw .system(error.code, "written", path(of: name))
    }
  }

  /// nil if the file is missing.
  /// - Throws: `tooLarge` if the file has more than `limit` bytes, of which no more are read.
  public func read(_ name: String, limit: Int = .max) throws(StoreError) -> [UInt8]? {
    let whole: [UInt8]?
    do throws(SystemError) {
      let file = try OpenFile(reading: path(of: name))
      guard try file.facts().isRegular else { throw SystemError(code: EINVAL) }
      whole = try file.readAll(limit: limit)
    } catch {
      if error.code == ENOENT { return nil }
      throw .system(error.code, "read", path(of: name))
    }
    guard let whole else {
      throw StoreError(.tooLarge, "\"\(path(of: name))\" has more than \(limit) bytes.")
    }
    return whole
  }

  public func holds(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

  public func bytes(of name: String) -> UInt64? {
    facts(of: name)?.bytes
  }

  /// The size of a file in bytes and its last modification, in seconds since 1970; nil if they cannot be read.
  public func facts(of name: String) -> (bytes: UInt64, changed: Int64)? {
    var facts = stat()
    guard stat(path(of: name), &facts) == 0 else { return nil }
    return (UInt64(clamping: facts.st_size), Int64(facts.st_mtim.tv_sec))
  }

  public func remove(_ name: String) throws(StoreError) {
    guard unlink(path(of: name)) == 0 || errno == ENOENT else {
      throw .system(errno, "removed", path(of: name))
    }
  }

  /// Removes the directory with its files. Subdirectories are not entered and prevent the removal.
  public func removeAll() throws(StoreError) {
    for name in try names() { try remove(name) }
    guard rmdir(path) == 0 || errno == ENOENT else { throw .system(errno, "removed", path) }
  }

  /// The names in this directory, in no order; empty if the directory is gone.
  public func names() throws(StoreError) -> [String] {
    do throws(SystemError) {
      return try Folders.names(in: path)
    } catch {
      if error.code == ENOENT { return [] }
      throw .system(error.code, "read", path)
    }
  }

  private static func make(_ path: String) throws(StoreError) {
    do throws(SystemError) {
      if try Folders.make(path, mode: 0o700) { return }
    } catch {
      throw .system(error.code, "made", path)
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw .system(ENOTDIR, "made a directory", path)
    }
    // A directory made by hand may be readable by others; the texts in it are the member's own.
    if facts.st_uid == geteuid(), facts.st_mode & 0o077 != 0 { chmod(path, 0o700) }
  }
}
