public import FileStores
import Glibc

/// The sign-in of one account on this machine's disk: a file that only its owner can read (0600 in 0700), named for the
/// origin and the app key that the tokens belong to, which stand in it, too.
///
/// All calls block. Nothing is followed that is a link; the directory is opened once a call and everything happens in it.
public struct TokenFile: Sendable {
  /// Where the file is, for messages and `doctor`.
  public let path: String

  private let directory: String
  private let name: String
  private let account: Account
  private let user: uid_t

  /// The file of an account in a directory. Nothing is touched.
  public init(directory: String, account: Account) {
    self.init(directory: directory, account: account, user: geteuid())
  }

  /// As above, for a user who need not be this process's.
  init(directory: String, account: Account, user: uid_t) {
    self.directory = directory
    self.account = account
    self.user = user
    // The name says nothing and cannot lead out of the directory, whatever stands in the config.
    name = String(SHA256.hexadecimal(of: account.binding.utf8).prefix(32)) + ".json"
    path = "\(directory)/\(name)"
  }

  /// Reads the sign-in; nil when there is none.
  /// - Throws: `notPermitted` when others can read or change it, or it is another user's: it is then not used;
  ///   `notSignedIn` when it is damaged or belongs to another service.
  public func read() throws(StoreError) -> Grant? {
    guard let folder = try openDirectory() else { return nil }
    defer { close(folder) }
    let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw refused("is a link", mend: "Remove it, then sign in with: \(account.loginCommand)") }
      throw failure(errno, "read")
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw failure(errno, "read") }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw refused("is not a regular file", mend: "Remove it, then sign in with: \(account.loginCommand)")
    }
    guard facts.st_uid == user else {
      throw refused("belongs to another user", mend: "Remove it, then sign in with: \(account.loginCommand)")
    }
    guard facts.st_mode & 0o077 == 0 else {
      throw refused("is open to other users", mend: "Fix it with: chmod 600 \(path)")
    }
    guard facts.st_size <= TokenRecord.mostBytes else { throw damaged() }
    var bytes = [UInt8](repeating: 0, count: TokenRecord.mostBytes + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw failure(errno, "read") }
      if got == 0 { break }
      count += got
    }
    guard let record = TokenRecord(bytes: bytes[..<count]) else { throw damaged() }
    guard record.origin == account.service.origin, record.appKey == account.appKey,
      let grant = record.grant(for: account)
    else {
      throw damaged()
    }
    return grant
  }

  /// Keeps a sign-in in place of what was there: whole and durable once this returns, and never readable by others.
  /// - Throws: `badInput` for a sign-in that `read` would refuse; `quota`, `notPermitted`, `server`. What was there stays.
  public func write(_ grant: Grant) throws(StoreError) {
    try makeDirectory()
    guard let folder = try openDirectory() else { throw failure(ENOENT, "written") }
    defer { close(folder) }
    let bytes = try encoded(grant)
    let part = ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    let file = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(errno, "written") }
    var failed: Int32 = 0
    // The umask may have taken rights from the owner.
    if fchmod(file, 0o600) != 0 { failed = errno }
    if failed == 0 { failed = TokenFile.write(bytes, to: file) }
    if failed == 0, fsync(file) != 0 { failed = errno }
    if close(file) != 0, failed == 0 { failed = errno }
    if failed == 0, renameat(folder, part, folder, name) != 0 { failed = errno }
    guard failed == 0 else {
      unlinkat(folder, part, 0)
      throw failure(failed, "written")
    }
    // Some network file systems cannot flush a directory and say EINVAL; there is nothing more to be had there.
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure(errno, "written") }
  }

  /// Forgets the sign-in, whatever its file is like. Nothing to forget is no error.
  /// - Returns: whether there was a file.
  @discardableResult public func remove() throws(StoreError) -> Bool {
    guard let folder = try openDirectory() else { return false }
    defer { close(folder) }
    guard unlinkat(folder, name, 0) == 0 else {
      if errno == ENOENT { return false }
      throw failure(errno, "removed")
    }
    _ = fsync(folder)
    return true
  }

  /// Takes the lock of this file, which one process, and one holder in it, has at a time.
  /// - Returns: nil when another has it.
  func lock() throws(StoreError) -> TokenLock? {
    try makeDirectory()
    guard let folder = try openDirectory() else { throw failure(ENOENT, "locked") }
    defer { close(folder) }
    let file = openat(folder, "\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw failure(errno, "locked") }
    var result = flock(file, LOCK_EX | LOCK_NB)
    while result != 0, errno == EINTR { result = flock(file, LOCK_EX | LOCK_NB) }
    guard result == 0 else {
      let code = errno
      close(file)
      guard code == EWOULDBLOCK else { throw failure(code, "locked") }
      return nil
    }
    return TokenLock(descriptor: file)
  }

  /// The directory, seen to be this user's and nobody else's to change; nil when there is none.
  private func openDirectory() throws(StoreError) -> Int32? {
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(errno, "read", directory)
    }
    var facts = stat()
    guard fstat(folder, &facts) == 0, facts.st_uid == user else {
      close(folder)
      throw refused("belongs to another user", directory, mend: "Use a directory of your own: set XDG_DATA_HOME")
    }
    guard facts.st_mode & 0o022 == 0 else {
      close(folder)
      throw refused(
        "is open to other users", directory, mend: "Fix it with: chmod 700 \(directory)")
    }
    return folder
  }

  /// The file's bytes, which `read` is seen to understand before they replace a good sign-in.
  private func encoded(_ grant: Grant) throws(StoreError) -> [UInt8] {
    let message = "byteclub could not store the sign-in for \(account.service.name): it cannot be read again."
    let bytes: [UInt8]
    do {
      bytes = try TokenRecord(account, grant).encoded()
    } catch {
      throw StoreError(.badInput, "\(message) \(error)", remedy: "Sign in again.")
    }
    guard TokenRecord(bytes: bytes[...])?.grant(for: account) == grant else {
      throw StoreError(.badInput, message, remedy: "Sign in again.")
    }
    return bytes
  }

  private func makeDirectory() throws(StoreError) {
    var missing: [String] = []
    var path = directory
    // The directories above are made with the same mode (XDG Base Directory Specification, version 0.8).
    while mkdir(path, 0o700) != 0, errno != EEXIST {
      guard errno == ENOENT, let cut = path.lastIndex(of: "/"), cut > path.startIndex else {
        throw failure(errno, "made", path)
      }
      missing.append(path)
      path = String(path[..<cut])
    }
    for path in missing.reversed() where mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw failure(errno, "made", path)
    }
    var facts = stat()
    guard stat(directory, &facts) == 0, facts.st_uid == user, facts.st_mode & 0o777 != 0o700 else { return }
    chmod(directory, 0o700)
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

  private func refused(_ why: String, _ place: String? = nil, mend: String) -> StoreError {
    StoreError(
      .notPermitted, "\"\(place ?? path)\" \(why), so byteclub does not use its sign-in.", remedy: mend + ".")
  }

  private func damaged() -> StoreError {
    account.notSignedIn("\"\(path)\" has no readable sign-in for \(account.service.name).")
  }

  private func failure(_ code: Int32, _ verb: String, _ place: String? = nil) -> StoreError {
    let message = "\"\(place ?? path)\" could not be \(verb): \(String(cString: strerror(code)))."
    return switch code {
    case ENOSPC, EDQUOT: StoreError(.quota, message, remedy: "Free some space on that disk, then try again.")
    case EACCES, EPERM, EROFS:
      StoreError(.notPermitted, message, remedy: "Check its permissions, then try again.")
    default: StoreError(.server, message, remedy: "Check that file, then try again.")
    }
  }
}
