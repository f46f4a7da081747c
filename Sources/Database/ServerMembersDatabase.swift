public import FileStores
import FoundationEssentials
import GRDB

/// Who may use a server, and the server's own secrets.
///
/// Every change is durable when the call returns. Several processes may use one file: what `byteclub serve member` does
/// counts for a server that runs. Calls block: make them on a `BlockingPool`. Errors are `quota`, `notPermitted`,
/// `corrupt` or `server`, and name the file.
public final class ServerMembersDatabase: Sendable {
  let file: SQLiteFile
  let remembered = RememberedTokens()

  /// Opens a list of members, making it (0600 in 0700) when it is not there. `:memory:` goes with the object.
  public init(path: String) throws(StoreError) {
    file = SQLiteFile(path: path, purpose: .kept, schema: ServerMembersDatabase.schema)
    try file.open()
  }

  /// All members, by name.
  public func members() throws(StoreError) -> [ServerMember] {
    try file.read { try Row.fetchAll($0, sql: "SELECT * FROM members ORDER BY name").map(member) }
  }

  /// The member with this id.
  public func member(id: String) throws(StoreError) -> ServerMember? {
    try file.read { try Row.fetchOne($0, sql: "SELECT * FROM members WHERE id = ?", arguments: [id]).map(member) }
  }

  /// Adds a member.
  /// - Returns: false when there is one of that name already, who stays as they are.
  public func add(_ member: ServerMember) throws(StoreError) -> Bool {
    try file.write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO members VALUES (?, ?, ?)", arguments: [member.id, member.name, member.created])
      return database.changesCount == 1
    }
  }

  /// Removes a member, whose tokens end at once.
  /// - Returns: false when there was none of that name.
  public func remove(name: String) throws(StoreError) -> Bool {
    try file.write { database in
      try database.execute(
        sql: "DELETE FROM tokens WHERE member IN (SELECT id FROM members WHERE name = ?)", arguments: [name])
      try database.execute(sql: "DELETE FROM members WHERE name = ?", arguments: [name])
      return database.changesCount == 1
    }
  }

  /// Remembers a token.
  public func add(_ token: ServerToken) throws(StoreError) {
    try file.write { database in
      try database.execute(
        sql: "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          token.id, Data(token.digest), token.member, token.purpose.rawValue, token.family, token.app,
          token.scopes.map { $0.sorted().joined(separator: " ") }, token.expires,
        ])
    }
  }

  /// The token with this id, and whose it is.
  public func token(id: String) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    let mark = FileMark(of: file.path)
    let found = try read(token: id)
    if let found, let mark { remembered.remember(found, at: mark) }
    return found
  }

  private func read(token id: String) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    try file.read { database in
      let found = try Row.fetchOne(
        database,
        sql: "SELECT tokens.*, name, created FROM tokens JOIN members ON member = members.id WHERE tokens.id = ?",
        arguments: [id])
      guard let row = found, let purpose = ServerToken.Purpose(rawValue: row["purpose"]) else { return nil }
      let digest: Data = row["digest"]
      let scopes: String? = row["scopes"]
      let token = ServerToken(
        id: row["id"], digest: Array(digest), member: row["member"], purpose: purpose, family: row["family"],
        app: row["app"], scopes: scopes.map { Set($0.split(separator: " ").map(String.init)) }, expires: row["expires"])
      return (token, ServerMember(id: token.member, name: row["name"], created: row["created"]))
    }
  }

  /// Ends all tokens that go together.
  public func revoke(family: String) throws(StoreError) { _ = try take(family: family) }

  /// Ends all tokens that go together.
  /// - Returns: false when there were none any more: of several that take them at once, one is told true.
  public func take(family: String) throws(StoreError) -> Bool {
    try file.write { database in
      try database.execute(sql: "DELETE FROM tokens WHERE family = ?", arguments: [family])
      return database.changesCount > 0
    }
  }

  /// Forgets tokens that ended before a second.
  public func forgetTokens(endedBefore second: Int64) throws(StoreError) {
    try file.write { try $0.execute(sql: "DELETE FROM tokens WHERE expires < ?", arguments: [second]) }
  }

  /// A secret of the server's own by its name: 32 bytes from the system's random numbers, made when first asked for.
  public func secret(_ name: String) throws(StoreError) -> [UInt8] {
    try file.write { database in
      let known = try Data.fetchOne(database, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [name])
      if let known { return Array(known) }
      var random = SystemRandomNumberGenerator()
      let new = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      try database.execute(sql: "INSERT INTO secrets VALUES (?, ?)", arguments: [name, Data(new)])
      return new
    }
  }

  private func member(_ row: Row) -> ServerMember {
    ServerMember(id: row["id"], name: row["name"], created: row["created"])
  }

  private static let schema = [
    """
    CREATE TABLE members (
      id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tokens (
      id TEXT NOT NULL PRIMARY KEY, digest BLOB NOT NULL, member TEXT NOT NULL, purpose TEXT NOT NULL,
      family TEXT NOT NULL, app TEXT, scopes TEXT, expires INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE secrets (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE apps (key TEXT NOT NULL PRIMARY KEY, created INTEGER, removed INTEGER) WITHOUT ROWID;
    """,
  ]
}
