public import FileStores
import FoundationEssentials
import GRDB

/// A save that no store has acknowledged yet. Its text is asked for apart (`OutboxDatabase.text(ofSave:)`).
public struct SaveRecord: Sendable, Hashable {
  /// Which save; later ones have greater numbers. 0 before it is in the outbox.
  public let id: Int64
  /// Which club.
  public let club: String
  /// Where the text should go.
  public var path: StorePath
  /// The revision that it replaces; nil for a new note.
  public var base: Revision?
  /// SHA-256 of the text that `base` has, where it is known.
  public var baseHash: String?
  /// What the text was typed into: saves of one draft stand for each other.
  public let draft: String?
  /// Bytes of the text.
  public var bytes: Int
  /// SHA-256 of the text.
  public var textHash: String
  /// When it was asked for.
  public let created: Timestamp
  /// The word of the process that sends it.
  public var owner: String
  /// The row failed its checksum: its text may be fine (see `text(ofSave:)`), the rest may be wrong.
  public let isDamaged: Bool

  /// Makes a record of a text.
  public init(
    club: String, path: StorePath, base: Revision?, baseHash: String?, draft: String?, text: [UInt8],
    created: Timestamp, owner: String
  ) {
    (id, self.club, self.path, self.base, self.baseHash) = (0, club, path, base, baseHash)
    (self.draft, bytes, textHash) = (draft, text.count, SHA256.hexadecimal(of: text))
    (self.created, self.owner, isDamaged) = (created, owner, false)
  }

  /// Takes another text.
  public mutating func replaceText(_ text: [UInt8]) {
    (bytes, textHash) = (text.count, SHA256.hexadecimal(of: text))
  }

  init(_ row: Row) throws {
    id = row["id"]
    club = row["club"]
    let stored = storedPath(Array(row["path"] as Data))
    // Only a damaged row has bytes that are no path; its text can be rescued under this name.
    path = try stored ?? StorePath("damaged")
    base = (row["base"] as String?).map { Revision($0) }
    baseHash = row["base_hash"]
    draft = row["draft"]
    bytes = row["bytes"]
    textHash = row["text_hash"]
    created = Timestamp(nanoseconds: row["created"])
    owner = row["owner"]
    let sum = SaveRecord.checksum(club, path, base, baseHash, draft, bytes, textHash, created, owner)
    isDamaged = stored == nil || sum != row["checksum"] as Data
  }

  var checksum: Data { SaveRecord.checksum(club, path, base, baseHash, draft, bytes, textHash, created, owner) }

  private static func checksum(
    _ club: String, _ path: StorePath, _ base: Revision?, _ baseHash: String?, _ draft: String?, _ bytes: Int,
    _ textHash: String, _ created: Timestamp, _ owner: String
  ) -> Data {
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
    return sum.finish()
  }
}
