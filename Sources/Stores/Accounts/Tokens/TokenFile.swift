import Basics
public import FileStores
import POSIX

/// An account's sign-in on disk, which only its owner can read (0600 in 0700). Its name is derived from the origin and
/// the app key of the tokens, and the file contains both.
/// All calls block. The file and its lock are never opened through links; each call opens the directory once and works
/// inside it.
public struct TokenFile: Sendable {
  public let path: String

  private let directory: String
  private let name: String
  private let account: Account
  private let user: uid_t

  /// Does not touch the disk.
  public init(directory: String, account: Account) {
    self.init(directory: directory, account: account, user: geteuid())
  }

  init(directory: String, account: Account, user: uid_t) {
    self.directory = directory
    self.account = account
    self.user = user
    // A hash reveals nothing and cannot lead out of the directory.
    name = String(SHA256.hexadecimal(of: account.binding.utf8).prefix(32)) + ".json"
    path = "\(directory)/\(name)"
  }

  /// nil if there is no sign-in.
  /// - Throws: `notPermitted` if others can read or change it, or if it is another user's; `notSignedIn` if it is
  ///   damaged or belongs to another service.
  public func read() throws(StoreError) -> Grant? {
    guard let folder = try openDirectory() else { return nil }
    let (facts, bytes) = try contents(in: folder) ?? (nil, nil)
    guard let facts else { return nil }
    guard facts.isRegular else {
      throw refused("is not a regular file", mend: "Remove it, then sign in with: \(account.loginCommand)")
    }
    guard facts.user == user else {
      throw refused("belongs to another user", mend: "Remove it, then sign in with: \(account.loginCommand)")
    }
    guard facts.permissions & 0o077 == 0 else {
      throw refused("is open to other users", mend: "Fix it with: chmod 600 \(PathText.plainWord(path))")
    }
    guard let bytes, let record = TokenRecord(bytes: bytes[...]) else { throw damaged() }
    guard record.origin == account.service.origin, record.appKey == account.appKey,
      let grant = record.grant(for: account)
    else {
      throw damaged()
    }
    return grant
  }

  private func contents(in folder: OpenFile) throws(StoreError) -> (OpenFile.Facts, [UInt8]?)? {
    do throws(SystemError) {
      let file = try OpenFile(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: folder)
      let facts = try file.facts()
      return (facts, facts.isRegular ? try file.readAll(limit: TokenRecord.mostBytes) : nil)
    } catch {
      if error.code == ENOENT { return nil }
      if error.code == ELOOP {
        throw refused("is a link", mend: "Remove it, then sign in with: \(account.loginCommand)")
      }
      throw failure(error.code, "read")
    }
  }

  /// Atomic, durable on return, and never readable by others.
  /// - Throws: `badInput` for a sign-in that `read` would refuse; `quota`, `notPermitted`, `server`. The old sign-in
  ///   then stays.
  public func write(_ grant: Grant) throws(StoreError) {
    try makeDirectory()
    guard let folder = try openDirectory() else { throw failure(ENOENT, "written") }
    let bytes = try encoded(grant)
    do throws(SystemError) {
      try WholeFile.write(bytes, to: name, in: folder)
    } catch {
      throw failure(error.code, "written")
    }
  }

  /// Removes the sign-in in any state; false if there was none.
  @discardableResult public func remove() throws(StoreError) -> Bool {
    guard let folder = try openDirectory() else { return false }
    WholeFile.removeOldParts(of: name, in: folder)
    guard unlinkat(folder.descriptor, name, 0) == 0 else {
      if errno == ENOENT { return false }
      throw failure(errno, "removed")
    }
    _ = fsync(folder.descriptor)
    return true
  }

  /// Takes the lock, which one holder in one process has at a time; nil if another holder has it.
  func lock() throws(StoreError) -> TokenLock? {
    try makeDirectory()
    guard let folder = try openDirectory() else { throw failure(ENOENT, "locked") }
    do throws(SystemError) {
      let file = try OpenFile("\(name).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, in: folder)
      return try FileLock.take(file.descriptor) ? TokenLock(file) : nil
    } catch {
      throw failure(error.code, "locked")
    }
  }

  /// Checks that the directory belongs to this user and nobody else can change it; nil if it is missing.
  private func openDirectory() throws(StoreError) -> OpenFile? {
    let (folder, facts): (OpenFile, OpenFile.Facts)
    do throws(SystemError) {
      folder = try OpenFile(folder: directory)
      facts = try folder.facts()
    } catch {
      if error.code == ENOENT { return nil }
      throw failure(error.code, "read", directory)
    }
    guard facts.user == user else {
      throw refused("belongs to another user", directory, mend: "Use a directory of your own: set XDG_DATA_HOME")
    }
    guard facts.permissions & 0o022 == 0 else {
      throw refused(
        "is open to other users", directory, mend: "Fix it with: chmod 700 \(PathText.plainWord(directory))")
    }
    return folder
  }

  /// Checks that `read` can decode the bytes, because they replace a good sign-in.
  private func encoded(_ grant: Grant) throws(StoreError) -> [UInt8] {
    let bytes = TokenRecord(account, grant).encoded
    guard TokenRecord(bytes: bytes[...])?.grant(for: account) == grant else {
      throw StoreError(
        .badInput, "byteclub could not store the sign-in for \(account.service.name): it cannot be read again.",
        remedy: "Sign in again.")
    }
    return bytes
  }

  private func makeDirectory() throws(StoreError) {
    // Missing parent directories get the same mode (XDG Base Directory Specification, version 0.8).
    do throws(SystemError) {
      try Folders.make(directory, mode: 0o700)
    } catch {
      throw failure(error.code, "made", directory)
    }
    var facts = stat()
    guard stat(directory, &facts) == 0, facts.st_uid == user, facts.st_mode & 0o777 != 0o700 else { return }
    chmod(directory, 0o700)
  }

  private func refused(_ why: String, _ place: String? = nil, mend: String) -> StoreError {
    StoreError(
      .notPermitted, "\"\(place ?? path)\" \(why), so byteclub does not use its sign-in.", remedy: mend + ".")
  }

  private func damaged() -> StoreError {
    account.notSignedIn("\"\(path)\" has no readable sign-in for \(account.service.name).")
  }

  private func failure(_ code: Int32, _ verb: String, _ place: String? = nil) -> StoreError {
    .system(code, verb, place ?? path)
  }
}

/// The lock for renewing a sign-in, among all processes of this machine. The system releases it when its holder ends;
/// the file stays, because removing it would allow two holders.
struct TokenLock: Sendable {
  private let file: OpenFile

  init(_ file: OpenFile) { self.file = file }

  func release() { FileLock.release(file.descriptor) }
}
