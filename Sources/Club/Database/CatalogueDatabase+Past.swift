public import FileStores

/// Texts of notes that byteclub has read or written: the history of stores that keep none and of changes by other
/// programs, and what a revision had that this member has seen. Equal texts are kept once.
extension CatalogueDatabase {
  /// The oldest texts beyond these limits are not kept.
  private static let mostOfNote = 100
  public static let mostPastBytes: Int64 = 64 << 20
  /// In nanoseconds: a year.
  private static let longest: Int64 = 365 * 86_400 * 1_000_000_000

  static let pastSchema = """
    CREATE TABLE past_texts (hash TEXT PRIMARY KEY, bytes INTEGER NOT NULL, text BLOB NOT NULL);
    CREATE TABLE past (
      number INTEGER PRIMARY KEY, club TEXT NOT NULL, path BLOB NOT NULL, revision TEXT NOT NULL, modified INTEGER,
      member TEXT, kept INTEGER NOT NULL, hash TEXT NOT NULL, UNIQUE (club, path, revision)
    );
    CREATE INDEX past_hashes ON past (hash);
    """

  /// A text goes with its last version, and the sum of the bytes is kept: a save looks at no other version.
  static let pastSumSchema = """
    CREATE INDEX past_kept ON past (kept);
    DELETE FROM past_texts WHERE hash NOT IN (SELECT hash FROM past);
    CREATE TABLE past_sum (bytes INTEGER NOT NULL);
    INSERT INTO past_sum SELECT coalesce(SUM(bytes), 0) FROM past_texts;
    CREATE TRIGGER past_text_kept AFTER INSERT ON past_texts BEGIN
      UPDATE past_sum SET bytes = bytes + NEW.bytes;
    END;
    CREATE TRIGGER past_text_gone AFTER DELETE ON past_texts BEGIN
      UPDATE past_sum SET bytes = bytes - OLD.bytes;
    END;
    CREATE TRIGGER past_gone AFTER DELETE ON past BEGIN
      DELETE FROM past_texts WHERE hash = OLD.hash AND NOT EXISTS (SELECT 1 FROM past WHERE hash = OLD.hash);
    END;
    """

  /// True for the revisions that this machine has written.
  static let pastOwnSchema = "ALTER TABLE past ADD COLUMN own INTEGER NOT NULL DEFAULT 0"

  /// Earlier versions kept the texts that a member has seen apart, and not by their hash.
  static let seenTextsSchema = """
    INSERT OR IGNORE INTO past (club, path, revision, kept, hash)
      SELECT club, path, revision, strftime('%s', 'now') * 1000000000, 'seen ' || number FROM seen_texts;
    INSERT INTO past_texts
      SELECT 'seen ' || number, bytes, text FROM seen_texts
      WHERE EXISTS (SELECT 1 FROM past WHERE hash = 'seen ' || seen_texts.number);
    DROP TABLE seen_texts;
    """

  /// Keeps the text of a revision, as the newest; `isOwn` if this machine has written it. A text of another length that is
  /// kept for it gives way: earlier versions of byteclub kept the added line alone as the version after an addition.
  /// - Parameters:
  ///   - hash: the SHA-256 of the text.
  ///   - mostBytes: the oldest texts beyond this sum go.
  public func keepPast(
    _ text: [UInt8], hash: String, of entry: FileEntry, isOwn: Bool = false, club: String, now: Timestamp,
    mostBytes: Int64 = CatalogueDatabase.mostPastBytes
  ) throws(StoreError) {
    guard let revision = entry.revision else { return }
    try file.write { database in
      let place: SQLArguments = [club, entry.path.bytes, revision.value]
      let known = try database.first(
        """
        SELECT past_texts.bytes FROM past JOIN past_texts ON past_texts.hash = past.hash
        WHERE club = ? AND path = ? AND revision = ?
        """, place)
      if let known {
        if known.values[0].number == Int64(text.count) || entry.size != UInt64(text.count) {
          try database.run(
            """
            UPDATE past SET number = (SELECT MAX(number) FROM past) + 1, kept = ?, own = max(own, ?),
              modified = coalesce(modified, ?), member = coalesce(member, ?)
            WHERE club = ? AND path = ? AND revision = ?
            """, [now.nanoseconds, isOwn, entry.modified?.nanoseconds, entry.member] + place)
          return
        }
        try database.run("DELETE FROM past WHERE club = ? AND path = ? AND revision = ?", place)
      }
      try database.run("INSERT OR IGNORE INTO past_texts VALUES (?, ?, ?)", [hash, text.count, text])
      try database.run(
        "INSERT INTO past (club, path, revision, modified, member, kept, hash, own) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          club, entry.path.bytes, revision.value, entry.modified?.nanoseconds, entry.member, now.nanoseconds, hash,
          isOwn,
        ])
      try database.run("DELETE FROM past WHERE kept < ?", [now.nanoseconds - CatalogueDatabase.longest])
      try database.run(
        """
        DELETE FROM past WHERE number IN (
          SELECT number FROM past WHERE club = ? AND path = ? ORDER BY number DESC LIMIT -1 OFFSET ?)
        """, [club, entry.path.bytes, CatalogueDatabase.mostOfNote])
      try CatalogueDatabase.dropOldPast(database, over: mostBytes)
    }
  }

  /// The kept versions of a note, the last kept first.
  public func past(of path: StorePath, club: String) throws(StoreError) -> [FileEntry] {
    try file.read { database in
      try database.rows(
        """
        SELECT past.revision, past.modified, past.member, past_texts.bytes FROM past
        JOIN past_texts ON past_texts.hash = past.hash WHERE club = ? AND path = ? ORDER BY number DESC
        """, [club, path.bytes]
      ).compactMap { row in
        guard let revision = row.values[0].text, let bytes = row.values[3].number else { return nil }
        return FileEntry(
          path: path, kind: .file, size: UInt64(clamping: bytes),
          modified: row.values[1].number.map { Timestamp(nanoseconds: $0) }, revision: Revision(revision),
          member: row.values[2].text)
      }
    }
  }

  /// True if this machine has written the revision.
  public func isOwnPast(_ path: StorePath, _ revision: Revision, club: String) throws(StoreError) -> Bool {
    try file.first(
      "SELECT 1 FROM past WHERE club = ? AND path = ? AND revision = ? AND own = 1",
      [club, path.bytes, revision.value]) != nil
  }

  public func pastText(of path: StorePath, revision: Revision, club: String) throws(StoreError) -> [UInt8]? {
    try file.first(
      """
      SELECT past_texts.text FROM past JOIN past_texts ON past_texts.hash = past.hash
      WHERE club = ? AND path = ? AND revision = ?
      """, [club, path.bytes, revision.value])?.values[0].bytes
  }

  /// Renamed notes take their versions along, also two that change places. What this member has seen goes with a folder.
  public func movePast(_ names: MovedNames, club: String) throws(StoreError) {
    try file.write { database in
      var rows: [(number: Int64, target: StorePath)] = []
      for (path, target) in names.files {
        let found = try database.rows("SELECT number FROM past WHERE club = ? AND path = ?", [club, path.bytes])
        rows += try found.map { (try $0.number(0), target) }
      }
      for folder in names.folders.keys {
        let found = try database.rows(
          "SELECT number, path FROM past WHERE club = ? AND path > ? AND path < ?",
          [club, folder.bytes + [UInt8(ascii: "/")], folder.endOfContents])
        for row in found {
          guard let path = storedPath(try row.bytes(1)), let target = names[path] else { continue }
          rows.append((try row.number(0), target))
        }
      }
      try CatalogueDatabase.moveSeen(names, club, database)
      for row in rows {
        try database.run("UPDATE OR IGNORE past SET path = ? WHERE number = ?", [row.target.bytes, row.number])
      }
    }
  }

  /// Drops the oldest versions while the texts are over the limit, but never the newest.
  private static func dropOldPast(_ database: SQLConnection, over mostBytes: Int64) throws {
    while try database.first("SELECT bytes FROM past_sum")?.values[0].number ?? 0 > mostBytes {
      try database.run(
        "DELETE FROM past WHERE number = (SELECT MIN(number) FROM past) AND number < (SELECT MAX(number) FROM past)")
      guard database.changes > 0 else { return }
    }
  }
}
