import FileStores
import GRDB

extension SQLiteFile {
  /// A failure in words: the file's path, and what to do.
  static func told(_ error: any Error, _ path: String) -> StoreError {
    if let error = error as? StoreError { return error }
    if error is ServerIndexDatabase.DamagedRow || error is RowDecodingError { return damaged(path) }
    guard let error = error as? DatabaseError else {
      return StoreError(.server, "\"\(path)\" could not be used: \(error).", remedy: "Try again.")
    }
    return failure(code: error.resultCode.rawValue, error.message ?? "no reason given", path)
  }

  /// The error of a call that ended with one of SQLite's primary result codes (https://www.sqlite.org/rescode.html).
  static func failure(code: Int32, _ reason: String, _ path: String) -> StoreError {
    switch ResultCode(rawValue: code) {
    case .SQLITE_FULL:
      return StoreError(
        .quota, "The disk of \"\(path)\" is full.", remedy: "Free some space on that disk, then try again.")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
      return StoreError(
        .notPermitted, "\"\(path)\" cannot be written (\(reason)).",
        remedy: "Check the permissions of the file and its directory, then try again.")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return damaged(path)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return StoreError(
        .server, "Another byteclub has been writing \"\(path)\" for more than five seconds.", remedy: "Try again.")
    case .SQLITE_TOOBIG:
      return StoreError(
        .tooLarge, "The text is too large for \"\(path)\", which holds up to 1 GB.",
        remedy: "Split it into smaller notes.")
    case .SQLITE_IOERR:
      return StoreError(
        .server, "The disk failed while \"\(path)\" was in use (\(reason)).",
        remedy: "Check that disk, then try again.")
    default:
      return StoreError(.server, "\"\(path)\" could not be used (\(reason)).", remedy: "Try again.")
    }
  }

  /// The error of a file that is no sound database.
  static func damaged(_ path: String) -> StoreError {
    StoreError(
      .corrupt, "\"\(path)\" is damaged.",
      remedy: "Start byteclub again: it sets the damaged file aside and continues with the readable part.")
  }
}
