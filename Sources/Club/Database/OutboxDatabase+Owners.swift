public import FileStores

/// Each row of the outbox names the club and the account that it belongs to (`Club.key`).
extension OutboxDatabase {
  /// Gives all that waits under one key to another: drafts, saves, copies under edit and changes of names.
  public func give(from club: String, to owner: String) throws(StoreError) {
    guard exists, club != owner else { return }
    try file.write { database in
      for row in try database.rows("SELECT \(DraftRecord.columns) FROM drafts WHERE club = ?", [club]) {
        var head = DraftRecord(row)
        // A damaged row keeps its bytes for inspection.
        guard !head.isDamaged else { continue }
        head.club = owner
        try OutboxDatabase.put(head, database)
      }
      for var save in try OutboxDatabase.saves(club: club, database) where !save.isDamaged {
        save.club = owner
        _ = try OutboxDatabase.update(save, nil, database)
      }
      for var copy in try OutboxDatabase.copies(club: club, database) {
        copy.club = owner
        try OutboxDatabase.put(copy, database)
      }
      let changes = try database.rows("SELECT \(ChangeRecord.columns) FROM changes WHERE club = ? ORDER BY id", [club])
      for change in try changes.map({ try ChangeRecord($0) }) where !change.isDamaged {
        let given = change.given(to: owner)
        try database.run(
          "UPDATE changes SET club = ?, checksum = ? WHERE id = ?", [owner, given.checksum, change.id])
      }
      for table in ["drafts", "saves", "copies", "changes"] {
        try database.run("UPDATE \(table) SET club = ? WHERE club = ?", [owner, club])
      }
    }
  }

  /// Gives all that waits at a place to another place, for each account.
  public func give(fromPlace old: String, to new: String) throws(StoreError) {
    for key in try keys(underKeysFrom: old) where key == old || key.hasPrefix(old + "\n") {
      try give(from: key, to: new + key.dropFirst(old.count))
    }
  }

  /// The number of texts and changes of names that wait under each key that begins with these words. Copies under edit
  /// are no such texts.
  public func waiting(underKeysFrom beginning: String) throws(StoreError) -> [String: Int] {
    try counts(
      underKeysFrom: beginning, in: ["saves", "changes", "drafts WHERE touched != 0 AND dropped = 0"])
  }

  /// The keys that begin with these words under which anything waits or is under edit.
  public func keys(underKeysFrom beginning: String) throws(StoreError) -> [String] {
    Array(try counts(underKeysFrom: beginning, in: ["saves", "changes", "drafts", "copies"]).keys)
  }

  private func counts(underKeysFrom beginning: String, in rows: [String]) throws(StoreError) -> [String: Int] {
    guard exists else { return [:] }
    return try file.read { database in
      var counts: [String: Int] = [:]
      for source in rows {
        for row in try database.rows("SELECT club, COUNT(*) FROM \(source) GROUP BY club") {
          // Damage may have changed the type of the key.
          guard let club = row.values[0].text, club.hasPrefix(beginning) else { continue }
          counts[club, default: 0] += Int(row.values[1].number ?? 0)
        }
      }
      return counts
    }
  }
}
