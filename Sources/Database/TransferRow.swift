import FoundationEssentials
import GRDB

/// One transfer, as the outbox keeps it. What it is about, who writes it knows: to the outbox that is bytes.
public struct TransferRow: Sendable, Hashable {
  /// Its word.
  public let id: String
  /// Its place among the others: smaller first.
  public let position: Int64
  /// All else.
  public let body: [UInt8]
  /// The row failed its checksum: any of it may be wrong.
  public let isDamaged: Bool

  /// Makes a row.
  public init(id: String, position: Int64, body: [UInt8]) {
    (self.id, self.position, self.body, isDamaged) = (id, position, body, false)
  }

  init(_ row: Row) {
    // A flipped bit may have changed a value's type, too: nothing is taken for granted.
    let id = String.fromDatabaseValue(row["id"])
    let position = Int64.fromDatabaseValue(row["position"])
    let body = Data.fromDatabaseValue(row["body"]).map { Array($0) }
    (self.id, self.position, self.body) = (id ?? "", position ?? 0, body ?? [])
    let sum = TransferRow.checksum(self.id, self.position, self.body)
    isDamaged =
      id == nil || position == nil || body == nil
      || Data.fromDatabaseValue(row["checksum"]) != sum
  }

  var checksum: Data { TransferRow.checksum(id, position, body) }

  private static func checksum(_ id: String, _ position: Int64, _ body: [UInt8]) -> Data {
    let sum = RowChecksum("transfers")
    sum.add(id)
    sum.add(position)
    sum.add(body)
    return sum.finish()
  }
}
