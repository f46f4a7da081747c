internal import Basics
public import FileStores
import POSIX

/// A transaction on a server's index. It is valid only inside the call that passes it.
public final class ServerIndexWriting: ServerIndexReading {
  private(set) var hasChangedNodes = false

  /// Assigns a new number, larger than all earlier ones.
  public func nextNumber() throws -> Int64 {
    try database.run("UPDATE facts SET value = value + 1 WHERE name = 'number'")
    return try newestNumber()
  }

  public func setFact(_ name: String, _ value: String) throws {
    try database.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", [name, value])
  }

  /// Writes a row (replacing one of the same key) with the next sequence number.
  @discardableResult
  public func save(_ node: ServerNode) throws -> ServerNode {
    var node = node
    node.sequence = try nextNumber()
    try keep(node)
    return node
  }

  /// As `save`, but without a new sequence number: clients do not see the change.
  public func keep(_ node: ServerNode) throws {
    hasChangedNodes = true
    let parent = PathText.parent(node.key)
    try database.run(
      "INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        node.key, parent, node.id, node.display, node.path.bytes, node.isFolder, Int64(clamping: node.size),
        node.storeRevision?.value, node.rev, node.hash?.hex, node.clientModified, node.serverModified, node.sequence,
        node.isDeleted, node.author?.text,
      ])
  }

  /// Marks a node and everything below it as deleted.
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
    gone.serverModified = Int64(time(nil))
    try save(gone)
  }

  public func forgetDeleted(keeping count: Int) throws {
    try database.run(
      """
      DELETE FROM nodes WHERE is_deleted = 1 AND sequence <= (
        SELECT sequence FROM nodes WHERE is_deleted = 1 ORDER BY sequence DESC LIMIT 1 OFFSET ?)
      """, [count])
  }

  /// Adds a version, unless it exists already, or the next younger one is the same: a member's write that the change feed
  /// reported before its member was noted. `second` is the time of this call.
  public func add(_ revision: ServerRevision, at second: Int64) throws {
    if revision.author == nil, try self.revision(after: revision)?.hash == revision.hash { return }
    try database.run(
      "INSERT OR IGNORE INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        revision.rev, revision.id, revision.key, revision.display, Int64(clamping: revision.size), revision.hash.hex,
        revision.clientModified, revision.serverModified, second, revision.author?.text,
      ])
  }

  public func forget(_ revision: ServerRevision) throws {
    try database.run("DELETE FROM revisions WHERE rev = ?", [revision.rev])
  }

  public func save(_ upload: ServerUpload) throws {
    try database.run(
      "INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, ?, ?)",
      [upload.id, upload.member, upload.isConcurrent, upload.created, upload.isClosed])
  }

  /// Stores the digests of an upload's blocks in order, from a block number on.
  public func save(blocks digests: [[UInt8]], from first: Int, of upload: String) throws {
    for (number, digest) in digests.enumerated() {
      try database.run("INSERT OR REPLACE INTO upload_blocks VALUES (?, ?, ?)", [upload, first + number, digest])
    }
  }

  /// Prepares an index that comes from a backup. Numbers go on far above all that may have been assigned since, so that
  /// no number has two meanings; clients that have seen one of those list anew. Unfinished uploads are forgotten.
  public func resumeAfterRestoration(at second: Int64) throws {
    let newest = try newestNumber()
    // The index began at the same multiple of its second, and no server makes as many changes a second. The random
    // offset keeps the numbers of two clubs apart; indexes of earlier versions have none.
    let offset = try fact("offset").flatMap { Int64($0) } ?? 0
    let next = max(newest, second * ServerIndexWriting.numbersPerSecond + offset) + ServerIndexWriting.numbersPerSecond
    try setFact("number", String(next))
    let lost = try (lostNumbers() + [newest + 1..<next]).map { "\($0.lowerBound)-\($0.upperBound)" }
    try setFact(ServerIndexReading.lostNumbersFact, lost.joined(separator: ","))
    try database.run("DELETE FROM upload_blocks")
    try database.run("DELETE FROM uploads")
  }

  private static let numbersPerSecond: Int64 = 4096

  /// Records the store's revision of a restored file, unless the row has other content.
  public func noteRestored(
    _ path: StorePath, _ revision: Revision?, _ hash: ContentHash, size: UInt64
  ) throws {
    try database.run(
      """
      UPDATE nodes SET store_revision = ?, hash = ?
      WHERE path = ? AND is_deleted = 0 AND size = ? AND (hash IS NULL OR hash = ?)
      """, [revision?.value, hash.hex, path.bytes, Int64(clamping: size), hash.hex])
  }

  public func forget(_ upload: ServerUpload) throws {
    try database.run("DELETE FROM upload_blocks WHERE id = ?", [upload.id])
    try database.run("DELETE FROM uploads WHERE id = ?", [upload.id])
  }
}
