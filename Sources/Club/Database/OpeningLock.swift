import Basics

/// A lock on the folder while a process opens a database. Of several processes that start at once, only one creates the
/// file, or sets a damaged one aside with its companions.
struct OpeningLock {
  private let folder: OpenFile?

  /// Waits at most 5 s, because a stopped process must not stop the others. Continues without a lock if the folder
  /// cannot be locked.
  init(besides path: String) {
    folder = try? OpenFile(folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    if let folder { _ = try? FileLock.take(folder.descriptor, waiting: .seconds(5)) }
  }

  func release() { if let folder { FileLock.release(folder.descriptor) } }
}
