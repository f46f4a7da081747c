public import FileStores

/// Texts of notes that byteclub has read or written: the history of stores that keep none, and of changes by other
/// programs. Equal texts are kept once.
extension CatalogueDatabase {
  /// The oldest texts beyond these limits are not kept.
  private static let mostOfNote = 100
  private static let mostBytes: Int64 = 64 << 20
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

  /// Keeps the text of a revision. `hash` is the SHA-256 of the text, `now` nanoseconds since 1970.
  public func keepPast(
    _ text: [UInt8], hash: String, of entry: FileEntry, club: String, now: Timestamp
  ) throws(StoreError) {
    guard let revision = entry.revision else { return }
    try file.write { database in
      let isKnown = try database.first(
        "SELECT 1 FROM past WHERE club = ? AND path = ? AND revision = ?", [club, entry.path.bytes, revision.value])
      guard isKnown == nil else { return }
      try database.run("INSERT OR IGNORE INTO past_texts VALUES (?, ?, ?)", [hash, text.count, text])
      try database.run(
        "INSERT INTO past (club, path, revision, modified, member, kept, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          club, entry.path.bytes, revision.value, entry.modified?.nanoseconds, entry.member, now.nanoseconds, hash,
        ])
      try database.run(
        """
        DELETE FROM past WHERE kept < ? OR number IN (
          SELECT number FROM past WHERE club = ? AND path = ? ORDER BY number DESC LIMIT -1 OFFSET ?)
        """, [now.nanoseconds - CatalogueDatabase.longest, club, entry.path.bytes, CatalogueDatabase.mostOfNote])
      try CatalogueDatabase.dropOldPast(database)
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

  public func pastText(of path: StorePath, revision: Revision, club: String) throws(StoreError) -> [UInt8]? {
    try file.read { database in
      try database.first(
        """
        SELECT past_texts.text FROM past JOIN past_texts ON past_texts.hash = past.hash
        WHERE club = ? AND path = ? AND revision = ?
        """, [club, path.bytes, revision.value])?.values[0].bytes
    }
  }

  /// A renamed note takes its versions along.
  public func movePast(of path: StorePath, to target: StorePath, club: String) throws(StoreError) {
    try file.write {
      try $0.run(
        "UPDATE OR IGNORE past SET path = ? WHERE club = ? AND path = ?", [target.bytes, club, path.bytes])
    }
  }

  private static func dropOldPast(_ database: SQLConnection) throws {
    while true {
      try database.run("DELETE FROM past_texts WHERE hash NOT IN (SELECT hash FROM past)")
      let bytes = try database.first("SELECT SUM(bytes) FROM past_texts")?.values[0].number ?? 0
      let count = try database.first("SELECT COUNT(*) FROM past")?.values[0].number ?? 0
      guard bytes > mostBytes, count > 1 else { return }
      try database.run("DELETE FROM past WHERE number = (SELECT MIN(number) FROM past)")
    }
  }
}
