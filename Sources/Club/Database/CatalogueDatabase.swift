public import FileStores

/// A cache of content hashes by club, path and revision, the facts of photos by content hash, and the revisions that the
/// member has seen. Hashes and facts can be rebuilt; without the rest, all files count as seen.
///
/// A damaged file is deleted and rebuilt. Calls block: make them on a `BlockingPool`. Several processes may use one
/// catalogue. Errors are `quota`, `notPermitted`, `corrupt` or `server`, and name the file.
public final class CatalogueDatabase: Sendable {
  let file: SQLiteFile

  /// Opens a catalogue and creates it (0600 in 0700) if it is missing. `:memory:` lives as long as the object.
  public convenience init(path: String, patience: Duration = .seconds(1)) throws(StoreError) {
    self.init(openingLater: path, patience: patience)
    try file.open()
  }

  /// Opens the catalogue at the first call that needs it; that call then throws the errors of `init(path:)`.
  public init(openingLater path: String, patience: Duration = .seconds(1)) {
    // Members wait for notes and lists: a catalogue that another process keeps locked counts as unreadable soon.
    file = SQLiteFile(path: path, purpose: .rebuilt, schema: CatalogueDatabase.schema, patience: patience)
  }

  public func contentHash(
    of path: StorePath, revision: Revision, club: String
  ) throws(StoreError) -> ContentHash? {
    try file.read { database in
      try database.first(
        "SELECT hash FROM contents WHERE club = ? AND path = ? AND revision = ?",
        [club, path.bytes, revision.value])?.values[0].text
    }.flatMap(ContentHash.init(hex:))
  }

  /// Stores the content hash of a revision, in place of the file's earlier one.
  public func remember(
    _ hash: ContentHash, of path: StorePath, revision: Revision, club: String
  ) throws(StoreError) {
    try file.run(
      "INSERT OR REPLACE INTO contents (club, path, revision, hash) VALUES (?, ?, ?, ?)",
      [club, path.bytes, revision.value, hash.hex])
  }

  /// Moves the rows of one club key to another. A row that the other key has already stays.
  public func give(from club: String, to owner: String) throws(StoreError) {
    guard file.exists else { return }
    try file.write { database in
      for table in ["contents", "seen", "seen_lists", "past"] {
        try database.run("UPDATE OR IGNORE \(table) SET club = ? WHERE club = ?", [owner, club])
      }
    }
  }

  /// Removes everything. Returns the number of files removed.
  public func clear() throws(StoreError) -> Int {
    try file.write { database in
      for table in ["seen", "seen_lists", "past", "past_texts", "captures"] {
        try database.run("DELETE FROM \(table)")
      }
      try database.run("DELETE FROM contents")
      return database.changes
    }
  }

  static let schema = [
    """
    CREATE TABLE contents (
      club TEXT NOT NULL, path BLOB NOT NULL, revision TEXT NOT NULL, hash TEXT NOT NULL,
      PRIMARY KEY (club, path)
    ) WITHOUT ROWID
    """,
    seenSchema,
    pastSchema,
    pastSumSchema,
    pastOwnSchema,
    captureSchema,
    seenTextsSchema,
    captureTimeSchema,
  ]
}
