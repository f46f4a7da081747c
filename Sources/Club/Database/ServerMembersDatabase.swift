public import FileStores

/// The members, tokens, shared links, drop pages and apps of a server, and the server's own secrets.
///
/// Every change is durable when the call returns. Several processes may use one file: changes by `byteclub serve
/// member` take effect on a running server. Calls block: make them on a `BlockingPool`. Errors are `quota`,
/// `notPermitted`, `corrupt` or `server`, and name the file.
public final class ServerMembersDatabase: Sendable {
  let file: SQLiteFile
  let remembered = RememberedTokens()

  /// Opens a list of members and creates it (0600 in 0700) if it is missing. `:memory:` lives as long as the object.
  public init(path: String) throws(StoreError) {
    file = SQLiteFile(path: path, purpose: .kept, schema: ServerMembersDatabase.schema)
    try file.open()
  }

  /// Opens a list of members that stays as it is: `corrupt` if it is damaged.
  public init(reading path: String) throws(StoreError) {
    file = SQLiteFile(path: path, purpose: .kept, schema: ServerMembersDatabase.schema, isReadOnly: true)
    try file.open()
  }

  public var damagedFile: String? { file.setAside ?? file.lastAside }

  public func members() throws(StoreError) -> [ServerMember] {
    try file.rows("\(ServerMembersDatabase.memberRows) ORDER BY name").compactMap(member)
  }

  public func member(id: String) throws(StoreError) -> ServerMember? {
    try file.first("\(ServerMembersDatabase.memberRows) WHERE id = ?", [id]).flatMap(member)
  }

  /// Adds a member, and its first token if it has one already. Returns false, without any change, if a member of that
  /// name exists or is invited.
  public func add(_ member: ServerMember, with token: ServerToken? = nil) throws(StoreError) -> Bool {
    try file.write { database in
      try database.run(
        """
        INSERT OR IGNORE INTO members (id, name, created, reader) SELECT ?1, ?2, ?3, ?4
        WHERE NOT EXISTS (SELECT 1 FROM invited WHERE name = ?2 AND expires > ?3)
        """, [member.id, member.name, member.created, Int64(member.isReader ? 1 : 0)])
      guard database.changes == 1 else { return false }
      if let token { try ServerMembersDatabase.insert(token, in: database) }
      return true
    }
  }

  /// Sets a member's quota in bytes; nil for none. Returns false if no member has that name.
  public func setQuota(_ quota: UInt64?, ofMember name: String) throws(StoreError) -> Bool {
    try file.write { database in
      guard let id = try database.first("SELECT id FROM members WHERE name = ?", [name])?.text(0) else { return false }
      try database.run("DELETE FROM quotas WHERE member = ?", [id])
      if let quota { try database.run("INSERT INTO quotas VALUES (?, ?)", [id, Int64(clamping: quota)]) }
      return true
    }
  }

  /// A member's quota in bytes, by id; nil for none.
  public func quota(ofMember id: String) throws(StoreError) -> UInt64? {
    try file.read { database in
      try database.first("SELECT bytes FROM quotas WHERE member = ?", [id]).map { UInt64(clamping: try $0.number(0)) }
    }
  }

  /// Removes a member, whose tokens, devices, codes, shared links and drop pages end at once. Returns false if no member has that name.
  public func remove(name: String) throws(StoreError) -> Bool {
    try file.write { database in
      try database.run(
        "DELETE FROM tokens WHERE member IN (SELECT id FROM members WHERE name = ?)", [name])
      try database.run(
        "DELETE FROM invited WHERE member IN (SELECT id FROM members WHERE name = ?)", [name])
      for table in ["links", "drop_pages", "guests"] {
        try database.run("DELETE FROM \(table) WHERE member IN (SELECT id FROM members WHERE name = ?)", [name])
      }
      try database.run(
        "DELETE FROM devices WHERE member IN (SELECT id FROM members WHERE name = ?)", [name])
      try database.run(
        "DELETE FROM quotas WHERE member IN (SELECT id FROM members WHERE name = ?)", [name])
      try database.run("DELETE FROM members WHERE name = ?", [name])
      return database.changes == 1
    }
  }

  public func add(_ token: ServerToken) throws(StoreError) {
    try file.write { try ServerMembersDatabase.insert(token, in: $0) }
  }

  static func insert(_ token: ServerToken, in database: SQLConnection) throws {
    try database.run(
      "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        token.id, token.digest, token.member, token.purpose.rawValue, token.family, token.app,
        token.scopes.map { $0.sorted().joined(separator: " ") }, token.expires,
      ])
  }

  public func token(id: String) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    let mark = FileMark(of: file.path)
    let found = try read(token: id)
    if let found, let mark { remembered.remember(found, at: mark) }
    return found
  }

  private func read(token id: String) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    try file.read { database in
      let found = try database.first(
        """
        SELECT tokens.*, name, created, reader FROM tokens JOIN members ON tokens.member = members.id
        WHERE tokens.id = ?
        """, [id])
      guard let row = found, let token = ServerMembersDatabase.token(row) else { return nil }
      var reader = RowReader(row)
      let member = ServerMember(
        id: token.member, name: reader.text("name"), created: reader.number("created"),
        isReader: reader.flag("reader"))
      return reader.isDamaged ? nil : (token, member)
    }
  }

  /// nil for an unreadable row: such a token grants nothing.
  static func token(_ row: SQLRow) -> ServerToken? {
    var reader = RowReader(row)
    guard let purpose = ServerToken.Purpose(rawValue: reader.text("purpose")) else { return nil }
    let token = ServerToken(
      id: reader.text("id"), digest: reader.bytes("digest"), member: reader.text("member"), purpose: purpose,
      family: reader.text("family"), app: reader.optionalText("app"),
      scopes: reader.optionalText("scopes").map { Set($0.split(separator: " ").map(String.init)) },
      expires: reader.optionalNumber("expires"))
    return reader.isDamaged ? nil : token
  }

  public func revoke(family: String) throws(StoreError) { _ = try take(family: family) }

  /// Ends all tokens of a family. Returns false if there were none left; of several concurrent calls, one returns true.
  public func take(family: String) throws(StoreError) -> Bool {
    try file.run("DELETE FROM tokens WHERE family = ?", [family]) > 0
  }

  public func forgetTokens(endedBefore second: Int64) throws(StoreError) {
    try file.write { database in
      try database.run("DELETE FROM tokens WHERE expires < ?", [second])
      try database.run("DELETE FROM invited WHERE expires < ?", [second])
      for table in ["devices", "uses"] {
        try database.run("DELETE FROM \(table) WHERE id NOT IN (SELECT family FROM tokens)")
      }
    }
  }

  /// A secret of the server by name: 32 bytes from the system's random source, created at the first call.
  public func secret(_ name: String) throws(StoreError) -> [UInt8] {
    try file.write { database in
      let known = try database.first("SELECT value FROM secrets WHERE name = ?", [name])?.values[0].bytes
      // A damaged secret is replaced, which invalidates everything sealed with it.
      if let known, known.count == 32 { return known }
      var random = SystemRandomNumberGenerator()
      let new = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      try database.run("INSERT OR REPLACE INTO secrets VALUES (?, ?)", [name, new])
      return new
    }
  }

  /// nil for a damaged row: such a member has to be added again.
  func member(_ row: SQLRow) -> ServerMember? {
    var reader = RowReader(row)
    let member = ServerMember(
      id: reader.text("id"), name: reader.text("name"), created: reader.number("created"),
      quota: reader.optionalNumber("quota").map { UInt64(clamping: $0) },
      isReader: reader.flag("reader"))
    return reader.isDamaged ? nil : member
  }

  static let memberRows =
    "SELECT members.*, bytes AS quota FROM members LEFT JOIN quotas ON quotas.member = members.id"

  static let schema = [
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
    """
    CREATE TABLE quotas (member TEXT NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """,
    linkSchema,
    joiningSchema,
    usesSchema,
    folderLinkSchema,
    dropPageSchema,
    keptGuestsSchema,
  ]
}
