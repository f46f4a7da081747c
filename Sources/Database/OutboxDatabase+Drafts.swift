public import FileStores
import FoundationEssentials
import GRDB

extension OutboxDatabase {
  /// Writes heads (new or changed) and rows of logs, all in one commit. `check` runs inside the commit, when no
  /// other process can change the outbox (see `sweepBases`); what it throws undoes the commit.
  public func commit(
    heads: [DraftRecord], edits: [DraftEditRow], check: () throws(StoreError) -> Void = {}
  ) throws(StoreError) {
    try file.write { database in
      for head in heads { try OutboxDatabase.put(head, database) }
      guard !edits.isEmpty else { return try check() }
      let insert = try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO draft_edits (draft, number, body, checksum) VALUES (?, ?, ?, ?)")
      for edit in edits {
        try insert.execute(arguments: [edit.draft, edit.number, Data(edit.body), edit.checksum])
      }
      try check()
    }
  }

  /// The drafts of a club, newest change first.
  public func drafts(club: String) throws(StoreError) -> [DraftRecord] {
    try file.read { database in
      try Row.fetchAll(
        database, sql: "SELECT \(DraftRecord.columns) FROM drafts WHERE club = ? ORDER BY changed DESC, id",
        arguments: [club]
      ).map(DraftRecord.init)
    }
  }

  /// One draft; nil when there is none.
  public func draft(_ id: String) throws(StoreError) -> DraftRecord? {
    try file.read { try OutboxDatabase.head(id, $0) }
  }

  /// A draft's log in order, up to the first row that is missing or fails its checksum.
  public func edits(of draft: String) throws(StoreError) -> [DraftEditRow] {
    try file.read { database in
      var rows: [DraftEditRow] = []
      let cursor = try Row.fetchCursor(
        database, sql: "SELECT number, body, checksum FROM draft_edits WHERE draft = ? ORDER BY number",
        arguments: [draft])
      while let row = try cursor.next() {
        var reader = RowReader(row)
        let edit = DraftEditRow(draft: draft, number: reader.count("number"), body: reader.bytes("body"))
        guard edit.number == rows.count + 1, edit.checksum == reader.data("checksum"), !reader.isDamaged else { break }
        rows.append(edit)
      }
      return rows
    }
  }

  /// Gives a draft to another owner and cuts its log to the rows that are good, in one commit. Keeps what else `head` says.
  /// - Returns: false, and nothing is changed, when `from` does not own it any more.
  public func adopt(_ head: DraftRecord, from: String) throws(StoreError) -> Bool {
    try file.write { database in
      guard try OutboxDatabase.head(head.id, database)?.owner == from else { return false }
      try OutboxDatabase.put(head, database)
      try database.execute(
        sql: "DELETE FROM draft_edits WHERE draft = ? AND number > ?", arguments: [head.id, head.edits])
      return true
    }
  }

  /// Removes a draft and its log. One that is not there is no error.
  public func removeDraft(_ id: String) throws(StoreError) {
    try file.write { try OutboxDatabase.removeDraft(id, $0) }
  }

  /// Runs `body` with the hashes of all base texts that any draft of any club needs, while no process can add one.
  public func sweepBases(_ body: (Set<String>) throws(StoreError) -> Void) throws(StoreError) {
    try file.write { database in
      try body(String.fetchSet(database, sql: "SELECT base_hash FROM drafts"))
    }
  }

  static func removeDraft(_ id: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM draft_edits WHERE draft = ?", arguments: [id])
    // In a damaged row the id may have become another type.
    try database.execute(sql: "DELETE FROM drafts WHERE id = ?1 OR CAST(id AS TEXT) = ?1", arguments: [id])
  }

  static func head(_ id: String, _ database: Database) throws -> DraftRecord? {
    try Row.fetchOne(
      database, sql: "SELECT \(DraftRecord.columns) FROM drafts WHERE id = ?", arguments: [id]
    ).map(DraftRecord.init)
  }

  static func put(_ head: DraftRecord, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO drafts (id, club, path, title, base, base_hash, edits, bytes, touched, created, changed,
          owner, dropped, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      head.id, head.club, head.path.map { Data($0.bytes) }, head.title, head.base?.value, head.baseHash, head.edits,
      head.bytes, head.touched, head.created.nanoseconds, head.changed.nanoseconds, head.owner,
      head.dropped?.nanoseconds ?? 0, head.checksum,
    ])
  }
}
