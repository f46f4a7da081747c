import FileStores
import FoundationEssentials

/// One row of a draft's log.
public struct DraftEditRow: Sendable, Hashable {
  /// Which draft.
  public let draft: String
  /// Its place in the log, from 1, without gaps.
  public let number: Int
  /// The edits, in the writer's own encoding.
  public let body: [UInt8]

  /// Makes a row.
  public init(draft: String, number: Int, body: [UInt8]) {
    (self.draft, self.number, self.body) = (draft, number, body)
  }

  var checksum: Data {
    let sum = RowChecksum("draft_edits")
    sum.add(draft)
    sum.add(number)
    sum.add(body)
    return sum.finish()
  }
}
