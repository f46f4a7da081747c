public import FileStores
import FoundationEssentials
import GRDB

extension OutboxDatabase {
  /// Puts a save into the outbox. Earlier saves of the same draft, path and base go out with it, but for those that are
  /// `underway`: this text was made from theirs.
  /// - Returns: its number.
  public func addSave(
    _ save: SaveRecord, text: [UInt8], underway: Set<Int64> = []
  ) throws(StoreError) -> Int64 {
    try file.write { database in
      for earlier in try OutboxDatabase.siblings(of: save, database)
      where earlier.base == save.base && !underway.contains(earlier.id) {
        try database.execute(sql: "DELETE FROM saves WHERE id = ?", arguments: [earlier.id])
      }
      try database.execute(
        sql: """
          INSERT INTO saves (club, path, base, base_hash, draft, bytes, text_hash, created, owner, checksum, text)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          save.club, Data(save.path.bytes), save.base?.value, save.baseHash, save.draft, save.bytes, save.textHash,
          save.created.nanoseconds, save.owner, save.checksum, Data(text),
        ])
      return database.lastInsertedRowID
    }
  }

  /// The saves of a club in the order in which they were asked for.
  public func saves(club: String) throws(StoreError) -> [SaveRecord] {
    try file.read { database in
      try Row.fetchAll(
        database, sql: "SELECT \(columns) FROM saves WHERE club = ? ORDER BY id", arguments: [club]
      ).map(SaveRecord.init)
    }
  }

  /// One save; nil when it is not in the outbox any more.
  public func save(_ id: Int64) throws(StoreError) -> SaveRecord? {
    try file.read { try OutboxDatabase.save(id, $0) }
  }

  /// A save's text; nil when the save is not in the outbox any more.
  public func text(ofSave id: Int64) throws(StoreError) -> (bytes: [UInt8], isDamaged: Bool)? {
    try file.read { database in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT text, text_hash FROM saves WHERE id = ?", arguments: [id])
      else { return nil }
      let text = Array(row[0] as Data)
      return (text, SHA256.hexadecimal(of: text) != row[1] as String)
    }
  }

  /// Writes what changed of a save (path, base, owner), and another text when one is given.
  /// - Returns: false when it is not in the outbox any more.
  public func updateSave(_ save: SaveRecord, text: [UInt8]? = nil) throws(StoreError) -> Bool {
    try file.write { try OutboxDatabase.update(save, text, $0) }
  }

  /// Gives a save to another process.
  /// - Returns: false, and nothing is changed, when `from` does not own it any more.
  public func claimSave(_ id: Int64, from: String, to owner: String) throws(StoreError) -> Bool {
    try file.write { database in
      guard var save = try OutboxDatabase.save(id, database), save.owner == from else { return false }
      save.owner = owner
      return try OutboxDatabase.update(save, nil, database)
    }
  }

  /// A store has acknowledged a save: the save goes, with the earlier ones of its draft. Later ones of its draft that
  /// started from the same base now start from `revision`: their text was made from this one's.
  /// - Returns: whether the outbox holds a later save of that draft.
  public func finishSave(_ id: Int64, as revision: Revision?) throws(StoreError) -> Bool {
    try file.write { database in
      guard let done = try OutboxDatabase.save(id, database) else { return false }
      try database.execute(sql: "DELETE FROM saves WHERE id = ?", arguments: [id])
      var later = false
      for var other in try OutboxDatabase.siblings(of: done, database) {
        if other.id < id {
          try database.execute(sql: "DELETE FROM saves WHERE id = ?", arguments: [other.id])
          continue
        }
        later = true
        guard other.base == done.base, let revision else { continue }
        (other.base, other.baseHash) = (revision, done.textHash)
        _ = try OutboxDatabase.update(other, nil, database)
      }
      return later
    }
  }

  /// Removes a save. One that is not there is no error.
  public func removeSave(_ id: Int64) throws(StoreError) {
    try file.write { try $0.execute(sql: "DELETE FROM saves WHERE id = ?", arguments: [id]) }
  }

  /// A note has a new path: its drafts and saves go with it.
  public func renamed(_ path: StorePath, to target: StorePath, club: String) throws(StoreError) {
    try file.write { database in
      let arguments: StatementArguments = [club, Data(path.bytes)]
      for row in try Row.fetchAll(
        database, sql: "SELECT * FROM drafts WHERE club = ? AND path = ?", arguments: arguments)
      {
        var head = DraftRecord(row)
        // A damaged row keeps its bytes, for whoever looks into it.
        guard !head.isDamaged else { continue }
        head.path = target
        try OutboxDatabase.put(head, database)
      }
      for row in try Row.fetchAll(
        database, sql: "SELECT \(columns) FROM saves WHERE club = ? AND path = ?", arguments: arguments)
      {
        var save = try SaveRecord(row)
        guard !save.isDamaged else { continue }
        save.path = target
        _ = try OutboxDatabase.update(save, nil, database)
      }
    }
  }

  /// Saves of the same draft to the same path; none for a save without a draft.
  private static func siblings(of save: SaveRecord, _ database: Database) throws -> [SaveRecord] {
    guard let draft = save.draft else { return [] }
    return try Row.fetchAll(
      database, sql: "SELECT \(columns) FROM saves WHERE club = ? AND path = ? AND draft = ? ORDER BY id",
      arguments: [save.club, Data(save.path.bytes), draft]
    ).map(SaveRecord.init).filter { !$0.isDamaged }
  }

  private static func save(_ id: Int64, _ database: Database) throws -> SaveRecord? {
    try Row.fetchOne(database, sql: "SELECT \(columns) FROM saves WHERE id = ?", arguments: [id]).map(SaveRecord.init)
  }

  private static func update(_ save: SaveRecord, _ text: [UInt8]?, _ database: Database) throws -> Bool {
    try database.execute(
      sql: """
        UPDATE saves SET path = ?, base = ?, base_hash = ?, bytes = ?, text_hash = ?, owner = ?, checksum = ?,
          text = coalesce(?, text) WHERE id = ?
        """,
      arguments: [
        Data(save.path.bytes), save.base?.value, save.baseHash, save.bytes, save.textHash, save.owner, save.checksum,
        text.map { Data($0) }, save.id,
      ])
    return database.changesCount > 0
  }
}

/// All but the text, which may be large.
private let columns = "id, club, path, base, base_hash, draft, bytes, text_hash, created, owner, checksum"
