import Glibc

/// What shows, without opening an SQLite file, that something was committed to it: size and time of the file and of its
/// write-ahead log, into which each commit goes first.
struct FileMark: Equatable {
  private struct Part: Equatable {
    let inode: UInt64
    let size: Int64
    let modified: Int64
  }

  /// A file's clock may stand still for so long (a tick of 4 ms, before Linux 6.13): with room to spare.
  private static let coarse: Int64 = 100_000_000

  private let file: Part
  private let log: Part?
  /// Whether a later commit will surely look different: nothing was written just now.
  let isSettled: Bool

  /// Looks; takes two microseconds. Nil when there is no such file.
  init?(of path: String) {
    guard let file = FileMark.part(path) else { return nil }
    self.file = file
    log = FileMark.part(path + "-wal")
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let newest = max(file.modified, log?.modified ?? 0)
    isSettled = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - newest > FileMark.coarse
  }

  static func == (left: FileMark, right: FileMark) -> Bool { left.file == right.file && left.log == right.log }

  private static func part(_ path: String) -> Part? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    return Part(
      inode: UInt64(info.st_ino), size: Int64(info.st_size),
      modified: Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec))
  }
}
