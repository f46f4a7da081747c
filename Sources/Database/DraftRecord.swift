public import FileStores
import FoundationEssentials
import GRDB

/// The head of a draft: what it is a draft of. Its text is the base text (by hash) with the log of edits applied.
public struct DraftRecord: Sendable, Hashable {
  /// Which draft.
  public let id: String
  /// Which club.
  public let club: String
  /// Which note; nil for one that has no name in the store yet.
  public var path: StorePath?
  /// The name as typed, for a note without a path.
  public var title: String
  /// The revision that the text was made from; nil for a new note.
  public var base: Revision?
  /// SHA-256 of the text that the edits start from.
  public let baseHash: String
  /// How many rows its log has.
  public var edits: Int
  /// Bytes of the text as it is now.
  public var bytes: Int
  /// Whether there is anything in it that is nowhere else.
  public var touched: Bool
  /// When it was begun.
  public let created: Timestamp
  /// When something was last typed.
  public var changed: Timestamp
  /// The word of the process that writes it.
  public var owner: String
  /// When the member dropped it; nil for one that is offered.
  public var dropped: Timestamp?
  /// The row failed its checksum: `path` and `base` are left out, what else is here may be wrong.
  public let isDamaged: Bool

  /// Makes a head.
  public init(
    id: String, club: String, path: StorePath?, title: String, base: Revision?, baseHash: String, edits: Int = 0,
    bytes: Int, touched: Bool, created: Timestamp, changed: Timestamp, owner: String, dropped: Timestamp? = nil
  ) {
    (self.id, self.club, self.path, self.title, self.base) = (id, club, path, title, base)
    (self.baseHash, self.edits, self.bytes, self.touched) = (baseHash, edits, bytes, touched)
    (self.created, self.changed, self.owner, isDamaged) = (created, changed, owner, false)
    self.dropped = dropped
  }

  /// What `init(_:)` reads: a damaged file may say that a table has other columns.
  static let columns = """
    id, club, path, title, base, base_hash, edits, bytes, touched, created, changed, owner, dropped, checksum
    """

  init(_ row: Row) {
    var reader = RowReader(row)
    let path = reader.optionalBytes("path")
    let read = DraftRecord(
      id: reader.text("id"), club: reader.text("club"), path: storedPath(path), title: reader.text("title"),
      base: reader.optionalText("base").map { Revision($0) }, baseHash: reader.text("base_hash"),
      edits: reader.count("edits"), bytes: reader.count("bytes"), touched: reader.flag("touched"),
      created: Timestamp(nanoseconds: reader.number("created")),
      changed: Timestamp(nanoseconds: reader.number("changed")), owner: reader.text("owner"),
      dropped: reader.number("dropped").dropTime)
    let isRight = read.checksum == reader.data("checksum") && !reader.isDamaged
    self = isRight ? read : DraftRecord(damaged: read)
  }

  private init(damaged read: DraftRecord) {
    (id, club, path, title, base) = (read.id, read.club, nil, read.title, nil)
    (baseHash, edits, bytes, touched) = (read.baseHash, read.edits, read.bytes, true)
    (created, changed, owner, isDamaged) = (read.created, read.changed, read.owner, true)
    dropped = read.dropped
  }

  var checksum: Data {
    let sum = RowChecksum("drafts")
    sum.add(id)
    sum.add(club)
    sum.add(path?.bytes)
    sum.add(title)
    sum.add(base?.value)
    sum.add(baseHash)
    for number in [Int64(edits), Int64(bytes), touched ? 1 : 0, created.nanoseconds, changed.nanoseconds] {
      sum.add(number)
    }
    sum.add(owner)
    // Rows of earlier versions have none, and keep their sums.
    if let dropped { sum.add(dropped.nanoseconds) }
    return sum.finish()
  }
}

extension Int64 {
  /// When a draft was dropped, as its row has it: 0 for one that is offered.
  fileprivate var dropTime: Timestamp? { self == 0 ? nil : Timestamp(nanoseconds: self) }
}
