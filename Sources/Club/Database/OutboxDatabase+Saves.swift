internal import Basics
public import FileStores

extension OutboxDatabase {
  /// Adds a save to the outbox. Removes the earlier saves whose text it was made from, except those `underway`, and
  /// takes over their base. Removes the draft `held`, too, whose text the save has.
  /// - Returns: the new number, and the removed saves.
  public func addSave(
    _ save: SaveRecord, text: [UInt8], underway: Set<Int64> = [], held: String? = nil
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
      try database.run(
        """
        INSERT INTO saves
          (club, path, base, base_hash, draft, bytes, text_hash, ancestors, created, owner, checksum, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          save.club, save.path.bytes, save.base?.value, save.baseHash, save.draft, save.bytes, save.textHash,
          save.ancestorWords, save.created.nanoseconds, save.owner, save.checksum, text,
        ])
      let id = database.lastID
      if let held { try OutboxDatabase.removeDraft(held, database) }
      return (id, replaced)
    }
  }

  /// Removes and returns the saves of a club whose text a later save was made from, as `addSave` would have.
  public func collapseSaves(club: String, sparing: (SaveRecord) -> Bool) throws(StoreError) -> [SaveRecord] {
    try file.write { database in
      // A save descends from others of its path alone.
      let all = Dictionary(grouping: try OutboxDatabase.saves(club: club, database), by: \.path)
      var gone: [SaveRecord] = []
      for (_, saves) in all.sorted(by: { $0.key < $1.key }) where saves.count > 1 {
        var rest = saves
        while var latest = rest.popLast() {
          guard !latest.isDamaged, !sparing(latest) else { continue }
          let replaced = rest.filter { !sparing($0) && latest.descends(from: $0) }
          guard let newest = replaced.last else { continue }
          latest.inherit(newest)
          try OutboxDatabase.removeSave(newest.id, database)
          _ = try OutboxDatabase.update(latest, nil, database)
          gone.append(newest)
          rest.removeAll { $0.id == newest.id }
          // With its new ancestors, it may descend from more of them.
          rest.append(latest)
        }
      }
      return gone
    }
  }

  /// Removes a save that could not be sent if a later one was made from its text. Returns true if it was removed.
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

  public func markConflict(_ id: Int64) throws(StoreError) {
    try file.run("UPDATE saves SET conflict = 1 WHERE id = ?", [id])
  }

  /// Notes that the store refused a save, and when to try again by itself.
  public func noteRefusal(of id: Int64, _ refusal: String, due: Timestamp) throws(StoreError) {
    try file.run(
      "UPDATE saves SET refusals = refusals + 1, due = ?, refusal = ? WHERE id = ?", [due.nanoseconds, refusal, id])
  }

  public func saves(club: String) throws(StoreError) -> [SaveRecord] {
    try file.read { try OutboxDatabase.saves(club: club, $0) }
  }

  /// The saves of one path, without damaged ones.
  public func saves(of path: StorePath, club: String) throws(StoreError) -> [SaveRecord] {
    try file.read { try OutboxDatabase.saves(of: path, club, $0) }
  }

  /// The first bytes of a save's text; nil if the save is gone.
  public func beginning(ofSave id: Int64, bytes: Int) throws(StoreError) -> [UInt8]? {
    try file.first("SELECT substr(text, 1, ?) FROM saves WHERE id = ?", [bytes, id])?.values[0].bytes
  }

  public func save(_ id: Int64) throws(StoreError) -> SaveRecord? {
    try file.read { try OutboxDatabase.save(id, $0) }
  }

  public func text(ofSave id: Int64) throws(StoreError) -> (bytes: [UInt8], isDamaged: Bool)? {
    try file.read { database in
      guard
        let row = try database.first("SELECT text, text_hash FROM saves WHERE id = ?", [id])
      else { return nil }
      var reader = RowReader(row)
      let text = reader.bytes("text")
      return (text, SHA256.hexadecimal(of: text) != reader.text("text_hash") || reader.isDamaged)
    }
  }

  /// Updates a save's path, base and owner, and its text if one is given. Returns false if the save is gone.
  public func updateSave(_ save: SaveRecord, text: [UInt8]? = nil) throws(StoreError) -> Bool {
    try file.write { try OutboxDatabase.update(save, text, $0) }
  }

  /// Gives a save to another process. Returns false, without any change, if `from` no longer owns the save.
  public func claimSave(_ id: Int64, from: String, to owner: String) throws(StoreError) -> Bool {
    try file.write { database in
      guard var save = try OutboxDatabase.save(id, database), save.owner == from else { return false }
      save.owner = owner
      return try OutboxDatabase.update(save, nil, database)
    }
  }

  /// Removes an acknowledged save and the earlier ones that its text was made from. Later saves that started from the
  /// same base and were made from its text now start from `revision`. Returns true if a later save of its draft waits.
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

  public func removeSave(_ id: Int64) throws(StoreError) {
    try file.write { try OutboxDatabase.removeSave(id, $0) }
  }

  /// Moves the drafts and saves of notes that have other paths now.
  public func moved(_ names: MovedNames, club: String) throws(StoreError) {
    try file.write { try OutboxDatabase.moveTexts(names, club, $0) }
  }

  /// Moves the drafts and saves of each path to another one, all at once. Damaged rows keep their bytes for inspection.
  static func moveTexts(_ names: MovedNames, _ club: String, _ database: SQLConnection) throws {
    guard !names.isEmpty else { return }
    var (drafts, saves): ([DraftRecord], [SaveRecord]) = ([], [])
    // Few texts wait, and a folder may have any number of files.
    for row in try database.rows("SELECT \(DraftRecord.columns) FROM drafts WHERE club = ? AND path NOT NULL", [club]) {
      var head = DraftRecord(row)
      guard !head.isDamaged, let target = head.path.flatMap({ names[$0] }) else { continue }
      head.path = target
      drafts.append(head)
    }
    for var save in try OutboxDatabase.saves(club: club, database) where !save.isDamaged {
      guard let target = names[save.path] else { continue }
      save.path = target
      saves.append(save)
    }
    for head in drafts { try put(head, database) }
    for save in saves { _ = try update(save, nil, database) }
  }

  private static func removeSave(_ id: Int64, _ database: SQLConnection) throws {
    try database.run("DELETE FROM saves WHERE id = ?", [id])
  }

  static func saves(club: String, _ database: SQLConnection) throws -> [SaveRecord] {
    try database.rows(
      "SELECT \(columns) FROM saves WHERE club = ? ORDER BY id", [club]
    ).map(SaveRecord.init)
  }

  private static func saves(of path: StorePath, _ club: String, _ database: SQLConnection) throws -> [SaveRecord] {
    try database.rows(
      "SELECT \(columns) FROM saves WHERE club = ? AND path = ? ORDER BY id",
      [club, path.bytes]
    ).map(SaveRecord.init).filter { !$0.isDamaged }
  }

  private static func save(_ id: Int64, _ database: SQLConnection) throws -> SaveRecord? {
    try database.first("SELECT \(columns) FROM saves WHERE id = ?", [id]).map(SaveRecord.init)
  }

  static func update(_ save: SaveRecord, _ text: [UInt8]?, _ database: SQLConnection) throws -> Bool {
    try database.run(
      """
      UPDATE saves SET club = ?, path = ?, base = ?, base_hash = ?, bytes = ?, text_hash = ?, ancestors = ?, conflict = 0,
        owner = ?, checksum = ?, text = coalesce(?, text) WHERE id = ?
      """,
      [
        save.club, save.path.bytes, save.base?.value, save.baseHash, save.bytes, save.textHash, save.ancestorWords,
        save.owner, save.checksum, text, save.id,
      ])
    return database.changes > 0
  }
}

/// All columns but the text, which may be large.
private let columns =
  "id, club, path, base, base_hash, draft, bytes, text_hash, ancestors, conflict, created, owner, refusals, due, refusal, "
  + "checksum"

extension SaveRecord {
  fileprivate func isSibling(of other: SaveRecord) -> Bool {
    draft != nil && draft == other.draft && path == other.path && club == other.club
  }
}
