public import FileStores
import GRDB

/// What a member has typed and no store has acknowledged yet: drafts, saves, and copies that an editor has open; and the
/// journal of transfers.
///
/// - Every call that changes something is durable when it returns (`synchronous=FULL`), whole or not at all.
/// - Rows carry checksums; a row that fails its own is told as damaged, never silently used or dropped.
/// - A damaged file is put aside (`setAside`), never deleted; what can be read of it is taken over.
/// - Several processes may use one outbox. A call waits up to 5 s for another process's.
/// - Calls block: make them on a `BlockingPool`. Errors are `quota`, `notPermitted`, `corrupt`, `tooLarge` or
///   `server`, and name the file and what to do.
public final class OutboxDatabase: Sendable {
  let file: SQLiteFile

  /// Opens an outbox, making it (0600 in 0700) when it is not there. `:memory:` is one that goes with the object.
  /// - Throws: besides the above, `unsupported` for the file of a newer byteclub.
  public convenience init(path: String) throws(StoreError) {
    self.init(openingLater: path)
    try file.open()
  }

  /// Names an outbox, which is opened at the first call that needs it: that call then throws what `init(path:)` would have.
  public init(openingLater path: String) {
    file = SQLiteFile(path: path, purpose: .kept, schema: OutboxDatabase.schema)
  }

  /// Where the outbox is.
  public var path: String { file.path }

  /// Where a damaged outbox was put when this one was opened; nil when there was none. For a notice: the member
  /// should know.
  public var setAside: String? { file.setAside }

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
  ]
}

/// A path that went through the database as bytes; nil when they are none (a damaged row).
func storedPath(_ bytes: [UInt8]?) -> StorePath? {
  guard let bytes else { return nil }
  do {
    return try StorePath(bytes)
  } catch {
    return nil
  }
}
