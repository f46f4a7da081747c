public import FileStores

extension OutboxDatabase {
  /// All rows by position. Rows that fail their checksum are included and marked.
  public func transfers() throws(StoreError) -> [TransferRow] {
    try file.read { database in
      try database.rows("SELECT * FROM transfers ORDER BY position, id").map { TransferRow($0) }
    }
  }

  /// The cost does not depend on the number of rows.
  public func hasTransfers() throws(StoreError) -> Bool {
    try file.first("SELECT 1 FROM transfers LIMIT 1") != nil
  }

  public func putTransfers(_ rows: [TransferRow]) throws(StoreError) {
    guard !rows.isEmpty else { return }
    try file.write { database in
      for row in rows {
        try database.run(
          "INSERT OR REPLACE INTO transfers (id, position, body, checksum) VALUES (?, ?, ?, ?)",
          [row.id, row.position, row.body, row.checksum])
      }
    }
  }

  /// Removes rows, if they exist, in one commit.
  public func removeTransfers(_ ids: [String]) throws(StoreError) {
    guard !ids.isEmpty else { return }
    try file.write { database in
      for id in ids { try database.run("DELETE FROM transfers WHERE id = ?", [id]) }
    }
  }

  /// The member's limit for all transfers together. nil without a setting; inside, bytes a second, or nil for no limit.
  /// - Throws: besides the usual errors, `corrupt` if the stored limit is damaged.
  public func transferLimit() throws(StoreError) -> Int64?? {
    let row = try file.first("SELECT * FROM transfer_limits WHERE id = 1")
    guard let row else { return nil }
    var reader = RowReader(row)
    let bytes = reader.optionalNumber("bytes_per_second")
    guard reader.bytes("checksum") == OutboxDatabase.checksum(ofLimit: bytes), !reader.isDamaged else {
      throw StoreError(
        .corrupt, "byteclub cannot read the transfer limit in \"\(path)\".", remedy: "Set it again.")
    }
    return .some(bytes)
  }

  public func setTransferLimit(_ bytesPerSecond: Int64?) throws(StoreError) {
    try file.run(
      "INSERT OR REPLACE INTO transfer_limits (id, bytes_per_second, checksum) VALUES (1, ?, ?)",
      [bytesPerSecond, OutboxDatabase.checksum(ofLimit: bytesPerSecond)])
  }

  private static func checksum(ofLimit bytesPerSecond: Int64?) -> [UInt8] {
    let sum = RowChecksum("transfer_limits")
    sum.add(bytesPerSecond ?? -1)
    return sum.finish()
  }
}

/// One transfer in the outbox, which does not interpret its body.
public struct TransferRow: Sendable, Hashable {
  public let id: String
  public let position: Int64
  public let body: [UInt8]
  /// True if the row failed its checksum: any field may be wrong.
  public let isDamaged: Bool

  public init(id: String, position: Int64, body: [UInt8]) {
    (self.id, self.position, self.body, isDamaged) = (id, position, body, false)
  }

  init(_ row: SQLRow) {
    var reader = RowReader(row)
    (id, position, body) = (reader.text("id"), reader.number("position"), reader.bytes("body"))
    let sum = TransferRow.checksum(id, position, body)
    isDamaged = reader.bytes("checksum") != sum || reader.isDamaged
  }

  var checksum: [UInt8] { TransferRow.checksum(id, position, body) }

  private static func checksum(_ id: String, _ position: Int64, _ body: [UInt8]) -> [UInt8] {
    let sum = RowChecksum("transfers")
    sum.add(id)
    sum.add(position)
    sum.add(body)
    return sum.finish()
  }
}
