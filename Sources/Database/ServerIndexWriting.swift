public import FileStores
import FoundationEssentials
import GRDB

/// A change of a server's index under way. Used where it was given, and not kept.
public final class ServerIndexWriting: ServerIndexReading {
  /// Whether a row of a node was written.
  private(set) var hasChangedNodes = false

  /// A number that was never given out before, larger than all that were.
  public func nextNumber() throws -> Int64 {
    try database.cachedStatement(sql: "UPDATE facts SET value = value + 1 WHERE name = 'number'").execute()
    return try newestNumber()
  }

  /// Remembers a word.
  public func setFact(_ name: String, _ value: String) throws {
    try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES (?, ?)", arguments: [name, value])
  }

  /// Puts a row in its place (over what has the same key) and gives it the next sequence number.
  @discardableResult
  public func save(_ node: ServerNode) throws -> ServerNode {
    var node = node
    node.sequence = try nextNumber()
    try keep(node)
    return node
  }

  /// As `save`, but nobody is told: for what clients do not see.
  public func keep(_ node: ServerNode) throws {
    hasChangedNodes = true
    let parent = PathText.parent(node.key)
    try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      node.key, parent, node.id, node.display, Data(node.path.bytes), node.isFolder, Int64(clamping: node.size),
      node.storeRevision?.value, node.rev, node.hash?.hex, node.clientModified, node.serverModified, node.sequence,
      node.isDeleted,
    ])
  }

  /// Remembers the checksum of what a file has, unless it has become another version; nobody is told.
  public func set(_ hash: ContentHash, of node: ServerNode) throws {
    hasChangedNodes = true
    try database.cachedStatement(
      sql: "UPDATE nodes SET hash = ? WHERE path = ? AND is_deleted = 0 AND store_revision = ?"
    ).execute(arguments: [hash.hex, Data(node.path.bytes), node.storeRevision?.value])
  }

  /// Remembers that a node is gone, and all that was below it.
  public func remove(_ node: ServerNode) throws {
    var after = ""
    while node.isFolder {
      let below = try nodes(in: .subtree(node.key), after: after, limit: 500)
      guard let last = below.last else { break }
      after = last.key
      for each in below { try bury(each) }
    }
    try bury(node)
  }

  private func bury(_ node: ServerNode) throws {
    var gone = node
    gone.isDeleted = true
    gone.serverModified = Int64(Date.now.timeIntervalSince1970)
    try save(gone)
  }

  /// Forgets the oldest of what is gone, but for `count`.
  public func forgetDeleted(keeping count: Int) throws {
    try database.execute(
      sql: """
        DELETE FROM nodes WHERE is_deleted = 1 AND sequence <= (
          SELECT sequence FROM nodes WHERE is_deleted = 1 ORDER BY sequence DESC LIMIT 1 OFFSET ?)
        """, arguments: [count])
  }

  /// Remembers a version, unless it is remembered already.
  /// - Parameter second: when that is.
  public func add(_ revision: ServerRevision, at second: Int64) throws {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .execute(arguments: [
        revision.rev, revision.id, revision.key, revision.display, Int64(clamping: revision.size), revision.hash.hex,
        revision.clientModified, revision.serverModified, second,
      ])
  }

  /// Forgets a version.
  public func forget(_ revision: ServerRevision) throws {
    try database.execute(sql: "DELETE FROM revisions WHERE rev = ?", arguments: [revision.rev])
  }

  /// Remembers an upload, or what has become of it.
  public func save(_ upload: ServerUpload) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, ?, ?)",
      arguments: [upload.id, upload.member, upload.isConcurrent, upload.created, upload.isClosed])
  }

  /// Remembers what blocks of an upload have: their digests, from a number on, in order.
  public func save(blocks digests: [[UInt8]], from first: Int, of upload: String) throws {
    let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO upload_blocks VALUES (?, ?, ?)")
    for (number, digest) in digests.enumerated() {
      try statement.execute(arguments: [upload, first + number, Data(digest)])
    }
  }

  /// Forgets an upload, and what its blocks have.
  public func forget(_ upload: ServerUpload) throws {
    try database.execute(sql: "DELETE FROM upload_blocks WHERE id = ?", arguments: [upload.id])
    try database.execute(sql: "DELETE FROM uploads WHERE id = ?", arguments: [upload.id])
  }
}
