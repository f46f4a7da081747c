import Glibc

/// Held by a process while it opens a database, so that of several that start at once one makes it, or puts a damaged
/// one aside with its companions, while the others wait. It is a lock on the file's folder: nothing is left behind.
struct OpeningLock {
  private let folder: Int32

  /// Waits for the lock, 5 s at most: a process that was stopped in the middle of it must not stop the others. Where a
  /// folder cannot be locked, there is none.
  init(besides path: String) {
    folder = open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var tries = 0
    while folder >= 0, tries < 500, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      tries += 1
      usleep(10_000)
    }
  }

  /// Lets the next one in.
  func release() { if folder >= 0 { close(folder) } }
}
