public import FileStores

/// One state of a server's index. It is valid only inside the call that passes it.
public class ServerIndexReading {
  let database: SQLConnection

  init(database: SQLConnection) { self.database = database }

  public enum Scope: Sendable, Equatable {
    /// The direct children of the folder with this key.
    case children(String)
    /// Everything below the folder with this key.
    case subtree(String)

    var condition: (sql: String, arguments: SQLArguments) {
      switch self {
      case .children(let key): return ("parent = ? AND key <> ''", [key])
      // "0" is the character after "/": the range holds everything that begins with the key and a slash.
      case .subtree(let key): return ("key > ? AND key < ?", [key + "/", key + "0"])
      }
    }
  }

  /// The index's epoch, unique to each index ever made.
  public func epoch() throws -> String { try fact("epoch") ?? "" }

  /// True if a client with this cursor has seen no change that this index lacks: the index has that epoch, and the number
  /// was not lost with a restoration.
  public func isCurrent(epoch: String, _ number: Int64) throws -> Bool {
    guard try self.epoch() == epoch else { return false }
    return try !lostNumbers().contains { $0.contains(number) }
  }

  /// The numbers that the index may have assigned after the backups from which it was restored.
  func lostNumbers() throws -> [Range<Int64>] {
    try (fact(ServerIndexReading.lostNumbersFact) ?? "").split(separator: ",").compactMap { part in
      let ends = part.split(separator: "-").compactMap { Int64($0) }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
  }

  static let lostNumbersFact = "lost numbers"

  /// The newest number that was assigned.
  public func newestNumber() throws -> Int64 {
    try total("SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'number'")
  }

  public func fact(_ name: String) throws -> String? {
    try database.first("SELECT CAST(value AS TEXT) FROM facts WHERE name = ?", [name])?.optionalText(0)
  }

  /// The node at a key, or the deleted one if `deleted`.
  public func node(key: String, deleted: Bool = false) throws -> ServerNode? {
    try nodes("key = ? AND is_deleted = ?", [key, deleted]).first
  }

  public func node(path: StorePath) throws -> ServerNode? {
    try nodes("path = ? AND is_deleted = 0", [path.bytes]).first
  }

  /// The nodes of many paths in the store, with one query for each 250 of them.
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
      // Pads with duplicates to one form of the query, which is then prepared once; a duplicate path changes nothing.
      asked += Array(repeating: last, count: most - asked.count)
      let found = try nodes(
        "path IN (\(marks)) AND is_deleted = 0", asked.map(\.bytes))
      for node in found { known[node.path] = node }
    }
    return known
  }

  public func node(id: String) throws -> ServerNode? { try nodes("id = ? AND is_deleted = 0", [id]).first }

  /// The file whose current content has this number.
  public func node(rev: Int64) throws -> ServerNode? {
    // All folders have 0.
    rev > 0 ? try nodes("rev = ? AND is_deleted = 0", [rev]).first : nil
  }

  /// Nodes by key, after a key; includes deleted ones if `deleted`.
  public func nodes(in scope: Scope, after key: String, limit: Int, deleted: Bool = false) throws -> [ServerNode] {
    let (sql, arguments) = scope.condition
    return try nodes(
      "\(sql) AND key > ? AND is_deleted <= ? ORDER BY key LIMIT ?", arguments + [key, deleted, limit])
  }

  /// The nodes that clients may see, by key, after a key. A file without a checksum, as an index of an earlier byteclub
  /// may have, is none: it comes as a change once its checksum is known.
  public func listed(in scope: Scope, after key: String, limit: Int, deleted: Bool = false) throws -> [ServerNode] {
    let (sql, arguments) = scope.condition
    return try nodes(
      "\(sql) AND key > ? AND is_deleted <= ? AND \(ServerIndexReading.isWhole) ORDER BY key LIMIT ?",
      arguments + [key, deleted, limit])
  }

  private static let isWhole = "(hash IS NOT NULL OR is_folder = 1 OR is_deleted = 1)"

  /// The changes that clients may see since a number, oldest first.
  public func changes(in scope: Scope, after number: Int64, limit: Int) throws -> [ServerNode] {
    let (sql, arguments) = scope.condition
    return try nodes(
      "sequence > ? AND \(sql) AND \(ServerIndexReading.isWhole) ORDER BY sequence LIMIT ?",
      [number] + arguments + [limit])
  }

  /// The files that changed last before a sequence number, the newest first.
  public func newestFiles(before number: Int64, limit: Int) throws -> [ServerNode] {
    try nodes(
      "is_folder = 0 AND is_deleted = 0 AND sequence < ? ORDER BY sequence DESC LIMIT ?", [number, limit])
  }

  public func usedBytes() throws -> UInt64 { UInt64(clamping: try total("SELECT SUM(bytes) FROM used")) }

  /// The bytes of the files whose last version a member wrote, by the member's id.
  public func usedBytes(by member: String) throws -> UInt64 {
    UInt64(clamping: try total("SELECT SUM(bytes) FROM used WHERE member = ?", [member]))
  }

  public func uploadCount() throws -> Int { Int(try total("SELECT COUNT(*) FROM uploads")) }

  public func revision(_ rev: Int64) throws -> ServerRevision? {
    try revisions("rev = ?", [rev]).first
  }

  /// The next younger version of the same key.
  public func revision(after old: ServerRevision) throws -> ServerRevision? {
    try revisions("key = ? AND rev > ? ORDER BY rev LIMIT 1", [old.key, old.rev]).first
  }

  /// The versions of a key, newest first, older than `before`.
  public func revisions(key: String, before: Int64, limit: Int) throws -> [ServerRevision] {
    try revisions("key = ? AND rev < ? ORDER BY rev DESC LIMIT ?", [key, before, limit])
  }

  /// The versions of a file at any key, newest first, older than `before`.
  public func revisions(id: String, before: Int64, limit: Int) throws -> [ServerRevision] {
    try revisions("id = ? AND rev < ? ORDER BY rev DESC LIMIT ?", [id, before, limit])
  }

  /// Old versions in the order of removal: first those with a younger version of the same key, then the others, oldest
  /// first. Current content is not included.
  public func oldestRevisions(limit: Int) throws -> [ServerRevision] {
    try revisions(
      """
      \(ServerIndexReading.isOld) ORDER BY NOT EXISTS (
        SELECT 1 FROM revisions AS young WHERE young.key = revisions.key AND young.rev > revisions.rev), rev LIMIT ?
      """, [limit])
  }

  /// The versions of a key beyond the newest `count`, newest first.
  public func surplusRevisions(key: String, keeping count: Int) throws -> [ServerRevision] {
    try revisions("key = ? ORDER BY rev DESC LIMIT -1 OFFSET ?", [key, count])
  }

  /// The versions of all that is deleted at a key and below it, wherever they were; none of a file that exists.
  public func revisions(ofDeletedAt key: String) throws -> [ServerRevision] {
    let (below, range) = Scope.subtree(key).condition
    let place: SQLArguments = [key] + range
    return try revisions(
      """
      (key = ? OR \(below) OR id IN (SELECT id FROM nodes WHERE is_deleted = 1 AND (key = ? OR \(below))))
        AND NOT EXISTS (SELECT 1 FROM nodes AS present WHERE present.id = revisions.id AND present.is_deleted = 0)
      """, place + place)
  }

  public func replacedRevisions(before second: Int64, limit: Int) throws -> [ServerRevision] {
    try revisions(
      """
      EXISTS (SELECT 1 FROM revisions AS young
        WHERE young.key = revisions.key AND young.rev > revisions.rev AND young.noted < ?) LIMIT ?
      """, [second, limit])
  }

  /// Files of at most `bytes` without a version, among those that changed after a number, in that order.
  public func filesWithoutVersion(upTo bytes: UInt64, after number: Int64, limit: Int) throws -> [ServerNode] {
    try nodes(
      """
      sequence > ? AND is_folder = 0 AND is_deleted = 0 AND hash IS NOT NULL AND size <= ?
        AND NOT EXISTS (SELECT 1 FROM revisions WHERE revisions.rev = nodes.rev) ORDER BY sequence LIMIT ?
      """, [number, Int64(clamping: bytes), limit])
  }

  /// The checksums of all versions, each once.
  public func versionHashes() throws -> [ContentHash] {
    try database.rows("SELECT DISTINCT hash FROM revisions").compactMap {
      $0.values[0].text.flatMap { ContentHash(hex: $0) }
    }
  }

  public func oldBytes() throws -> Int64 {
    try total(
      """
      SELECT SUM(size) FROM (
        SELECT MAX(size) AS size FROM revisions WHERE \(ServerIndexReading.isOld) GROUP BY hash)
      """)
  }

  /// The condition for a version that is no file's current content.
  private static let isOld =
    "NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.rev = revisions.rev AND nodes.is_deleted = 0)"

  public func count(ofOld hash: ContentHash) throws -> Int {
    Int(try total("SELECT COUNT(*) FROM revisions WHERE hash = ? AND \(ServerIndexReading.isOld)", [hash.hex]))
  }

  public func count(of hash: ContentHash) throws -> Int {
    Int(try total("SELECT COUNT(*) FROM revisions WHERE hash = ?", [hash.hex]))
  }

  public func upload(_ id: String) throws -> ServerUpload? {
    try database.first("SELECT \(ServerUpload.columns) FROM uploads WHERE id = ?", [id]).map(ServerUpload.init)
  }

  public func uploads(before second: Int64) throws -> [ServerUpload] {
    try database.rows("SELECT \(ServerUpload.columns) FROM uploads WHERE created < ?", [second]).map(
      ServerUpload.init)
  }

  public func uploads(of member: String) throws -> [ServerUpload] {
    try database.rows("SELECT \(ServerUpload.columns) FROM uploads WHERE member = ?", [member])
      .map(ServerUpload.init)
  }

  /// The digests of an upload's known blocks, by block number.
  public func blocks(ofUpload id: String, in numbers: Range<Int>) throws -> [Int: [UInt8]] {
    let rows = try database.rows(
      "SELECT number, digest FROM upload_blocks WHERE id = ? AND number >= ? AND number < ?",
      [id, numbers.lowerBound, numbers.upperBound])
    return try Dictionary(
      rows.map { (Int(try $0.number(0)), try $0.bytes(1)) }
    ) { first, _ in first }
  }

  private func nodes(_ condition: String, _ arguments: SQLArguments) throws -> [ServerNode] {
    try database.rows("SELECT \(ServerNode.columns) FROM nodes WHERE \(condition)", arguments).map(ServerNode.init)
  }

  private func revisions(_ condition: String, _ arguments: SQLArguments) throws -> [ServerRevision] {
    try database.rows("SELECT \(ServerRevision.columns) FROM revisions WHERE \(condition)", arguments)
      .map(ServerRevision.init)
  }

  private func total(_ sql: String, _ arguments: SQLArguments = []) throws -> Int64 {
    try database.first(sql, arguments)?.optionalNumber(0) ?? 0
  }
}

extension ServerNode {
  static let columns = """
    key, id, display, path, is_folder, size, store_revision, rev, hash, client_modified, server_modified, sequence,
    is_deleted, author
    """

  init(_ row: SQLRow) throws(DamagedValue) {
    self.init(
      key: try row.text(0), id: try row.text(1), display: try row.text(2),
      path: try row.checked(storedPath(try row.bytes(3)), 3), isFolder: try row.flag(4),
      size: UInt64(clamping: try row.number(5)), storeRevision: try row.optionalText(6).map { Revision($0) },
      rev: try row.number(7), hash: try ServerNode.hash(row),
      clientModified: try row.number(9), serverModified: try row.number(10), sequence: try row.number(11),
      isDeleted: try row.flag(12), author: try row.optionalText(13).flatMap(ServerAuthor.init))
  }
}

extension ServerNode {
  private static func hash(_ row: SQLRow) throws(DamagedValue) -> ContentHash? {
    guard let text = try row.optionalText(8) else { return nil }
    return try row.checked(ContentHash(hex: text), 8)
  }
}

extension ServerRevision {
  static let columns = "rev, id, key, display, size, hash, client_modified, server_modified, author"

  init(_ row: SQLRow) throws(DamagedValue) {
    self.init(
      rev: try row.number(0), id: try row.text(1), key: try row.text(2), display: try row.text(3),
      size: UInt64(clamping: try row.number(4)), hash: try row.checked(ContentHash(hex: try row.text(5)), 5),
      clientModified: try row.number(6), serverModified: try row.number(7),
      author: try row.optionalText(8).flatMap(ServerAuthor.init))
  }
}

extension ServerUpload {
  static let columns = "id, member, is_concurrent, created, is_closed"

  init(_ row: SQLRow) throws(DamagedValue) {
    self.init(
      id: try row.text(0), member: try row.text(1), isConcurrent: try row.flag(2), created: try row.number(3),
      isClosed: try row.flag(4))
  }
}

extension ServerIndexReading {
  public func tags(of id: String) throws -> [String] {
    try database.rows("SELECT tag FROM tags WHERE id = ? ORDER BY tag", [id]).compactMap { $0.values[0].text }
  }
}

extension ServerIndexWriting {
  public func add(tag: String, to id: String) throws {
    try database.run("INSERT OR IGNORE INTO tags VALUES (?, ?)", [id, tag])
  }

  /// Returns false if it did not have the tag.
  public func remove(tag: String, from id: String) throws -> Bool {
    try database.run("DELETE FROM tags WHERE id = ? AND tag = ?", [id, tag])
    return database.changes == 1
  }

  public func forgetTags() throws {
    try database.run(
      """
      DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = tags.id AND nodes.is_deleted = 0)
      """)
  }
}
