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
