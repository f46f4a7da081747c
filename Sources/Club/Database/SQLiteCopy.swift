import CSQLite
public import FileStores
import POSIX

/// Copies of databases that other processes use (https://www.sqlite.org/backup.html). Calls block.
public enum SQLiteCopy {
  private static let patience = Duration.seconds(30)

  /// Copies one consistent state of a file into a new file (0600), which is whole and on the disk when this returns.
  /// Writers of the source do not wait.
  /// - Throws: errors of the two files; `corrupt` if the copy is not sound.
  public static func make(of source: String, at target: String) throws(StoreError) {
    unlink(target)
    guard mknod(target, S_IFREG | 0o600, 0) == 0 else { throw .system(errno, "made", target) }
    do {
      let from = try SQLConnection(path: source, isReadOnly: true, patience: patience)
      let into = try SQLConnection(path: target, patience: patience)
      let end = ContinuousClock.now + patience
      while try !from.copy(into: into) {
        guard .now < end else { throw SQLFailure(code: SQLITE_BUSY, reason: "the database is locked") }
        usleep(20_000)
      }
      // One file, without a log beside it.
      try into.script("PRAGMA journal_mode = DELETE")
      guard try into.first("PRAGMA quick_check(1)")?.values == [.text("ok")] else { throw SQLiteFile.damaged(source) }
    } catch {
      unlink(target)
      let isFull = (error as? SQLFailure)?.code == SQLITE_FULL
      throw SQLiteFile.storeError(error, isFull ? target : source)
    }
  }
}

extension SQLConnection {
  /// Copies the whole database. Returns false if another connection holds a lock; call again then.
  func copy(into target: SQLConnection) throws(SQLFailure) -> Bool {
    let code = withHandle { from in
      target.withHandle { into -> Int32 in
        guard let copy = sqlite3_backup_init(into, "main", from, "main") else { return sqlite3_errcode(into) }
        let step = sqlite3_backup_step(copy, -1)
        let end = sqlite3_backup_finish(copy)
        return step == SQLITE_DONE ? end : step
      }
    }
    switch code & 0xFF {
    case SQLITE_OK: return true
    case SQLITE_BUSY, SQLITE_LOCKED: return false
    default: throw SQLFailure(code: code & 0xFF, reason: String(cString: sqlite3_errstr(code)))
    }
  }
}
