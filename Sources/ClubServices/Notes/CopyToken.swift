import Glibc

/// What a file looks like from outside; two that are equal are of a file that was not written between.
struct CopyToken: Sendable, Equatable {
  private let inode: UInt64
  private let size: Int64
  private let modified: Int64

  /// Nil when there is no such file.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (inode, size) = (UInt64(facts.st_ino), Int64(facts.st_size))
    modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
  }

  var isEmpty: Bool { size == 0 }
}
