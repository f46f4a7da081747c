public import FileStores

/// The batches of events that wait for a receiver, and the change of the index after which the next batch begins. Both
/// change together, so that no event is left out, and none is in two batches.
///
/// Every change is durable when the call returns. Calls block: make them on a `BlockingPool`. Errors are `quota`,
/// `notPermitted`, `corrupt` or `server`, and name the file.
public final class ServerHookDatabase: Sendable {
  public struct Batch: Sendable, Equatable {
    /// The same for each try.
    public let id: String
    public let body: String

    public init(id: String, body: String) { (self.id, self.body) = (id, body) }
  }

  /// A change of an index.
  public struct Place: Sendable, Equatable {
    public let epoch: String
    public let number: Int64

    public init(epoch: String, number: Int64) { (self.epoch, self.number) = (epoch, number) }
  }

  private let file: SQLiteFile

  /// Opens the file and creates it (0600 in 0700) if it is missing. `:memory:` lives as long as the object.
  public init(path: String) throws(StoreError) {
    file = SQLiteFile(path: path, purpose: .kept, schema: ServerHookDatabase.schema)
    try file.open()
  }

  /// nil before the first `begin`.
  public func place() throws(StoreError) -> Place? {
    try file.read { database in
      try database.first("SELECT epoch, number FROM place").map {
        Place(epoch: try $0.text(0), number: try $0.number(1))
      }
    }
  }

  /// A version of a file in the club's store.
  public struct Version: Sendable, Hashable {
    public let path: StorePath
    public let revision: Revision

    public init(path: StorePath, revision: Revision) { (self.path, self.revision) = (path, revision) }
  }

  /// The next batch begins after this change. Batches that wait stay.
  public func begin(after place: Place) throws(StoreError) {
    try file.write { try ServerHookDatabase.set(place, in: $0) }
  }

  /// The first batch begins after this change.
  /// - Parameter earlier: versions that were there by then and come into the index later.
  public func begin(after place: Place, earlier: [Version]) throws(StoreError) {
    try file.write { database in
      try ServerHookDatabase.set(place, in: database)
      try database.run("DELETE FROM earlier")
      for version in earlier {
        try database.run(
          "INSERT OR REPLACE INTO earlier VALUES (?, ?)", [version.path.bytes, version.revision.value])
      }
    }
  }

  /// Those of the versions that were there at the beginning.
  public func earlier(of versions: [Version]) throws(StoreError) -> Set<Version> {
    try file.read { database in
      Set(
        try versions.filter { version in
          try database.first(
            "SELECT 1 FROM earlier WHERE path = ? AND revision = ?", [version.path.bytes, version.revision.value])
            != nil
        })
    }
  }

  /// Adds a batch whose last event is a change.
  /// - Returns: the number of the oldest batches that went, because no more than `most` wait.
  public func add(_ batch: Batch, endingAt place: Place, most: Int) throws(StoreError) -> Int {
    try file.write { database in
      try database.run("INSERT INTO batches (id, body) VALUES (?, ?)", [batch.id, batch.body])
      try ServerHookDatabase.set(place, in: database)
      try database.run(
        """
        DELETE FROM batches WHERE number <= (
          SELECT number FROM batches ORDER BY number DESC LIMIT 1 OFFSET ?)
        """, [most])
      return Int(database.changes)
    }
  }

  public func oldest() throws(StoreError) -> Batch? {
    try file.read { database in
      try database.first("SELECT id, body FROM batches ORDER BY number LIMIT 1").map {
        Batch(id: try $0.text(0), body: try $0.text(1))
      }
    }
  }

  public func remove(_ batch: Batch) throws(StoreError) {
    try file.run("DELETE FROM batches WHERE id = ?", [batch.id])
  }

  private static func set(_ place: Place, in database: SQLConnection) throws {
    try database.run("DELETE FROM place")
    try database.run("INSERT INTO place VALUES (?, ?)", [place.epoch, place.number])
  }

  private static let schema = [
    """
    CREATE TABLE batches (number INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT;
    CREATE TABLE place (epoch TEXT NOT NULL, number INTEGER NOT NULL) STRICT;
    """,
    "CREATE TABLE earlier (path BLOB NOT NULL PRIMARY KEY, revision TEXT NOT NULL) STRICT, WITHOUT ROWID",
  ]
}
