public import FileStores
import FoundationEssentials
import GRDB

/// A copy of a note that an editor has open.
public struct CopyRecord: Sendable, Hashable {
  /// Which copy; the name of its directory.
  public let id: String
  /// Which club.
  public let club: String
  /// Which note.
  public let path: StorePath
  /// The revision that the copy's last acknowledged text has.
  public var base: Revision?
  /// SHA-256 of that text.
  public var baseHash: String
  /// The copy's file name.
  public let name: String
  /// SHA-256 of the copy's last text that is safe: in the store, or in the outbox as a save.
  public var savedHash: String
  /// The word of the process that follows it.
  public var owner: String

  /// Makes a record.
  public init(
    id: String, club: String, path: StorePath, base: Revision?, baseHash: String, name: String, savedHash: String,
    owner: String
  ) {
    (self.id, self.club, self.path, self.base, self.baseHash) = (id, club, path, base, baseHash)
    (self.name, self.savedHash, self.owner) = (name, savedHash, owner)
  }

  /// Nil when the row fails its checksum.
  init?(_ row: Row) {
    var reader = RowReader(row)
    guard let path = storedPath(reader.bytes("path")) else { return nil }
    self.init(
      id: reader.text("id"), club: reader.text("club"), path: path,
      base: reader.optionalText("base").map { Revision($0) }, baseHash: reader.text("base_hash"),
      name: reader.text("name"), savedHash: reader.text("saved_hash"), owner: reader.text("owner"))
    guard checksum == reader.data("checksum"), !reader.isDamaged else { return nil }
  }

  var checksum: Data {
    let sum = RowChecksum("copies")
    sum.add(id)
    sum.add(club)
    sum.add(path.bytes)
    sum.add(base?.value)
    sum.add(baseHash)
    sum.add(name)
    sum.add(savedHash)
    sum.add(owner)
    return sum.finish()
  }
}
