import GRDB

extension ServerIndexReading {
  /// The words that members have tagged a file or folder with, in alphabetical order.
  public func tags(of id: String) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT tag FROM tags WHERE id = ? ORDER BY tag", arguments: [id])
  }
}

extension ServerIndexWriting {
  /// Tags a file or folder with a word.
  public func add(tag: String, to id: String) throws {
    try database.execute(sql: "INSERT OR IGNORE INTO tags VALUES (?, ?)", arguments: [id, tag])
  }

  /// Takes a word off a file or folder again.
  /// - Returns: false when it had none such.
  public func remove(tag: String, from id: String) throws -> Bool {
    try database.execute(sql: "DELETE FROM tags WHERE id = ? AND tag = ?", arguments: [id, tag])
    return database.changesCount == 1
  }

  /// Forgets the words of what is gone.
  public func forgetTags() throws {
    try database.execute(
      sql: """
        DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = tags.id AND nodes.is_deleted = 0)
        """)
  }
}
