public import FileStores

/// The head of a draft. The draft's text is the base text (by hash) with the log of edits applied.
public struct DraftRecord: Sendable, Hashable {
  public let id: String
  public var club: String
  /// nil if the note has no name in the store yet.
  public var path: StorePath?
  /// The typed name of a note without a path.
  public var title: String
  /// The revision that the text was made from; nil for a new note.
  public var base: Revision?
  public let baseHash: String
  /// The number of rows in its log.
  public var edits: Int
  public var bytes: Int
  /// True if the draft holds text that exists nowhere else.
  public var touched: Bool
  public let created: Timestamp
  public var changed: Timestamp
  /// The id of the process that writes the draft.
  public var owner: String
  /// The time at which the member dropped the draft; nil if it is still offered.
  public var dropped: Timestamp?
  /// True if the row failed its checksum: `path` and `base` are nil, and other fields may be wrong.
  public private(set) var isDamaged = false

  public init(
    id: String, club: String, path: StorePath?, title: String, base: Revision?, baseHash: String, edits: Int = 0,
    bytes: Int, touched: Bool, created: Timestamp, changed: Timestamp, owner: String, dropped: Timestamp? = nil
  ) {
    (self.id, self.club, self.path, self.title, self.base) = (id, club, path, title, base)
    (self.baseHash, self.edits, self.bytes, self.touched) = (baseHash, edits, bytes, touched)
    (self.created, self.changed, self.owner, self.dropped) = (created, changed, owner, dropped)
  }

  /// The columns for `init(_:)`, by name: a damaged file may report other columns of the table.
  static let columns = """
    id, club, path, title, base, base_hash, edits, bytes, touched, created, changed, owner, dropped, checksum
    """

  init(_ row: SQLRow) {
    var reader = RowReader(row)
    let path = reader.optionalBytes("path")
    self.init(
      id: reader.text("id"), club: reader.text("club"), path: storedPath(path), title: reader.text("title"),
      base: reader.optionalText("base").map { Revision($0) }, baseHash: reader.text("base_hash"),
      edits: reader.count("edits"), bytes: reader.count("bytes"), touched: reader.flag("touched"),
      created: Timestamp(nanoseconds: reader.number("created")),
      changed: Timestamp(nanoseconds: reader.number("changed")), owner: reader.text("owner"),
      dropped: reader.number("dropped").dropTime)
    if checksum != reader.bytes("checksum") || reader.isDamaged {
      (self.path, base, touched, isDamaged) = (nil, nil, true, true)
    }
  }

  var checksum: [UInt8] {
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
    // Rows of earlier versions lack the field and keep their checksums.
    if let dropped { sum.add(dropped.nanoseconds) }
    return sum.finish()
  }
}

extension Int64 {
  /// 0 in the row means that the draft is offered.
  fileprivate var dropTime: Timestamp? { self == 0 ? nil : Timestamp(nanoseconds: self) }
}

public struct DraftEditRow: Sendable, Hashable {
  public let draft: String
  /// The position in the log, from 1, without gaps.
  public let number: Int
  public let body: [UInt8]

  public init(draft: String, number: Int, body: [UInt8]) {
    (self.draft, self.number, self.body) = (draft, number, body)
  }

  var checksum: [UInt8] {
    let sum = RowChecksum("draft_edits")
    sum.add(draft)
    sum.add(number)
    sum.add(body)
    return sum.finish()
  }
}
