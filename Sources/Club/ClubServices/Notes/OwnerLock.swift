import Basics
import FileStores
import POSIX
import Synchronization

/// This process's ownership of its drafts and saves: a file that it keeps locked. The kernel releases the lock however
/// the process ends.
final class OwnerLock: Sendable {
  /// Marks this process's rows in the outbox: 32 hexadecimal digits.
  let word: String
  private let path: String
  private let descriptor = Mutex<Int32>(-1)

  init(directory: String) {
    self.directory = directory
    let digits = Array("0123456789abcdef")
    word = String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
    path = OwnerLock.path(of: word, in: directory)
  }

  deinit { release() }

  /// `take` takes it again.
  func release() {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      unlink(path)
      close(descriptor)
      descriptor = -1
    }
  }

  private let directory: String

  /// Takes the lock once. Blocks.
  func take() throws(StoreError) {
    try descriptor.withLock { descriptor throws(StoreError) in
      guard descriptor < 0 else { return }
      _ = try PrivateDirectory(making: directory)
      // The file is locked before it gets its name, so no process ever sees it without an owner.
      let temporary = "\(path).part"
      let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw .system(errno, "made", path, other: .notPermitted) }
      // On a file system without locks the drafts are still safe, but another byteclub may offer them too.
      _ = try? FileLock.take(file)
      guard rename(temporary, path) == 0 else {
        let code = errno
        unlink(temporary)
        close(file)
        throw .system(code, "made", path, other: .notPermitted)
      }
      descriptor = file
    }
  }

  /// True if the owner process is alive. Blocks briefly. Removes the lock file of a process that has ended.
  func isLive(_ word: String) -> Bool {
    guard word != self.word else { return true }
    // A damaged row may contain anything.
    guard word.utf8.count == 32, word.allSatisfy({ $0.isHexDigit }) else { return false }
    let path = OwnerLock.path(of: word, in: directory)
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    // A shared lock, so that two processes that check at once do not mistake each other for the owner.
    do throws(SystemError) {
      guard try FileLock.take(file, isShared: true) else { return true }
    } catch {
      return false
    }
    unlink(path)
    return false
  }

  private static func path(of word: String, in directory: String) -> String { "\(directory)/\(word).lock" }
}
