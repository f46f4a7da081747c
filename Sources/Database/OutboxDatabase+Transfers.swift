public import FileStores
import FoundationEssentials
import GRDB

extension OutboxDatabase {
  /// All rows, by position. Rows that fail their checksum are among them, and say so.
  public func transfers() throws(StoreError) -> [TransferRow] {
    try file.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM transfers ORDER BY position, id").map { TransferRow($0) }
    }
  }

  /// Whether there is any row. Cheap, however many there are.
  public func hasTransfers() throws(StoreError) -> Bool {
    try file.read { database in
      try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM transfers)") ?? false
    }
  }

  /// Writes rows, new or changed, in one step.
  public func putTransfers(_ rows: [TransferRow]) throws(StoreError) {
    guard !rows.isEmpty else { return }
    try file.write { database in
      let statement = try database.makeStatement(
        sql: """
          INSERT OR REPLACE INTO transfers (id, position, body, checksum) VALUES (?, ?, ?, ?)
          """)
      for row in rows {
        try statement.execute(arguments: [row.id, row.position, Data(row.body), row.checksum])
      }
    }
  }

  /// Removes rows, in one step. One that is not there is no error.
  public func removeTransfers(_ ids: [String]) throws(StoreError) {
    guard !ids.isEmpty else { return }
    try file.write { database in
      let statement = try database.makeStatement(sql: "DELETE FROM transfers WHERE id = ?")
      for id in ids { try statement.execute(arguments: [id]) }
    }
  }

  /// What a member said about the limit of all transfers together: nil when nothing, otherwise bytes a second, of which
  /// nil is no limit.
  /// - Throws: besides the usual, `corrupt` when what is written there is damaged.
  public func transferLimit() throws(StoreError) -> Int64?? {
    let row = try file.read { try Row.fetchOne($0, sql: "SELECT * FROM transfer_limits WHERE id = 1") }
    guard let row else { return nil }
    var reader = RowReader(row)
    let bytes = reader.optionalNumber("bytes_per_second")
    guard reader.data("checksum") == OutboxDatabase.checksum(ofLimit: bytes), !reader.isDamaged else {
      throw StoreError(
        .corrupt, "byteclub cannot read the transfer limit in \"\(path)\".", remedy: "Set it again.")
    }
    return .some(bytes)
  }

  /// Keeps a limit.
  public func setTransferLimit(_ bytesPerSecond: Int64?) throws(StoreError) {
    try file.write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO transfer_limits (id, bytes_per_second, checksum) VALUES (1, ?, ?)",
        arguments: [bytesPerSecond, OutboxDatabase.checksum(ofLimit: bytesPerSecond)])
    }
  }

  private static func checksum(ofLimit bytesPerSecond: Int64?) -> Data {
    let sum = RowChecksum("transfer_limits")
    sum.add(bytesPerSecond ?? -1)
    return sum.finish()
  }
}
