public import FileStores
import FoundationEssentials
import GRDB

extension OutboxDatabase {
  /// Puts a save into the outbox. Earlier saves whose text it was made from go out with it, but for those that are
  /// `underway`; it replaces what they were to replace.
  /// - Returns: its number, and what went.
  public func addSave(
    _ save: SaveRecord, text: [UInt8], underway: Set<Int64> = []
  ) throws(StoreError) -> (id: Int64, replaced: [SaveRecord]) {
    try file.write { database in
      var save = save
      var replaced: [SaveRecord] = []
      for earlier in try OutboxDatabase.saves(of: save.path, save.club, database).reversed()
      where save.descends(from: earlier) {
        save.inherit(earlier)
        guard !underway.contains(earlier.id) else { continue }
        try OutboxDatabase.removeSave(earlier.id, database)
        replaced.append(earlier)
      }
      try database.execute(
        sql: """
          INSERT INTO saves
            (club, path, base, base_hash, draft, bytes, text_hash, ancestors, created, owner, checksum, text)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          save.club, Data(save.path.bytes), save.base?.value, save.baseHash, save.draft, save.bytes, save.textHash,
          save.ancestorWords, save.created.nanoseconds, save.owner, save.checksum, Data(text),
        ])
      return (database.lastInsertedRowID, replaced)
    }
  }

  /// Removes the saves of a club whose text a later save was made from, as `addSave` would have.
  /// - Returns: what went.
  public func collapseSaves(club: String, sparing: (SaveRecord) -> Bool) throws(StoreError) -> [SaveRecord] {
    try file.write { database in
      var rest = try OutboxDatabase.saves(club: club, database)
      var gone: [SaveRecord] = []
      while var latest = rest.popLast() {
        guard !latest.isDamaged, !sparing(latest) else { continue }
        let replaced = rest.filter { !sparing($0) && latest.descends(from: $0) }
        guard let newest = replaced.last else { continue }
        latest.inherit(newest)
        try OutboxDatabase.removeSave(newest.id, database)
        _ = try OutboxDatabase.update(latest, nil, database)
        gone.append(newest)
        rest.removeAll { $0.id == newest.id }
        // It may have been made from more of them, now that more is known of it.
        rest.append(latest)
      }
      return gone
    }
  }

  /// Removes a save that could not be sent, when a later one was made from its text.
  /// - Returns: whether it went.
  public func removeSaveIfReplaced(_ id: Int64) throws(StoreError) -> Bool {
    try file.write { database in
      guard let save = try OutboxDatabase.save(id, database),
        try OutboxDatabase.saves(of: save.path, save.club, database).contains(where: {
          $0.id > id && $0.descends(from: save)
        })
      else { return false }
      try OutboxDatabase.removeSave(id, database)
      return true
    }
  }

  /// Notes that the store has another text than the one that a save replaces.
  public func markConflict(_ id: Int64) throws(StoreError) {
    try file.write { try $0.execute(sql: "UPDATE saves SET conflict = 1 WHERE id = ?", arguments: [id]) }
  }

  /// The saves of a club in the order in which they were asked for.
  public func saves(club: String) throws(StoreError) -> [SaveRecord] {
    try file.read { try OutboxDatabase.saves(club: club, $0) }
  }

  /// The first bytes of a save's text; nil when the save is not in the outbox any more.
  public func beginning(ofSave id: Int64, bytes: Int) throws(StoreError) -> [UInt8]? {
    try file.read { database in
      try Data.fetchOne(database, sql: "SELECT substr(text, 1, ?) FROM saves WHERE id = ?", arguments: [bytes, id])
        .map { Array($0) }
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
      var reader = RowReader(row)
      let text = reader.bytes("text")
      return (text, SHA256.hexadecimal(of: text) != reader.text("text_hash") || reader.isDamaged)
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

  /// A store has acknowledged a save: the save goes, with the earlier ones that its text was made from. Later ones that
  /// started from the same base and were made from its text now start from `revision`.
  /// - Returns: whether the outbox holds a later save of its draft.
  public func finishSave(_ id: Int64, as revision: Revision?) throws(StoreError) -> Bool {
    try file.write { database in
      guard let done = try OutboxDatabase.save(id, database) else { return false }
      try OutboxDatabase.removeSave(id, database)
      var later = false
      for var other in try OutboxDatabase.saves(of: done.path, done.club, database) {
        if other.id < id {
          if done.descends(from: other) || done.isSibling(of: other) {
            try OutboxDatabase.removeSave(other.id, database)
          }
          continue
        }
        if done.isSibling(of: other) { later = true }
        guard other.descends(from: done), other.base == done.base, let revision else { continue }
        (other.base, other.baseHash) = (revision, done.textHash)
        _ = try OutboxDatabase.update(other, nil, database)
      }
      return later
    }
  }

  /// Removes a save. One that is not there is no error.
  public func removeSave(_ id: Int64) throws(StoreError) {
    try file.write { try OutboxDatabase.removeSave(id, $0) }
  }

  /// A note has a new path: its drafts and saves go with it.
  public func renamed(_ path: StorePath, to target: StorePath, club: String) throws(StoreError) {
    try file.write { database in
      let arguments: StatementArguments = [club, Data(path.bytes)]
      for row in try Row.fetchAll(
        database, sql: "SELECT \(DraftRecord.columns) FROM drafts WHERE club = ? AND path = ?", arguments: arguments)
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

  private static func removeSave(_ id: Int64, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM saves WHERE id = ?", arguments: [id])
  }

  private static func saves(club: String, _ database: Database) throws -> [SaveRecord] {
    try Row.fetchAll(
      database, sql: "SELECT \(columns) FROM saves WHERE club = ? ORDER BY id", arguments: [club]
    ).map(SaveRecord.init)
  }

  /// Saves to one path; without those that are damaged.
  private static func saves(of path: StorePath, _ club: String, _ database: Database) throws -> [SaveRecord] {
    try Row.fetchAll(
      database, sql: "SELECT \(columns) FROM saves WHERE club = ? AND path = ? ORDER BY id",
      arguments: [club, Data(path.bytes)]
    ).map(SaveRecord.init).filter { !$0.isDamaged }
  }

  private static func save(_ id: Int64, _ database: Database) throws -> SaveRecord? {
    try Row.fetchOne(database, sql: "SELECT \(columns) FROM saves WHERE id = ?", arguments: [id]).map(SaveRecord.init)
  }

  private static func update(_ save: SaveRecord, _ text: [UInt8]?, _ database: Database) throws -> Bool {
    try database.execute(
      sql: """
        UPDATE saves SET path = ?, base = ?, base_hash = ?, bytes = ?, text_hash = ?, ancestors = ?, conflict = 0,
          owner = ?, checksum = ?, text = coalesce(?, text) WHERE id = ?
        """,
      arguments: [
        Data(save.path.bytes), save.base?.value, save.baseHash, save.bytes, save.textHash, save.ancestorWords,
        save.owner, save.checksum, text.map { Data($0) }, save.id,
      ])
    return database.changesCount > 0
  }
}

/// All but the text, which may be large.
private let columns =
  "id, club, path, base, base_hash, draft, bytes, text_hash, ancestors, conflict, created, owner, checksum"

extension SaveRecord {
  /// Whether both are of the same draft and path.
  fileprivate func isSibling(of other: SaveRecord) -> Bool {
    draft != nil && draft == other.draft && path == other.path && club == other.club
  }
}
