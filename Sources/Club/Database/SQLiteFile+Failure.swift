import CSQLite
import FileStores
import POSIX

extension SQLiteFile {
  static func storeError(_ error: any Error, _ path: String) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let error as DamagedValue:
      damaged(path, ": column \"\(error.column)\" of \"\(error.row)\" in \"\(error.table)\"")
    case let error as SQLFailure: failure(error, path)
    default: StoreError(.server, "\"\(path)\" could not be used: \(error).", remedy: "Try again.")
    }
  }

  static func failure(_ failure: SQLFailure, _ path: String) -> StoreError {
    let reason = failure.reason
    switch failure.code {
    case SQLITE_FULL:
      return StoreError(
        .quota, "The disk of \"\(path)\" is full.", remedy: "Free some space on that disk, then try again.")
    // The program, or the machine, has no descriptor left.
    case SQLITE_CANTOPEN where failure.system == EMFILE || failure.system == ENFILE:
      return .system(failure.system, "opened", path)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN:
      return StoreError(
        .notPermitted, "\"\(path)\" cannot be written (\(reason)).",
        remedy: "Check the permissions of the file and its directory, then try again.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return damaged(path)
    case SQLITE_BUSY, SQLITE_LOCKED:
      return StoreError(
        .server, "Another program has kept \"\(path)\" locked for several seconds.",
        remedy: "End that program, then try again.")
    case SQLITE_TOOBIG:
      return StoreError(
        .tooLarge, "The text is too large for \"\(path)\", which holds up to 1 GB.",
        remedy: "Split it into smaller notes.")
    case SQLITE_IOERR:
      return StoreError(
        .server, "The disk failed while \"\(path)\" was in use (\(reason)).",
        remedy: "Check that disk, then try again.")
    default:
      return StoreError(.server, "\"\(path)\" could not be used (\(reason)).", remedy: "Try again.")
    }
  }

  /// - Parameter place: the damaged value, as the end of the sentence; empty if only SQLite knows it.
  static func damaged(_ path: String, _ place: String = "") -> StoreError {
    StoreError(
      .corrupt, "\"\(path)\" is damaged\(place).",
      remedy: "Start byteclub again: it sets the damaged file aside and continues with the readable part.")
  }
}
