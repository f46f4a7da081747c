public import Backends
import Basics
public import FileStores
import POSIX
import JSON

/// A member's password for one server on disk, which only its owner can read (0600 in 0700). Its name is derived from
/// origin and user, and the file contains both, so that the password goes to no other server. All calls block; no link
/// is followed.
public struct PasswordFile: Sendable {
  private static let mostBytes = 1 << 16

  public let path: String
  private let directory: String
  private let name: String
  private let member: SecretSignIn.Member

  /// Does not touch the disk.
  public init(directory: String, member: SecretSignIn.Member) {
    (self.directory, self.member) = (directory, member)
    name = String(SHA256.hexadecimal(of: "password\n\(member.origin)\n\(member.user)".utf8).prefix(32)) + ".json"
    path = "\(directory)/\(name)"
  }

  /// nil if there is no password.
  /// - Throws: `notPermitted` if others can read it, or if it is another user's; `notSignedIn` if it is damaged.
  public func read() throws(StoreError) -> String? {
    let bytes: [UInt8]?
    let facts: OpenFile.Facts
    do throws(SystemError) {
      let file = try OpenFile(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: try OpenFile(folder: directory))
      facts = try file.facts()
      bytes = facts.isRegular ? try file.readAll(limit: Self.mostBytes) : nil
    } catch {
      if error.code == ENOENT { return nil }
      throw .system(error.code, "read", path)
    }
    guard facts.isRegular, facts.user == geteuid(), facts.permissions & 0o077 == 0 else {
      throw StoreError(
        .notPermitted, "\"\(path)\" is open to other users, so byteclub does not use its password.",
        remedy: "Fix it with: chmod 600 \(PathText.plainWord(path)) (or remove it, and sign in again).")
    }
    guard let bytes, let record = try? JSONReader.read(bytes), record["origin"]?.text == member.origin,
      record["user"]?.text == member.user, let password = record["password"]?.text, !password.isEmpty
    else {
      throw StoreError(
        .notSignedIn, "\"\(path)\" has no readable password for \(member.origin).", remedy: "Sign in again.")
    }
    return password
  }

  /// Atomic, durable on return, and never readable by others.
  /// - Throws: `quota`, `notPermitted`, `server`. The old password then stays.
  public func write(_ password: String) throws(StoreError) {
    let record: JSONValue = .members([
      "origin": .string(member.origin), "user": .string(member.user), "password": .string(password),
    ])
    do throws(SystemError) {
      try Folders.make(directory, mode: 0o700)
      try WholeFile.write(Array("\(record.encoded)\n".utf8), to: name, in: try OpenFile(folder: directory))
    } catch {
      throw .system(error.code, "written", path)
    }
  }

  /// Returns false if there was none.
  public func remove() throws(StoreError) -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else { throw .system(errno, "removed", path) }
    return false
  }
}
