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
    var reader = RowReader(row)
    (id, position, body) = (reader.text("id"), reader.number("position"), reader.bytes("body"))
    let sum = TransferRow.checksum(id, position, body)
    isDamaged = reader.data("checksum") != sum || reader.isDamaged
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
