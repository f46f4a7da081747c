public import FileStores

public struct CopyRecord: Sendable, Hashable {
  /// Also the name of the copy's directory.
  public let id: String
  public internal(set) var club: String
  public let path: StorePath
  /// The revision of the copy's last acknowledged text.
  public var base: Revision?
  /// SHA-256 of that text.
  public var baseHash: String
  public let name: String
  /// SHA-256 of the copy's last text that is safe: in the store, or in the outbox as a save.
  public var savedHash: String
  public var owner: String

  public init(
    id: String, club: String, path: StorePath, base: Revision?, baseHash: String, name: String, savedHash: String,
    owner: String
  ) {
    (self.id, self.club, self.path, self.base, self.baseHash) = (id, club, path, base, baseHash)
    (self.name, self.savedHash, self.owner) = (name, savedHash, owner)
  }

  /// nil if the row fails its checksum.
  init?(_ row: SQLRow) {
    var reader = RowReader(row)
    guard let path = storedPath(reader.bytes("path")) else { return nil }
    self.init(
      id: reader.text("id"), club: reader.text("club"), path: path,
      base: reader.optionalText("base").map { Revision($0) }, baseHash: reader.text("base_hash"),
      name: reader.text("name"), savedHash: reader.text("saved_hash"), owner: reader.text("owner"))
    guard checksum == reader.bytes("checksum"), !reader.isDamaged else { return nil }
  }

  var checksum: [UInt8] {
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

extension OutboxDatabase {
  /// `check` runs inside the commit, as that of `commit(heads:edits:check:)`.
  public func putCopy(_ copy: CopyRecord, check: () throws(StoreError) -> Void = {}) throws(StoreError) {
    try file.write { database in
      try OutboxDatabase.put(copy, database)
      try check()
    }
  }

  static func put(_ copy: CopyRecord, _ database: SQLConnection) throws {
    try database.run(
      """
      INSERT OR REPLACE INTO copies (id, club, path, base, base_hash, name, saved_hash, owner, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        copy.id, copy.club, copy.path.bytes, copy.base?.value, copy.baseHash, copy.name, copy.savedHash,
        copy.owner, copy.checksum,
      ])
  }

  /// The copies of a club. Rows that fail their checksum are omitted, but stay in the file.
  public func copies(club: String) throws(StoreError) -> [CopyRecord] {
    try file.read { try OutboxDatabase.copies(club: club, $0) }
  }

  static func copies(club: String, _ database: SQLConnection) throws -> [CopyRecord] {
    try database.rows(
      """
      SELECT id, club, path, base, base_hash, name, saved_hash, owner, checksum FROM copies
      WHERE club = ? ORDER BY id
      """, [club]
    ).compactMap { CopyRecord($0) }
  }

  public func removeCopy(_ id: String) throws(StoreError) {
    try file.run("DELETE FROM copies WHERE id = ?", [id])
  }
}
