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
  /// SHA-256 of texts that this one was made from, the newest last: what the member has seen of the note, and what
  /// earlier saves wanted to put there.
  public private(set) var ancestors: [String] = []
  /// Whether the store had another text when it was last tried. A hint: the next try finds out anew.
  public private(set) var isConflict = false
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

  /// Whether this text was made from that of an earlier save, which need not be sent then.
  public func descends(from earlier: SaveRecord) -> Bool {
    guard path == earlier.path, club == earlier.club, !earlier.isDamaged else { return false }
    if let draft, draft == earlier.draft, base == earlier.base { return true }
    return knows(earlier.textHash)
  }

  /// Whether this text was made from the one with this hash.
  public func knows(_ hash: String) -> Bool { baseHash == hash || ancestors.contains(hash) }

  /// Takes the place of an earlier save: what that one replaces, this one replaces.
  mutating func inherit(_ earlier: SaveRecord) {
    var known = earlier.ancestors
    for hash in [earlier.baseHash, earlier.textHash] + ancestors.map(Optional.some) {
      if let hash, !known.contains(hash) { known.append(hash) }
    }
    ancestors = known.suffix(SaveRecord.mostAncestors)
    if base == earlier.base, baseHash == earlier.textHash { baseHash = earlier.baseHash }
  }

  /// Of a text that is saved again and again while its store is away.
  private static let mostAncestors = 100

  /// Takes another text.
  public mutating func replaceText(_ text: [UInt8]) {
    (bytes, textHash) = (text.count, SHA256.hexadecimal(of: text))
  }

  init(_ row: Row) throws {
    var reader = RowReader(row)
    id = reader.number("id")
    club = reader.text("club")
    let stored = storedPath(reader.bytes("path"))
    // Only a damaged row has bytes that are no path; its text can be rescued under this name.
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
    let sum = SaveRecord.checksum(club, path, base, baseHash, draft, bytes, textHash, ancestors, created, owner)
    isDamaged = stored == nil || sum != reader.data("checksum") || reader.isDamaged
  }

  var checksum: Data {
    SaveRecord.checksum(club, path, base, baseHash, draft, bytes, textHash, ancestors, created, owner)
  }

  /// The ancestors as they are stored.
  var ancestorWords: String { ancestors.joined(separator: " ") }

  private static func checksum(
    _ club: String, _ path: StorePath, _ base: Revision?, _ baseHash: String?, _ draft: String?, _ bytes: Int,
    _ textHash: String, _ ancestors: [String], _ created: Timestamp, _ owner: String
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
    // Rows of earlier versions have none, and keep their sums.
    if !ancestors.isEmpty { sum.add(ancestors.joined(separator: " ")) }
    return sum.finish()
  }
}
