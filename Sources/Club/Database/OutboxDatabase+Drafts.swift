public import FileStores

extension OutboxDatabase {
  /// Writes heads (new or changed) and log rows in one commit. `check` runs inside the commit, while no other process
  /// can change the outbox (see `sweepBases`); an error it throws undoes the commit.
  public func commit(
    heads: [DraftRecord], edits: [DraftEditRow], check: () throws(StoreError) -> Void = {}
  ) throws(StoreError) {
    try file.write { database in
      for head in heads { try OutboxDatabase.put(head, database) }
      for edit in edits {
        try database.run(
          "INSERT OR REPLACE INTO draft_edits (draft, number, body, checksum) VALUES (?, ?, ?, ?)",
          [edit.draft, edit.number, edit.body, edit.checksum])
      }
      try check()
    }
  }

  public func drafts(club: String) throws(StoreError) -> [DraftRecord] {
    try file.rows(
      "SELECT \(DraftRecord.columns) FROM drafts WHERE club = ? ORDER BY changed DESC, id",
      [club]
    ).map(DraftRecord.init)
  }

  public func draft(_ id: String) throws(StoreError) -> DraftRecord? {
    try file.read { try OutboxDatabase.head(id, $0) }
  }

  /// A draft's log in order, up to the first row that is missing or fails its checksum.
  public func edits(of draft: String) throws(StoreError) -> [DraftEditRow] {
    try file.read { database in
      var rows: [DraftEditRow] = []
      for row in try database.rows(
        "SELECT number, body, checksum FROM draft_edits WHERE draft = ? ORDER BY number",
        [draft])
      {
        var reader = RowReader(row)
        let edit = DraftEditRow(draft: draft, number: reader.count("number"), body: reader.bytes("body"))
        guard edit.number == rows.count + 1, edit.checksum == reader.bytes("checksum"), !reader.isDamaged else { break }
        rows.append(edit)
      }
      return rows
    }
  }

  /// Gives a draft to another owner, cuts its log to the valid rows and stores the head's other fields, in one commit.
  /// Returns false, without any change, if `from` no longer owns the draft.
  public func adopt(_ head: DraftRecord, from: String) throws(StoreError) -> Bool {
    try file.write { database in
      guard try OutboxDatabase.head(head.id, database)?.owner == from else { return false }
      try OutboxDatabase.put(head, database)
      try database.run(
        "DELETE FROM draft_edits WHERE draft = ? AND number > ?", [head.id, head.edits])
      return true
    }
  }

  /// Removes a draft and its log, if it exists.
  public func removeDraft(_ id: String) throws(StoreError) {
    try file.write { try OutboxDatabase.removeDraft(id, $0) }
  }

  /// Runs `body` with the hashes of all base texts that any draft of any club needs, while no process can add one.
  public func sweepBases(_ body: (Set<String>) throws(StoreError) -> Void) throws(StoreError) {
    try file.write { database in
      // Damage may have changed the type of the hash.
      var inUse: Set<String> = []
      for table in ["drafts", "saves", "copies"] {
        inUse.formUnion(
          try database.rows("SELECT CAST(base_hash AS TEXT) FROM \(table)").compactMap { $0.values[0].text })
      }
      try body(inUse)
    }
  }

  static func removeDraft(_ id: String, _ database: SQLConnection) throws {
    try database.run("DELETE FROM draft_edits WHERE draft = ?", [id])
    // Damage may have changed the type of the id.
    try database.run("DELETE FROM drafts WHERE id = ?1 OR CAST(id AS TEXT) = ?1", [id])
  }

  static func head(_ id: String, _ database: SQLConnection) throws -> DraftRecord? {
    try database.first(
      "SELECT \(DraftRecord.columns) FROM drafts WHERE id = ?", [id]
    ).map(DraftRecord.init)
  }

  static func put(_ head: DraftRecord, _ database: SQLConnection) throws {
    try database.run(
      """
      INSERT OR REPLACE INTO drafts (id, club, path, title, base, base_hash, edits, bytes, touched, created, changed,
        owner, dropped, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        head.id, head.club, head.path?.bytes, head.title, head.base?.value, head.baseHash, head.edits,
        head.bytes, head.touched, head.created.nanoseconds, head.changed.nanoseconds, head.owner,
        head.dropped?.nanoseconds ?? 0, head.checksum,
      ])
  }
}
