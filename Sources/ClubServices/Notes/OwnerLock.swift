import Database
import FileStores
import Glibc
import Synchronization

/// This process's claim to its drafts and saves: a file that it holds locked for as long as it lives. The kernel lets
/// go of the lock however the process ends.
final class OwnerLock: Sendable {
  /// What rows of the outbox are marked with: 32 hexadecimal digits.
  let word: String
  private let path: String
  private let descriptor = Mutex<Int32>(-1)

  /// Chooses a word; nothing is locked yet.
  init(directory: String) {
    self.directory = directory
    let digits = Array("0123456789abcdef")
    word = String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
    path = OwnerLock.path(of: word, in: directory)
  }

  deinit {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      unlink(path)
      close(descriptor)
    }
  }

  private let directory: String

  /// Takes the lock, once; blocks for as long as it takes to make a file.
  func take() throws(StoreError) {
    try descriptor.withLock { descriptor throws(StoreError) in
      guard descriptor < 0 else { return }
      _ = try PrivateDirectory(making: directory)
      // Locked before it has its name, so that nobody ever sees it without an owner.
      let temporary = "\(path).part"
      let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw failure(errno) }
      // Where the file system has no locks, the drafts are still safe; only another byteclub may offer them, too.
      _ = flock(file, LOCK_EX | LOCK_NB)
      guard rename(temporary, path) == 0 else {
        let code = errno
        unlink(temporary)
        close(file)
        throw failure(code)
      }
      descriptor = file
    }
  }

  /// Whether the process that chose this word lives. Blocks for a moment. Removes the file of one that does not.
  func isLive(_ word: String) -> Bool {
    guard word != self.word else { return true }
    // A damaged row may hold anything.
    guard word.utf8.count == 32, word.allSatisfy({ $0.isHexDigit }) else { return false }
    let path = OwnerLock.path(of: word, in: directory)
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    // Shared, so that two who look at once do not take each other for the owner.
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    unlink(path)
    return false
  }

  private static func path(of word: String, in directory: String) -> String { "\(directory)/\(word).lock" }

  private func failure(_ code: Int32) -> StoreError {
    StoreError(
      code == ENOSPC || code == EDQUOT ? .quota : .notPermitted,
      "\"\(path)\" could not be made: \(String(cString: strerror(code))).",
      remedy: "Check the free space and the permissions there, then try again.")
  }
}
