internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX
internal import Synchronization

/// The change feed of a folder, which includes the store's own writes.
///
/// - A folder is watched from before its first listing; `start` and `wait` watch all folders.
/// - inotify reports at once and costs nothing while idle. Network disks, which do not report writes of other machines,
///   and systems out of watches are scanned every two seconds.
final class FolderWatcher: ChangeFeed, Sendable {
  private let disk: FolderDisk
  private let pool: BlockingPool
  private let log: ChangeLog
  private let thread = Mutex<WatchThread?>(nil)

  init(disk: FolderDisk, pool: BlockingPool) {
    self.disk = disk
    self.pool = pool
    log = ChangeLog(capacity: disk.tuning.changeCapacity)
  }

  deinit { thread.withLock { $0?.stop() } }

  func start() async throws(StoreError) -> ChangeCursor {
    try checkCancelled()
    return try await pool.run { [self] () throws(StoreError) -> ChangeCursor in
      let cursor = log.cursor
      try watchThread().watchEverything()
      return cursor
    }
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    while true {
      try checkCancelled()
      try await pool.run { [self] () throws(StoreError) in try watchThread().watchEverything() }
      let news = try await log.news(since: cursor)
      if news.mustRelist { return ChangeSet(changes: [], cursor: news.cursor, mustRelist: true) }
      let changes = try await pool.run { [disk] () throws(StoreError) -> [ChangeSet.Change] in
        try FolderWatcher.look(at: news.paths, disk)
      }
      if !changes.isEmpty { return ChangeSet(changes: changes, cursor: news.cursor) }
    }
  }

  /// Watches a folder before it is listed. Returns the cursor from before. Blocks.
  @discardableResult
  func willScan(_ folder: StorePath, _ descriptor: Descriptor) -> ChangeCursor {
    let cursor = log.cursor
    watchThread().watch(folder, descriptor)
    return cursor
  }

  private static func look(at paths: [StorePath], _ disk: FolderDisk) throws(StoreError) -> [ChangeSet.Change] {
    var changes: [ChangeSet.Change] = []
    for path in paths {
      do throws(StoreError) {
        guard let stat = try disk.stat(path) else {
          changes.append(.absent(path))
          continue
        }
        changes.append(.present(disk.entry(stat, path)))
      } catch  where error.kind == .notPermitted || error.kind == .badName {
        // The file may exist or not, so it is not reported.
      }
    }
    return changes
  }

  var currentThread: WatchThread? { thread.withLock { $0 } }

  private func watchThread() -> WatchThread {
    thread.withLock { thread in
      if let thread { return thread }
      let new = WatchThread(disk: disk, log: log)
      thread = new
      return new
    }
  }

  private func checkCancelled() throws(StoreError) {
    if Task.isCancelled { throw .cancelled("Waiting for changes") }
  }
}
