public import FileStores
import FoundationEssentials
import GRDB

/// What byteclub remembers of a club and can find out again: which content a revision of a file has.
///
/// Damaged, the file is deleted and made anew. Calls block: make them on a `BlockingPool`. Several processes may use
/// one catalogue. Errors are `quota`, `notPermitted`, `corrupt` or `server`, and name the file.
public final class CatalogueDatabase: Sendable {
  private let file: SQLiteFile

  /// Opens a catalogue, making it (0600 in 0700) when it is not there. `:memory:` is one that goes with the object.
  public convenience init(path: String) throws(StoreError) {
    self.init(openingLater: path)
    try file.open()
  }

  /// Names a catalogue, which is opened at the first call that needs it: that call then throws what `init(path:)` would have.
  public init(openingLater path: String) {
    file = SQLiteFile(path: path, purpose: .rebuilt, schema: CatalogueDatabase.schema)
  }

  /// The content hash that this revision of a file was seen to have; nil when it is not known.
  public func contentHash(
    of path: StorePath, revision: Revision, club: String
  ) throws(StoreError) -> ContentHash? {
    try file.read { database in
      try String.fetchOne(
        database, sql: "SELECT hash FROM contents WHERE club = ? AND path = ? AND revision = ?",
        arguments: [club, Data(path.bytes), revision.value])
    }.flatMap(ContentHash.init(hex:))
  }

  /// Remembers what content a revision of a file has. Of each file one revision is remembered, the newest told.
  public func remember(
    _ hash: ContentHash, of path: StorePath, revision: Revision, club: String
  ) throws(StoreError) {
    try file.write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO contents (club, path, revision, hash) VALUES (?, ?, ?, ?)",
        arguments: [club, Data(path.bytes), revision.value, hash.hex])
    }
  }

  /// Forgets a file that is gone.
  public func forget(_ path: StorePath, club: String) throws(StoreError) {
    try file.write { database in
      try database.execute(
        sql: "DELETE FROM contents WHERE club = ? AND path = ?", arguments: [club, Data(path.bytes)])
    }
  }

  /// Forgets everything. Returns how many files were known.
  public func clear() throws(StoreError) -> Int {
    try file.write { database in
      try database.execute(sql: "DELETE FROM contents")
      return database.changesCount
    }
  }

  private static let schema = [
    """
    CREATE TABLE contents (
      club TEXT NOT NULL, path BLOB NOT NULL, revision TEXT NOT NULL, hash TEXT NOT NULL,
      PRIMARY KEY (club, path)
    ) WITHOUT ROWID
    """
  ]
}
