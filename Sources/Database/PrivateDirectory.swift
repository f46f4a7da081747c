public import FileStores
import Glibc

/// A directory of this member's own: mode 0700, files in it 0600, whatever the umask says.
///
/// All calls block. Names are single components; the caller chooses them, they never come from a club.
public struct PrivateDirectory: Sendable, Hashable {
  /// The directory, as it was given.
  public let path: String

  /// Makes the directory, and the missing ones above it, where they are not there yet.
  /// - Throws: `notPermitted`, `quota` or `server`, naming the directory.
  public init(making path: String) throws(StoreError) {
    self.path = path
    try PrivateDirectory.make(path)
  }

  /// The path of a file in here.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// A directory in here, made when it is not there yet.
  public func directory(_ name: String) throws(StoreError) -> PrivateDirectory {
    try PrivateDirectory(making: path(of: name))
  }

  /// Writes a whole file, durably: once this returns, a power cut does not lose it. Readers see the old or the new.
  public func write(_ bytes: [UInt8], as name: String) throws(StoreError) {
    let temporary = path(of: ".\(name.prefix(200)).\(String(UInt64.random(in: .min ... .max), radix: 16)).part")
    let target = path(of: name)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw PrivateDirectory.failure(errno, "written", target) }
    var failed = PrivateDirectory.write(bytes, to: file)
    if failed == 0, fsync(file) != 0 { failed = errno }
    if close(file) != 0, failed == 0 { failed = errno }
    if failed == 0, rename(temporary, target) != 0 { failed = errno }
    guard failed == 0 else {
      unlink(temporary)
      throw PrivateDirectory.failure(failed, "written", target)
    }
    try flush()
  }

  /// A file's bytes; nil when there is no such file.
  public func read(_ name: String) throws(StoreError) -> [UInt8]? {
    let file = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw PrivateDirectory.failure(errno, "read", path(of: name))
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw PrivateDirectory.failure(errno, "read", path(of: name)) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw PrivateDirectory.failure(EINVAL, "read", path(of: name)) }
    return try PrivateDirectory.readAll(file, expecting: Int(facts.st_size), path(of: name))
  }

  /// True when there is something of that name.
  public func holds(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

  /// How many bytes a file has; nil when it cannot be looked at.
  public func bytes(of name: String) -> UInt64? {
    facts(of: name)?.bytes
  }

  /// How many bytes a file has, and when it was last written, in seconds since 1970; nil when it cannot be looked at.
  public func facts(of name: String) -> (bytes: UInt64, changed: Int64)? {
    var facts = stat()
    guard stat(path(of: name), &facts) == 0 else { return nil }
    return (UInt64(clamping: facts.st_size), Int64(facts.st_mtim.tv_sec))
  }

  /// Removes a file; one that is not there is no error.
  public func remove(_ name: String) throws(StoreError) {
    guard unlink(path(of: name)) == 0 || errno == ENOENT else {
      throw PrivateDirectory.failure(errno, "removed", path(of: name))
    }
  }

  /// Removes the directory with the files in it (folders in it are not gone into, and keep it from going).
  public func removeAll() throws(StoreError) {
    for name in try names() { try remove(name) }
    guard rmdir(path) == 0 || errno == ENOENT else { throw PrivateDirectory.failure(errno, "removed", path) }
  }

  /// The names in here, in no order; empty when the directory is gone.
  public func names() throws(StoreError) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw PrivateDirectory.failure(errno, "read", path)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes what was created, renamed and removed in here durable.
  private func flush() throws(StoreError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw PrivateDirectory.failure(errno, "written", path) }
    defer { close(folder) }
    // Some network file systems cannot flush a directory and say EINVAL; there is nothing more to be had there.
    guard fsync(folder) == 0 || errno == EINVAL else { throw PrivateDirectory.failure(errno, "written", path) }
  }

  private static func make(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 { return }
    switch errno {
    case EEXIST:
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
        throw failure(ENOTDIR, "made a directory", path)
      }
      // One that was made by hand may let others look in; texts in here are the member's own.
      if facts.st_uid == geteuid(), facts.st_mode & 0o077 != 0 { chmod(path, 0o700) }
    case ENOENT:
      guard let cut = path.lastIndex(of: "/"), cut != path.startIndex else { throw failure(ENOENT, "made", path) }
      try makeParent(String(path[..<cut]))
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(errno, "made", path) }
    case let code:
      throw failure(code, "made", path)
    }
  }

  /// As `make`, but what is there already keeps its mode: it may be `~/.local`.
  private static func makeParent(_ path: String) throws(StoreError) {
    if access(path, F_OK) == 0 { return }
    try make(path)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count > 0 { done += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }

  private static func readAll(_ file: Int32, expecting size: Int, _ path: String) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    var code: Int32 = 0
    var atEnd = false
    while !atEnd, code == 0 {
      // One byte more than is expected, so that the usual file needs two calls.
      let room = max(size + 1 - bytes.count, 64 * 1024)
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var got = Glibc.read(file, buffer.baseAddress, room)
        while got < 0, errno == EINTR { got = Glibc.read(file, buffer.baseAddress, room) }
        if got < 0 { code = errno }
        count = max(got, 0)
      }
      atEnd = piece.isEmpty
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    if code != 0 { throw failure(code, "read", path) }
    return bytes
  }

  /// The error of a call that failed with `code`, for the file at `path`.
  static func failure(_ code: Int32, _ verb: String, _ path: String) -> StoreError {
    let reason = String(cString: strerror(code))
    let message = "\"\(path)\" could not be \(verb): \(reason)."
    switch code {
    case ENOSPC, EDQUOT: return StoreError(.quota, message, remedy: "Free some space on that disk, then try again.")
    case EACCES, EPERM, EROFS:
      return StoreError(.notPermitted, message, remedy: "Check its permissions, then try again.")
    case ENAMETOOLONG: return StoreError(.badName, message, remedy: "Choose a shorter name.")
    default: return StoreError(.server, message, remedy: "Check that file, then try again.")
    }
  }
}
