import Database
import FileStores
import Glibc

/// This process's claim to carry out transfers: a file that it holds locked. The kernel lets go of the lock however the
/// process ends. Closed with the last reference.
final class TransferLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Takes the lock in a directory, which is made (0700) when it is not there. Blocks for a moment.
  /// - Returns: nil when another has it.
  static func take(in directory: String) throws(StoreError) -> TransferLock? {
    _ = try PrivateDirectory(making: directory)
    let path = "\(directory)/transfers.lock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(path, errno) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return TransferLock(file) }
    let code = errno
    close(file)
    guard code == EWOULDBLOCK || code == EINTR else { throw failure(path, code) }
    return nil
  }

  /// Whether somebody has the lock. Blocks for a moment; nothing is made.
  static func isTaken(in directory: String) -> Bool {
    let file = open("\(directory)/transfers.lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func failure(_ path: String, _ code: Int32) -> StoreError {
    StoreError(
      code == ENOSPC || code == EDQUOT ? .quota : .notPermitted,
      "\"\(path)\" could not be locked: \(String(cString: strerror(code))).",
      remedy: "Check the free space and the permissions there, then try again.")
  }
}
