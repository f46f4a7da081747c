internal import Basics
public import FileStores

/// A save that no store has acknowledged yet. Its text is read separately (`OutboxDatabase.text(ofSave:)`).
public struct SaveRecord: Sendable, Hashable {
  /// Later saves have greater numbers. 0 before it is in the outbox.
  public let id: Int64
  public internal(set) var club: String
  public var path: StorePath
  public var base: Revision?
  /// SHA-256 of the text of `base`; nil if unknown.
  public var baseHash: String?
  /// The draft of the text: saves of one draft replace each other.
  public let draft: String?
  public var bytes: Int
  public var textHash: String
  /// SHA-256 of the texts that this one was made from, newest last: seen versions of the note, and earlier saves.
  public private(set) var ancestors: [String] = []
  /// True if the store had another text at the last try. A hint: the next try checks again.
  public private(set) var isConflict = false
  public let created: Timestamp
  public var owner: String
  /// Tries that the store refused, one after the other.
  public private(set) var refusals = 0
  /// The time of the next try by itself; nil before a refusal.
  public private(set) var due: Timestamp?
  /// The kind of the last refusal; empty before one. A hint, as `refusals` and `due`.
  public private(set) var refusal = ""
  /// True if the row failed its checksum: its text may be valid (see `text(ofSave:)`), other fields may be wrong.
  public private(set) var isDamaged = false

  public init(
    club: String, path: StorePath, base: Revision?, baseHash: String?, draft: String?, text: [UInt8],
    created: Timestamp, owner: String
  ) {
    (id, self.club, self.path, self.base, self.baseHash) = (0, club, path, base, baseHash)
    (self.draft, bytes, textHash) = (draft, text.count, SHA256.hexadecimal(of: text))
    (self.created, self.owner) = (created, owner)
  }

  /// True if this text was made from that of an earlier save, which then need not be sent.
  public func descends(from earlier: SaveRecord) -> Bool {
    guard path == earlier.path, club == earlier.club, !earlier.isDamaged else { return false }
    if let draft, draft == earlier.draft, base == earlier.base { return true }
    return knows(earlier.textHash)
  }

  public func knows(_ hash: String) -> Bool { baseHash == hash || ancestors.contains(hash) }

  mutating func inherit(_ earlier: SaveRecord) {
    var known = earlier.ancestors
    for hash in [earlier.baseHash, earlier.textHash] + ancestors.map(Optional.some) {
      if let hash, !known.contains(hash) { known.append(hash) }
    }
    ancestors = known.suffix(SaveRecord.mostAncestors)
    if base == earlier.base, baseHash == earlier.textHash { baseHash = earlier.baseHash }
  }

  /// The limit for a text that is saved again and again while its store is unreachable.
  private static let mostAncestors = 100

  /// Replaces the text by one that was made from it.
  public mutating func mergeText(_ text: [UInt8]) {
    if !ancestors.contains(textHash) { ancestors = (ancestors + [textHash]).suffix(SaveRecord.mostAncestors) }
    replaceText(text)
  }

  public mutating func replaceText(_ text: [UInt8]) {
    (bytes, textHash) = (text.count, SHA256.hexadecimal(of: text))
  }

  init(_ row: SQLRow) throws {
    var reader = RowReader(row)
    id = reader.number("id")
    club = reader.text("club")
    let stored = storedPath(reader.bytes("path"))
    // Only a damaged row has an invalid path; its text can be rescued under this name.
    path = try stored ?? StorePath("damaged")
    base = reader.optionalText("base").map { Revision($0) }
    baseHash = reader.optionalText("base_hash")
    draft = reader.optionalText("draft")
    bytes = reader.count("bytes")
    textHash = reader.text("text_hash")
    ancestors = reader.text("ancestors").split(separator: " ").map(String.init)
    isConflict = reader.number("conflict") != 0
    created = Timestamp(nanoseconds: reader.number("created"))
    owner = reader.text("owner")
    refusals = reader.count("refusals")
    let due = reader.number("due")
    self.due = due == 0 ? nil : Timestamp(nanoseconds: due)
    refusal = reader.text("refusal")
    isDamaged = stored == nil || checksum != reader.bytes("checksum") || reader.isDamaged
  }

  var ancestorWords: String { ancestors.joined(separator: " ") }

  var checksum: [UInt8] {
    let sum = RowChecksum("saves")
    sum.add(club)
    sum.add(path.bytes)
    sum.add(base?.value)
    sum.add(baseHash)
    sum.add(draft)
    sum.add(bytes)
    sum.add(textHash)
    sum.add(created.nanoseconds)
    sum.add(owner)
    // Rows of earlier versions lack the field and keep their checksums.
    if !ancestors.isEmpty { sum.add(ancestorWords) }
    return sum.finish()
  }
}
