internal import CLinux
internal import FileStores
internal import Glibc

extension FolderDisk {
  /// Seconds after which an unfinished file can be nobody's any more.
  static let staleSeconds: Int64 = 24 * 60 * 60

  /// Removes unfinished files that a crash left behind. One that cannot be removed stays.
  func removeStale(_ names: [CName], in folder: Descriptor, _ path: StorePath, now: Int64 = Int64(time(nil))) {
    for name in names {
      guard let stat = (try? folder.stat(name, path)) ?? nil, isOlder(stat, than: FolderDisk.staleSeconds, now: now)
      else {
        continue
      }
      try? remove(name, in: folder, path)
    }
  }

  func isOlder(_ stat: FileStat, than seconds: Int64, now: Int64 = Int64(time(nil))) -> Bool {
    // By the ctime: an old file that was put aside a moment ago has an old mtime.
    now - Timestamp(nanoseconds: stat.raw.changed).seconds > seconds
  }
}
