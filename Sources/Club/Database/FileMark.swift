import POSIX

/// A cheap sign of commits to an SQLite file: size and time of the file and of its write-ahead log, which receives each
/// commit first. Needs no connection.
public struct FileMark: Equatable, Sendable {
  private struct Part: Equatable, Sendable {
    let inode: UInt64
    let size: Int64
    let modified: Int64
  }

  /// The longest tick of a file's clock in nanoseconds (4 ms before Linux 6.13), with a margin.
  private static let coarse: Int64 = 100_000_000

  private let file: Part
  private let log: Part?
  /// True if a later commit will surely change the mark, because nothing was written just now.
  let isSettled: Bool

  /// Reads the mark in two microseconds; nil if the file is missing.
  init?(of path: String) {
    guard let file = FileMark.part(path) else { return nil }
    self.file = file
    log = FileMark.part(path + "-wal")
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let newest = max(file.modified, log?.modified ?? 0)
    isSettled = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - newest > FileMark.coarse
  }

  public static func == (left: FileMark, right: FileMark) -> Bool { left.file == right.file && left.log == right.log }

  private static func part(_ path: String) -> Part? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    return Part(
      inode: UInt64(info.st_ino), size: Int64(info.st_size),
      modified: Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec))
  }
}
