public import FileStores

/// A change of names that no store has acknowledged yet: a rename, a move to the trash, or a restoration.
public struct ChangeRecord: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    case rename, trash, restore
    /// The rename of a folder, with all that is in it.
    case moveFolder
  }

  /// Later changes have greater numbers. 0 before it is in the outbox.
  public private(set) var id: Int64 = 0
  public private(set) var club: String
  public let kind: Kind
  /// The path before a rename or a move to the trash; the path of the restored file.
  public private(set) var path: StorePath
  /// The new path of a rename.
  public private(set) var target: StorePath?
  /// The id of the trashed file that is restored.
  public let trashed: String?
  /// The revision of the file when the member decided.
  public private(set) var base: Revision?
  /// The content hash of that revision, where known: it shows if an earlier request has arrived. A folder has revision,
  /// hash and size of one of its files.
  public let baseHash: String?
  /// In bytes.
  public let size: Int64?
  /// Files of the folder when the member decided to move it; nil for other changes and in rows of earlier versions.
  public private(set) var sight: FolderSight?
  public let created: Timestamp
  /// True if a request may have reached the store.
  public var isTried = false
  /// True if the row failed its checksum. It is shown, and never sent.
  public private(set) var isDamaged = false

  public init(
    club: String, kind: Kind, path: StorePath, target: StorePath? = nil, trashed: String? = nil,
    base: Revision?, baseHash: String?, size: Int64?, sight: FolderSight? = nil, created: Timestamp
  ) {
    (self.club, self.kind, self.path, self.target) = (club, kind, path, target)
    (self.trashed, self.base, self.baseHash, self.size, self.created) = (trashed, base, baseHash, size, created)
    self.sight = sight
  }

  /// The same change with its number in the outbox.
  public func numbered(_ id: Int64) -> ChangeRecord { with { $0.id = id } }

  /// The same change of a later revision.
  public func rebased(on base: Revision) -> ChangeRecord { with { $0.base = base } }

  /// The same decision about the same file, which has another path at the store. No request for it has gone out.
  public func begun(at path: StorePath) -> ChangeRecord { begun(at: path, to: target) }

  /// The same decision in a folder that has another path at the store.
  public func begun(at path: StorePath, to target: StorePath?) -> ChangeRecord {
    with { ($0.path, $0.target, $0.isTried) = (path, target, false) }
  }

  /// The new path of a file below a folder that this change moves; nil for any other file.
  public func takes(_ path: StorePath) -> StorePath? {
    guard kind == .moveFolder, let target else { return nil }
    return path.moved(with: self.path, to: target)
  }

  /// The path before a move of its folder, for a path that has come with it; nil for any other.
  public func source(of path: StorePath) -> StorePath? {
    guard kind == .moveFolder, let target else { return nil }
    return path.moved(with: target, to: self.path)
  }

  /// True if the two differ at most in the hint that a request has gone out.
  fileprivate func isSameDecision(as other: ChangeRecord) -> Bool {
    var other = other
    other.isTried = isTried
    return self == other
  }

  /// The same change under another club's key.
  func given(to club: String) -> ChangeRecord { with { $0.club = club } }

  private func with(_ change: (inout ChangeRecord) -> Void) -> ChangeRecord {
    var changed = self
    change(&changed)
    return changed
  }

  static let columns = "id, club, kind, path, target, trashed, base, base_hash, size, sight, created, tried, checksum"

  init(_ row: SQLRow) throws {
    var reader = RowReader(row)
    let stored = storedPath(reader.bytes("path"))
    let target = reader.optionalBytes("target")
    let kind = Kind(rawValue: reader.text("kind"))
    let number = reader.number("id")
    let sight = reader.optionalBytes("sight")
    self.init(
      club: reader.text("club"), kind: kind ?? .rename, path: try stored ?? StorePath("damaged"),
      target: storedPath(target), trashed: reader.optionalText("trashed"),
      base: reader.optionalText("base").map { Revision($0) }, baseHash: reader.optionalText("base_hash"),
      size: reader.optionalNumber("size"), sight: sight.flatMap { FolderSight($0) },
      created: Timestamp(nanoseconds: reader.number("created")))
    (id, isTried) = (number, reader.number("tried") != 0)
    isDamaged =
      stored == nil || kind == nil || (target == nil) != (self.target == nil)
      || (sight == nil) != (self.sight == nil)
      || checksum != reader.bytes("checksum") || reader.isDamaged
  }

  /// Leaves out `isTried`, which is a hint.
  var checksum: [UInt8] {
    let sum = RowChecksum("changes")
    sum.add(club)
    sum.add(kind.rawValue)
    sum.add(path.bytes)
    sum.add(target?.bytes)
    sum.add(trashed)
    sum.add(base?.value)
    sum.add(baseHash)
    sum.add(size ?? -1)
    // Rows of earlier versions have none.
    if let sight { sum.add(sight.bytes) }
    sum.add(created.nanoseconds)
    return sum.finish()
  }
}

extension OutboxDatabase {
  static let changesSchema = """
    CREATE TABLE changes (
      id INTEGER PRIMARY KEY AUTOINCREMENT, club TEXT NOT NULL, kind TEXT NOT NULL, path BLOB NOT NULL, target BLOB,
      trashed TEXT, base TEXT, base_hash TEXT, size INTEGER, created INTEGER NOT NULL, tried INTEGER NOT NULL,
      checksum BLOB NOT NULL
    );
    """
  /// With a default, as all columns that came later: salvaged rows of earlier versions still fit the table.
  static let sightSchema = "ALTER TABLE changes ADD COLUMN sight BLOB DEFAULT NULL;"

  /// Adds changes of a club, all or none.
  /// - Returns: their numbers, and all changes that wait afterwards.
  public func addChanges(
    _ changes: [ChangeRecord], club: String
  ) throws(StoreError) -> (value: [Int64], waiting: [ChangeRecord]) {
    try file.write { database in
      var ids: [Int64] = []
      for change in changes {
        try OutboxDatabase.insert(change, database)
        ids.append(database.lastID)
      }
      return (ids, try OutboxDatabase.changes(club, database))
    }
  }

  private static func insert(_ change: ChangeRecord, _ database: SQLConnection) throws {
    try database.run(
      """
      INSERT INTO changes (club, kind, path, target, trashed, base, base_hash, size, sight, created, tried, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        change.club, change.kind.rawValue, change.path.bytes, change.target?.bytes, change.trashed,
        change.base?.value, change.baseHash, change.size, change.sight?.bytes, change.created.nanoseconds,
        change.isTried, change.checksum,
      ])
  }

  /// Gives some changes of one key to another one, as the latest there, in their order. Damaged ones stay.
  public func give(changes ids: [Int64], from club: String, to owner: String) throws(StoreError) {
    try file.write { database in
      for change in try OutboxDatabase.changes(club, database) where ids.contains(change.id) && !change.isDamaged {
        try database.run("DELETE FROM changes WHERE id = ?", [change.id])
        try OutboxDatabase.insert(change.given(to: owner), database)
      }
    }
  }

  /// In the order of the member's decisions.
  public func changes(club: String) throws(StoreError) -> [ChangeRecord] {
    try file.read { try OutboxDatabase.changes(club, $0) }
  }

  /// Notes that a request for the change goes out.
  /// - Returns: the change as it was before; nil, without a change, if it no longer waits as it is known.
  public func markTried(_ known: ChangeRecord) throws(StoreError) -> ChangeRecord? {
    try file.write { database in
      let row = try database.first("SELECT \(ChangeRecord.columns) FROM changes WHERE id = ?", [known.id])
      guard let change = try row.map({ try ChangeRecord($0) }), change.isSameDecision(as: known) else { return nil }
      if !change.isTried { try database.run("UPDATE changes SET tried = 1 WHERE id = ?", [known.id]) }
      return change
    }
  }

  /// Removes a change without reading the others of its club, unless some have come after the one numbered `last`.
  /// - Returns: false, without a change, if so.
  public func endChange(_ id: Int64, club: String, last: Int64) throws(StoreError) -> Bool {
    try file.write { database in
      let newest = try database.first("SELECT id FROM changes WHERE club = ? ORDER BY id DESC LIMIT 1", [club])
      guard try newest.map({ try $0.number(0) <= last }) ?? true else { return false }
      try database.run("DELETE FROM changes WHERE id = ?", [id])
      return true
    }
  }

  /// Decides about the waiting changes of a club, in one step with reading them.
  /// - Returns: the decision's value, and the changes that wait afterwards.
  public func decideChanges<Value: Sendable>(
    club: String, _ decide: ([ChangeRecord]) -> (plan: ChangesPlan, value: Value)
  ) throws(StoreError) -> (value: Value, waiting: [ChangeRecord]) {
    try file.write { database in
      let waiting = try OutboxDatabase.changes(club, database)
      let (plan, value) = decide(waiting)
      for id in plan.removed { try database.run("DELETE FROM changes WHERE id = ?", [id]) }
      for change in plan.changed {
        try database.run(
          "UPDATE changes SET path = ?, target = ?, base = ?, tried = ?, checksum = ? WHERE id = ?",
          [
            change.path.bytes, change.target?.bytes, change.base?.value, change.isTried, change.checksum, change.id,
          ])
      }
      try OutboxDatabase.moveTexts(plan.texts, club, database)
      return (value, plan.applied(to: waiting))
    }
  }

  private static func changes(_ club: String, _ database: SQLConnection) throws -> [ChangeRecord] {
    try database.rows("SELECT \(ChangeRecord.columns) FROM changes WHERE club = ? ORDER BY id", [club])
      .map { try ChangeRecord($0) }
  }
}

/// A change of the changes of names that wait.
public struct ChangesPlan: Sendable, Equatable {
  /// The numbers of the changes that no longer wait.
  public var removed: [Int64] = []
  /// Changes with another path or base.
  public var changed: [ChangeRecord] = []
  /// The paths whose drafts and saves are about another path from now on: all at once, so that two can change places.
  public var texts: MovedNames = [:]

  public init() {}

  /// The changes that wait after it.
  public func applied(to waiting: [ChangeRecord]) -> [ChangeRecord] {
    let changed = Dictionary(changed.map { ($0.id, $0) }) { _, last in last }
    let removed = Set(removed)
    return waiting.filter { !removed.contains($0.id) }.map { changed[$0.id] ?? $0 }
  }
}
