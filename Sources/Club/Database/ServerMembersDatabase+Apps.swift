public import FileStores
import Synchronization

extension ServerMembersDatabase {
  /// The programs that may sign members in, oldest first.
  public func apps() throws(StoreError) -> [ServerApp] {
    try file.read { database in
      try database.rows("SELECT key, created FROM apps WHERE removed IS NULL ORDER BY created, key")
        .compactMap {
          var reader = RowReader($0)
          let (key, created) = (reader.text("key"), reader.optionalNumber("created") ?? 0)
          let app = ServerApp(key: key, created: created, redirects: try redirects(of: key, database))
          return reader.isDamaged ? nil : app
        }
    }
  }

  public func add(_ app: ServerApp) throws(StoreError) {
    try file.write { database in
      try database.run("INSERT INTO apps VALUES (?, ?, NULL)", [app.key, app.created])
      try set(app.redirects, of: app.key, database)
    }
  }

  public func redirects(of key: String) throws(StoreError) -> [String] {
    try file.read { try redirects(of: key, $0) }
  }

  public func setRedirects(_ addresses: [String], of key: String) throws(StoreError) {
    try file.write { try set(addresses, of: key, $0) }
  }

  private func redirects(of key: String, _ database: SQLConnection) throws -> [String] {
    // A damaged address permits nothing.
    try database.rows("SELECT address FROM redirects WHERE app = ? ORDER BY address", [key]).compactMap {
      $0.values[0].text
    }
  }

  private func set(_ addresses: [String], of key: String, _ database: SQLConnection) throws {
    try database.run("DELETE FROM redirects WHERE app = ?", [key])
    for address in addresses {
      try database.run("INSERT OR IGNORE INTO redirects VALUES (?, ?)", [key, address])
    }
  }

  public func isRemoved(app key: String) throws(StoreError) -> Bool {
    try file.first("SELECT 1 FROM apps WHERE key = ? AND removed IS NOT NULL", [key]) != nil
  }

  /// Removes a program for good; the tokens issued to it end at once. Returns false if it was removed before.
  public func remove(app key: String, at second: Int64) throws(StoreError) -> Bool {
    try file.write { database in
      try database.run("DELETE FROM tokens WHERE app = ?", [key])
      try database.run("DELETE FROM redirects WHERE app = ?", [key])
      try database.run(
        """
        INSERT INTO apps VALUES (?1, NULL, ?2) ON CONFLICT (key) DO UPDATE SET removed = ?2 WHERE removed IS NULL
        """, [key, second])
      return database.changes == 1
    }
  }
}

final class RememberedTokens: Sendable {
  /// More than a club has; a full cache is emptied.
  private static let most = 1000
  private let found = Mutex<(mark: FileMark?, tokens: [String: (token: ServerToken, member: ServerMember)])>((nil, [:]))

  /// The cached token that was read while the file had this mark.
  subscript(id: String, mark: FileMark) -> (token: ServerToken, member: ServerMember)? {
    found.withLock { $0.mark == mark ? $0.tokens[id] : nil }
  }

  func remember(_ token: (token: ServerToken, member: ServerMember), at mark: FileMark) {
    guard mark.isSettled else { return }
    found.withLock { found in
      if found.mark != mark || found.tokens.count >= RememberedTokens.most { found = (mark, [:]) }
      found.tokens[token.token.id] = token
    }
  }
}

extension ServerMembersDatabase {
  /// The cached token with this id, and its member, if no process has committed to the file since. The removal of a
  /// member therefore takes effect at once. Does not block.
  public func remembered(id: String) -> (token: ServerToken, member: ServerMember)? {
    FileMark(of: file.path).flatMap { remembered[id, $0] }
  }

  /// True if a process may have committed to the file since it had this mark, which becomes that of now. Does not block.
  public func mayHaveChanged(since mark: inout FileMark?) -> Bool {
    let before = mark
    mark = FileMark(of: file.path)
    return before?.isSettled != true || mark != before
  }
}
