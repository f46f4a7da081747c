public import FileStores
import GRDB

extension ServerMembersDatabase {
  /// The programs that may sign members in, the oldest first.
  public func apps() throws(StoreError) -> [ServerApp] {
    try file.read { database in
      try Row.fetchAll(database, sql: "SELECT key, created FROM apps WHERE removed IS NULL ORDER BY created, key")
        .compactMap {
          var reader = RowReader($0)
          let (key, created) = (reader.text("key"), reader.optionalNumber("created") ?? 0)
          let app = ServerApp(key: key, created: created, redirects: try redirects(of: key, database))
          return reader.isDamaged ? nil : app
        }
    }
  }

  /// Remembers a program.
  public func add(_ app: ServerApp) throws(StoreError) {
    try file.write { database in
      try database.execute(sql: "INSERT INTO apps VALUES (?, ?, NULL)", arguments: [app.key, app.created])
      try set(app.redirects, of: app.key, database)
    }
  }

  /// Where a browser may be sent back to for a program, in alphabetical order.
  public func redirects(of key: String) throws(StoreError) -> [String] {
    try file.read { try redirects(of: key, $0) }
  }

  /// Remembers where a browser may be sent back to for a program, instead of what was known before.
  public func setRedirects(_ addresses: [String], of key: String) throws(StoreError) {
    try file.write { try set(addresses, of: key, $0) }
  }

  private func redirects(of key: String, _ database: Database) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT address FROM redirects WHERE app = ? ORDER BY address", arguments: [key])
  }

  private func set(_ addresses: [String], of key: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM redirects WHERE app = ?", arguments: [key])
    for address in addresses {
      try database.execute(sql: "INSERT OR IGNORE INTO redirects VALUES (?, ?)", arguments: [key, address])
    }
  }

  /// Whether a program was removed.
  public func isRemoved(app key: String) throws(StoreError) -> Bool {
    try file.read { database in
      try Bool.fetchOne(database, sql: "SELECT removed IS NOT NULL FROM apps WHERE key = ?", arguments: [key]) ?? false
    }
  }

  /// Removes a program for good; the tokens that members have through it end at once.
  /// - Returns: false when it was removed before.
  public func remove(app key: String, at second: Int64) throws(StoreError) -> Bool {
    try file.write { database in
      try database.execute(sql: "DELETE FROM tokens WHERE app = ?", arguments: [key])
      try database.execute(sql: "DELETE FROM redirects WHERE app = ?", arguments: [key])
      try database.execute(
        sql: """
          INSERT INTO apps VALUES (?1, NULL, ?2) ON CONFLICT (key) DO UPDATE SET removed = ?2 WHERE removed IS NULL
          """, arguments: [key, second])
      return database.changesCount == 1
    }
  }
}
