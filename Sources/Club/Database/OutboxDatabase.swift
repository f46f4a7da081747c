public import FileStores

/// Text that no store has acknowledged yet (drafts, saves, and copies that an editor has open), and the journal of
/// transfers.
///
/// - Every change is durable when the call returns (`synchronous=FULL`), whole or not at all.
/// - Rows carry checksums; a row that fails its own is reported as damaged, never silently used or dropped.
/// - A damaged file is set aside (`setAside`), never deleted; its readable part is copied to the new file.
/// - Several processes may use one outbox. A call waits up to 5 s for another process's.
/// - Calls block: make them on a `BlockingPool`. Errors are `quota`, `notPermitted`, `corrupt`, `tooLarge` or `server`,
///   and name the file and a remedy.
public final class OutboxDatabase: Sendable {
  let file: SQLiteFile

  /// Opens an outbox and creates it (0600 in 0700) if it is missing. `:memory:` lives as long as the object.
  /// - Throws: besides the above, `unsupported` for the file of a newer byteclub.
  public convenience init(path: String, patience: Duration = .seconds(5)) throws(StoreError) {
    self.init(openingLater: path, patience: patience)
    try file.open()
  }

  /// Opens the outbox at the first call that needs it; that call then throws the errors of `init(path:)`. `patience` is
  /// the longest wait for another program's lock.
  public init(
    openingLater path: String, patience: Duration = .seconds(5),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    file = SQLiteFile(path: path, purpose: .kept, schema: OutboxDatabase.schema, patience: patience, now: now)
  }

  public var path: String { file.path }

  /// False if nothing was ever kept on this machine.
  public var exists: Bool { file.exists }

  /// The new path of a damaged outbox that was set aside at opening, for a notice to the member.
  public var setAside: String? { file.setAside }

  /// The newest damaged outbox that still exists, from this start or an earlier one.
  public var damagedFile: String? { file.setAside ?? file.lastAside }

  static let schema = [
    """
    CREATE TABLE drafts (
      id TEXT NOT NULL PRIMARY KEY, club TEXT NOT NULL, path BLOB, title TEXT NOT NULL, base TEXT,
      base_hash TEXT NOT NULL, edits INTEGER NOT NULL, bytes INTEGER NOT NULL, touched INTEGER NOT NULL,
      created INTEGER NOT NULL, changed INTEGER NOT NULL, owner TEXT NOT NULL, checksum BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE draft_edits (
      draft TEXT NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, checksum BLOB NOT NULL,
      PRIMARY KEY (draft, number)
    ) WITHOUT ROWID;
    CREATE TABLE saves (
      id INTEGER PRIMARY KEY AUTOINCREMENT, club TEXT NOT NULL, path BLOB NOT NULL, base TEXT, base_hash TEXT,
      draft TEXT, bytes INTEGER NOT NULL, text_hash TEXT NOT NULL, created INTEGER NOT NULL,
      owner TEXT NOT NULL, checksum BLOB NOT NULL, text BLOB NOT NULL
    );
    CREATE TABLE copies (
      id TEXT NOT NULL PRIMARY KEY, club TEXT NOT NULL, path BLOB NOT NULL, base TEXT, base_hash TEXT NOT NULL,
      name TEXT NOT NULL, saved_hash TEXT NOT NULL, owner TEXT NOT NULL, checksum BLOB NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE transfers (
      id TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL, body BLOB NOT NULL, checksum BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE transfer_limits (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), bytes_per_second INTEGER, checksum BLOB NOT NULL
    );
    """,
    """
    ALTER TABLE saves ADD COLUMN ancestors TEXT NOT NULL DEFAULT '';
    ALTER TABLE saves ADD COLUMN conflict INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE drafts ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
    """,
    changesSchema,
    """
    ALTER TABLE saves ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE saves ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE saves ADD COLUMN refusal TEXT NOT NULL DEFAULT '';
    """,
    sightSchema,
  ]
}

/// nil if the bytes are not a path (a damaged row).
func storedPath(_ bytes: [UInt8]?) -> StorePath? {
  guard let bytes else { return nil }
  do {
    return try StorePath(bytes)
  } catch {
    return nil
  }
}
