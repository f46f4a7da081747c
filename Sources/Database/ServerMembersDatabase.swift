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

  /// Where a damaged list was put, when there was one; the newest. What of it could be read was taken over.
  public var damagedFile: String? { file.setAside ?? file.lastAside }

  /// All members, by name.
  public func members() throws(StoreError) -> [ServerMember] {
    try file.read { try Row.fetchAll($0, sql: "SELECT * FROM members ORDER BY name").compactMap(member) }
  }

  /// The member with this id.
  public func member(id: String) throws(StoreError) -> ServerMember? {
    try file.read { try Row.fetchOne($0, sql: "SELECT * FROM members WHERE id = ?", arguments: [id]).flatMap(member) }
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
      guard let row = found else { return nil }
      var reader = RowReader(row)
      let (purpose, scopes) = (ServerToken.Purpose(rawValue: reader.text("purpose")), reader.optionalText("scopes"))
      guard let purpose else { return nil }
      let token = ServerToken(
        id: reader.text("id"), digest: reader.bytes("digest"), member: reader.text("member"), purpose: purpose,
        family: reader.text("family"), app: reader.optionalText("app"),
        scopes: scopes.map { Set($0.split(separator: " ").map(String.init)) },
        expires: reader.optionalNumber("expires"))
      let member = ServerMember(id: token.member, name: reader.text("name"), created: reader.number("created"))
      // What cannot be read opens nothing.
      return reader.isDamaged ? nil : (token, member)
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
      // A damaged one is made anew: what it sealed is good no more.
      if let known, known.count == 32 { return Array(known) }
      var random = SystemRandomNumberGenerator()
      let new = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      try database.execute(sql: "INSERT OR REPLACE INTO secrets VALUES (?, ?)", arguments: [name, Data(new)])
      return new
    }
  }

  /// Nil for a damaged row: such a member has to be added again.
  private func member(_ row: Row) -> ServerMember? {
    var reader = RowReader(row)
    let member = ServerMember(id: reader.text("id"), name: reader.text("name"), created: reader.number("created"))
    return reader.isDamaged ? nil : member
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
    """
    CREATE TABLE redirects (
      app TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (app, address)
    ) STRICT, WITHOUT ROWID;
    """,
  ]
}
