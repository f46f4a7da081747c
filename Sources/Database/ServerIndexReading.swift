public import FileStores
import FoundationEssentials
import GRDB

/// One state of a server's index. Used where it was given, and not kept.
public class ServerIndexReading {
  let database: Database

  init(database: Database) { self.database = database }

  /// Which of the nodes a question is about.
  public enum Scope: Sendable, Equatable {
    /// What lies directly in the folder with this key.
    case children(String)
    /// What lies anywhere below the folder with this key.
    case subtree(String)

    /// The condition in SQL, and its arguments.
    var condition: (sql: String, arguments: StatementArguments) {
      switch self {
      case .children(let key): return ("parent = ? AND key <> ''", [key])
      // "0" is the character after "/": the range is all that begins with the key and a slash.
      case .subtree(let key): return ("key > ? AND key < ?", [key + "/", key + "0"])
      }
    }
  }

  /// A word that is another one for every index ever made.
  public func epoch() throws -> String { try fact("epoch") ?? "" }

  /// The newest number that was given out.
  public func newestNumber() throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT value FROM facts WHERE name = 'number'")) ?? 0
  }

  /// A remembered word.
  public func fact(_ name: String) throws -> String? {
    try String.fetchOne(database, sql: "SELECT value FROM facts WHERE name = ?", arguments: [name])
  }

  /// What is found at a key, or was when `deleted`.
  public func node(key: String, deleted: Bool = false) throws -> ServerNode? {
    try nodes("key = ? AND is_deleted = ?", [key, deleted]).first
  }

  /// What is known of a path in the store.
  public func node(path: StorePath) throws -> ServerNode? {
    try nodes("path = ? AND is_deleted = 0", [Data(path.bytes)]).first
  }

  /// What is known of many paths in the store, a query for each few hundred of them.
  public func nodes(at paths: [StorePath]) throws -> [StorePath: ServerNode] {
    guard paths.count > 1 else {
      return try paths.first.flatMap { try node(path: $0) }.map { [$0.path: $0] } ?? [:]
    }
    let most = 250
    let marks = Array(repeating: "?", count: most).joined(separator: ", ")
    var known: [StorePath: ServerNode] = [:]
    known.reserveCapacity(paths.count)
    var rest = paths[...]
    while let last = rest.last {
      var asked = Array(rest.prefix(most))
      rest = rest.dropFirst(most)
      // One form of the question for all, so that it is prepared once; naming a path twice changes nothing.
      asked += Array(repeating: last, count: most - asked.count)
      let found = try nodes(
        "path IN (\(marks)) AND is_deleted = 0", StatementArguments(asked.map { Data($0.bytes) }))
      for node in found { known[node.path] = node }
    }
    return known
  }

  /// What has this id.
  public func node(id: String) throws -> ServerNode? { try nodes("id = ? AND is_deleted = 0", [id]).first }

  /// The file whose content now has this number.
  public func node(rev: Int64) throws -> ServerNode? {
    // Folders have no number: all of them have 0.
    rev > 0 ? try nodes("rev = ? AND is_deleted = 0", [rev]).first : nil
  }

  /// What is there (and what was, when `deleted`), by key, after a key.
  public func nodes(in scope: Scope, after key: String, limit: Int, deleted: Bool = false) throws -> [ServerNode] {
    let (sql, arguments) = scope.condition
    return try nodes(
      "\(sql) AND key > ? AND is_deleted <= ? ORDER BY key LIMIT ?", arguments + [key, deleted, limit])
  }

  /// What has changed since a number, oldest first.
  public func changes(in scope: Scope, after number: Int64, limit: Int) throws -> [ServerNode] {
    let (sql, arguments) = scope.condition
    return try nodes("sequence > ? AND \(sql) ORDER BY sequence LIMIT ?", [number] + arguments + [limit])
  }

  /// Files whose checksum is not known yet.
  public func unhashed(limit: Int) throws -> [ServerNode] {
    try nodes("hash IS NULL AND is_folder = 0 AND is_deleted = 0 LIMIT ?", [limit])
  }

  /// The bytes of all files.
  public func usedBytes() throws -> UInt64 {
    UInt64(try Int64.fetchOne(database, sql: "SELECT SUM(size) FROM nodes WHERE is_deleted = 0") ?? 0)
  }

  /// One version.
  public func revision(_ rev: Int64) throws -> ServerRevision? {
    try revisions("rev = ?", [rev]).first
  }

  /// Versions that a place has had, newest first, older than `before`.
  public func revisions(key: String, before: Int64, limit: Int) throws -> [ServerRevision] {
    try revisions("key = ? AND rev < ? ORDER BY rev DESC LIMIT ?", [key, before, limit])
  }

  /// Versions that a file has had wherever it was, newest first, older than `before`.
  public func revisions(id: String, before: Int64, limit: Int) throws -> [ServerRevision] {
    try revisions("id = ? AND rev < ? ORDER BY rev DESC LIMIT ?", [id, before, limit])
  }

  /// What goes first when room is needed: versions with a younger one of the same place, then the others, the oldest
  /// first. What a file has now is not among them.
  public func oldestRevisions(limit: Int) throws -> [ServerRevision] {
    try revisions(
      """
      \(ServerIndexReading.isOld) ORDER BY NOT EXISTS (
        SELECT 1 FROM revisions AS young WHERE young.key = revisions.key AND young.rev > revisions.rev), rev LIMIT ?
      """, [limit])
  }

  /// The versions of a place beyond the newest `count`, newest first.
  public func surplusRevisions(key: String, keeping count: Int) throws -> [ServerRevision] {
    try revisions("key = ? ORDER BY rev DESC LIMIT -1 OFFSET ?", [key, count])
  }

  /// Versions that were replaced before a second.
  public func replacedRevisions(before second: Int64, limit: Int) throws -> [ServerRevision] {
    try revisions(
      """
      EXISTS (SELECT 1 FROM revisions AS young
        WHERE young.key = revisions.key AND young.rev > revisions.rev AND young.noted < ?) LIMIT ?
      """, [second, limit])
  }

  /// Files of at most `bytes` that have no version yet, of those that changed after a number, in that order.
  public func filesWithoutVersion(upTo bytes: UInt64, after number: Int64, limit: Int) throws -> [ServerNode] {
    try nodes(
      """
      sequence > ? AND is_folder = 0 AND is_deleted = 0 AND size <= ?
        AND NOT EXISTS (SELECT 1 FROM revisions WHERE revisions.rev = nodes.rev) ORDER BY sequence LIMIT ?
      """, [number, Int64(clamping: bytes), limit])
  }

  /// The bytes of all contents that old versions have.
  public func oldBytes() throws -> Int64 {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT SUM(size) FROM (
          SELECT MAX(size) AS size FROM revisions WHERE \(ServerIndexReading.isOld) GROUP BY hash)
        """) ?? 0
  }

  /// Of a version: no file has it now.
  private static let isOld =
    "NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.rev = revisions.rev AND nodes.is_deleted = 0)"

  /// How many old versions have this content.
  public func count(ofOld hash: ContentHash) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT COUNT(*) FROM revisions WHERE hash = ? AND \(ServerIndexReading.isOld)",
      arguments: [hash.hex]) ?? 0
  }

  /// How many versions have this content.
  public func count(of hash: ContentHash) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM revisions WHERE hash = ?", arguments: [hash.hex]) ?? 0
  }

  /// An upload in pieces.
  public func upload(_ id: String) throws -> ServerUpload? {
    try Row.fetchOne(database, sql: "SELECT * FROM uploads WHERE id = ?", arguments: [id]).map(ServerUpload.init)
  }

  /// Uploads that began before a second.
  public func uploads(before second: Int64) throws -> [ServerUpload] {
    try Row.fetchAll(database, sql: "SELECT * FROM uploads WHERE created < ?", arguments: [second]).map(
      ServerUpload.init)
  }

  /// The uploads of a member (by id).
  public func uploads(of member: String) throws -> [ServerUpload] {
    try Row.fetchAll(database, sql: "SELECT * FROM uploads WHERE member = ?", arguments: [member])
      .map(ServerUpload.init)
  }

  /// What is known of an upload's blocks: the digest of each, by its number.
  public func blocks(ofUpload id: String, in numbers: Range<Int>) throws -> [Int: [UInt8]] {
    let rows = try Row.fetchAll(
      database, sql: "SELECT number, digest FROM upload_blocks WHERE id = ? AND number >= ? AND number < ?",
      arguments: [id, numbers.lowerBound, numbers.upperBound])
    return try Dictionary(
      rows.map { (try $0.decode(Int.self, atIndex: 0), [UInt8](try $0.decode(Data.self, atIndex: 1))) }
    ) { first, _ in first }
  }

  /// What `ServerNode` reads, in its order.
  static let nodeColumns = """
    key, id, display, path, is_folder, size, store_revision, rev, hash, client_modified, server_modified, sequence,
    is_deleted
    """

  private func nodes(_ condition: String, _ arguments: StatementArguments) throws -> [ServerNode] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(ServerIndexReading.nodeColumns) FROM nodes WHERE \(condition)
        """)
    return try Array(Row.fetchCursor(statement, arguments: arguments).map(ServerNode.init))
  }

  private func revisions(_ condition: String, _ arguments: StatementArguments) throws -> [ServerRevision] {
    let statement = try database.cachedStatement(sql: "SELECT * FROM revisions WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: arguments).map(ServerRevision.init)
  }
}

extension ServerNode {
  /// Reads a row.
  /// - Throws: for a damaged one.
  init(_ row: Row) throws {
    // By their places: looking for each column's name costs more than its value.
    guard let path = storedPath(Array(try row.decode(Data.self, atIndex: 3))) else {
      throw ServerIndexDatabase.DamagedRow()
    }
    let hash = try row.decode(String?.self, atIndex: 8)
    self.init(
      key: try row.decode(atIndex: 0), id: try row.decode(atIndex: 1), display: try row.decode(atIndex: 2), path: path,
      isFolder: try ServerNode.number(row, 4) != 0, size: UInt64(clamping: try ServerNode.number(row, 5)),
      storeRevision: try row.decode(String?.self, atIndex: 6).map(Revision.init), rev: try ServerNode.number(row, 7),
      hash: hash.flatMap(ContentHash.init(hex:)), clientModified: try ServerNode.number(row, 9),
      serverModified: try ServerNode.number(row, 10), sequence: try ServerNode.number(row, 11),
      isDeleted: try ServerNode.number(row, 12) != 0)
  }

  /// A number that is one: SQLite would read any text as 0.
  private static func number(_ row: Row, _ index: Int) throws -> Int64 {
    guard case .int64(let number) = try row.decode(DatabaseValue.self, atIndex: index).storage else {
      throw ServerIndexDatabase.DamagedRow()
    }
    return number
  }
}

extension ServerRevision {
  /// Reads a row.
  /// - Throws: for a damaged one.
  init(_ row: Row) throws {
    guard let hash = ContentHash(hex: try row.decode(forColumn: "hash")) else { throw ServerIndexDatabase.DamagedRow() }
    self.init(
      rev: try row.decode(forColumn: "rev"), id: try row.decode(forColumn: "id"),
      key: try row.decode(forColumn: "key"), display: try row.decode(forColumn: "display"),
      size: UInt64(clamping: try row.decode(Int64.self, forColumn: "size")), hash: hash,
      clientModified: try row.decode(forColumn: "client_modified"),
      serverModified: try row.decode(forColumn: "server_modified"))
  }
}

extension ServerUpload {
  /// Reads a row.
  /// - Throws: for a damaged one.
  init(_ row: Row) throws {
    self.init(
      id: try row.decode(forColumn: "id"), member: try row.decode(forColumn: "member"),
      isConcurrent: try row.decode(forColumn: "is_concurrent"), created: try row.decode(forColumn: "created"),
      isClosed: try row.decode(forColumn: "is_closed"))
  }
}
