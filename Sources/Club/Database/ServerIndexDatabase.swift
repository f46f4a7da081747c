public import FileStores

/// A server's index of the files in its store. It can be rebuilt, except for ids and history, which start anew with a
/// new index; clients detect that by the epoch.
///
/// A damaged file is deleted and rebuilt; damaged rows are dropped when read, and rebuilt. Calls block: make them on a
/// `BlockingPool`. Errors are `quota`, `notPermitted`, `corrupt` or `server`, and name the file.
public final class ServerIndexDatabase: Sendable {
  private let file: SQLiteFile
  private let remembered = RememberedNodes()

  /// Opens an index and creates it (0600 in 0700) if it is missing. `:memory:` lives as long as the object.
  public init(path: String) throws(StoreError) {
    file = SQLiteFile(path: path, purpose: .rebuilt, schema: ServerIndexDatabase.schema)
    try file.open()
  }

  /// Opens an index that stays as it is: `corrupt` if it is damaged.
  public init(reading path: String) throws(StoreError) {
    file = SQLiteFile(path: path, purpose: .rebuilt, schema: ServerIndexDatabase.schema, isReadOnly: true)
    try file.open()
  }

  public func read<Value: Sendable>(_ body: (ServerIndexReading) throws -> Value) throws(StoreError) -> Value {
    try mending { () throws(StoreError) in try file.read { try body(ServerIndexReading(database: $0)) } }
  }

  /// Changes the index: all changes of `body`, or none.
  public func write<Value: Sendable>(_ body: (ServerIndexWriting) throws -> Value) throws(StoreError) -> Value {
    let (value, hasChanged) = try mending { () throws(StoreError) in
      try file.write { database in
        let writing = ServerIndexWriting(database: database)
        return (try body(writing), writing.hasChangedNodes)
      }
    }
    if hasChanged { remembered.forgetAll() }
    return value
  }

  public func node(key: String) throws(StoreError) -> ServerNode? {
    let changes = remembered.changes
    let node = try read { try $0.node(key: key) }
    if let node { remembered.remember(node, since: changes) }
    return node
  }

  /// The cached node at a key. Does not block.
  public func rememberedNode(key: String) -> ServerNode? { remembered[key] }

  /// Repeats a call that met a damaged row, without that row.
  private func mending<Value: Sendable>(_ call: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    do throws(StoreError) {
      return try call()
    } catch {
      guard error.kind == .corrupt, !file.isReadOnly else { throw error }
      try file.write { try ServerIndexDatabase.dropDamagedRows($0) }
      remembered.forgetAll()
      return try call()
    }
  }

  private static func dropDamagedRows(_ database: SQLConnection) throws {
    // Bypasses the indexes, which hold a row's values from before the damage.
    for (table, column, columns) in [
      ("nodes", "key", ServerNode.columns), ("revisions", "rev", ServerRevision.columns),
      ("uploads", "id", ServerUpload.columns), ("upload_blocks", "id", "number, digest"),
    ] {
      var damaged: [SQLValue] = []
      try database.each("SELECT \(columns), \(column) FROM \(table) NOT INDEXED") { row in
        if !isSound(row, of: table), let key = row.values.last { damaged.append(key) }
      }
      for key in damaged {
        try database.run("DELETE FROM \(table) WHERE \(column) IS ?", [key])
      }
    }
    try database.run("REINDEX")
    try database.script(countUsed)
  }

  /// The sums of `used`, which triggers keep, made anew.
  private static let countUsed = """
    DELETE FROM used;
    INSERT INTO used SELECT \(writer("nodes.author")), SUM(size) FROM nodes WHERE is_deleted = 0 GROUP BY 1;
    """

  /// The member's id in an author's text, which is the id, a space and the name; empty without an author.
  private static func writer(_ author: String) -> String {
    "coalesce(substr(\(author), 1, instr(\(author), ' ') - 1), '')"
  }

  private static func isSound(_ row: SQLRow, of table: String) -> Bool {
    do {
      switch table {
      case "nodes": _ = try ServerNode(row)
      case "revisions": _ = try ServerRevision(row)
      case "uploads": _ = try ServerUpload(row)
      default: _ = (try row.number(0), try row.bytes(1))
      }
      return true
    } catch {
      return false
    }
  }

  static let schema = [
    """
    CREATE TABLE nodes (
      key TEXT NOT NULL PRIMARY KEY, parent TEXT NOT NULL, id TEXT NOT NULL, display TEXT NOT NULL,
      path BLOB NOT NULL, is_folder INTEGER NOT NULL, size INTEGER NOT NULL, store_revision TEXT,
      rev INTEGER NOT NULL, hash TEXT, client_modified INTEGER NOT NULL, server_modified INTEGER NOT NULL,
      sequence INTEGER NOT NULL, is_deleted INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX nodes_by_parent ON nodes (parent, key);
    CREATE INDEX nodes_by_sequence ON nodes (sequence);
    CREATE UNIQUE INDEX nodes_by_id ON nodes (id) WHERE is_deleted = 0;
    CREATE UNIQUE INDEX nodes_by_path ON nodes (path) WHERE is_deleted = 0;
    CREATE TABLE revisions (
      rev INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL, key TEXT NOT NULL, display TEXT NOT NULL,
      size INTEGER NOT NULL, hash TEXT NOT NULL, client_modified INTEGER NOT NULL, server_modified INTEGER NOT NULL
    );
    CREATE INDEX revisions_by_key ON revisions (key, rev);
    CREATE INDEX revisions_by_id ON revisions (id, rev);
    CREATE INDEX revisions_by_hash ON revisions (hash);
    CREATE TABLE uploads (
      id TEXT NOT NULL PRIMARY KEY, member TEXT NOT NULL, is_concurrent INTEGER NOT NULL, created INTEGER NOT NULL,
      is_closed INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    INSERT INTO facts VALUES ('epoch', lower(hex(randomblob(8))));
    INSERT INTO facts VALUES ('offset', random() & 0x3fffffffffff);
    INSERT INTO facts SELECT 'number', CAST(strftime('%s', 'now') AS INTEGER) * 4096 + value
      FROM facts WHERE name = 'offset';
    """,
    """
    CREATE TABLE upload_blocks (
      id TEXT NOT NULL, number INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (id, number)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE revisions ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
    UPDATE revisions SET noted = CAST(strftime('%s', 'now') AS INTEGER);
    CREATE INDEX nodes_by_rev ON nodes (rev) WHERE is_deleted = 0;
    """,
    """
    CREATE TABLE tags (id TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (id, tag)) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE nodes ADD COLUMN author TEXT;
    ALTER TABLE revisions ADD COLUMN author TEXT;
    """,
    // The bytes of each member's files: a sum over all rows takes 0.16 s in a club of 100,000 files.
    // Rows are inserted and deleted; no statement changes a size or an author. The statement that fires a trigger may
    // replace a row, and its way of solving conflicts goes for the trigger, too, so the trigger has none to solve.
    """
    CREATE TABLE used (member TEXT NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER used_more AFTER INSERT ON nodes WHEN new.is_deleted = 0 AND new.size > 0 BEGIN
      INSERT INTO used SELECT \(writer("new.author")), 0
        WHERE NOT EXISTS (SELECT 1 FROM used WHERE member = \(writer("new.author")));
      UPDATE used SET bytes = bytes + new.size WHERE member = \(writer("new.author"));
    END;
    CREATE TRIGGER used_less AFTER DELETE ON nodes WHEN old.is_deleted = 0 AND old.size > 0 BEGIN
      UPDATE used SET bytes = bytes - old.size WHERE member = \(writer("old.author"));
    END;
    \(countUsed)
    """,
  ]
}
