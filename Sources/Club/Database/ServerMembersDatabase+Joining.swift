public import FileStores

/// An invitation that nobody has used. Unless it is for another device of a member, its member does not exist yet, but
/// has an id, and nobody else gets the name.
public struct ServerInvitation: Sendable, Hashable {
  /// The id of the member to be.
  public let member: String
  public let name: String
  /// In seconds since 1970, like `expires`.
  public let created: Int64
  public let expires: Int64
  /// As the member is or will be.
  public let isReader: Bool
  /// True for another device of a member.
  public let isForDevice: Bool

  public init(
    member: String, name: String, created: Int64, expires: Int64, isReader: Bool, isForDevice: Bool = false
  ) {
    (self.member, self.name, self.created) = (member, name, created)
    (self.expires, self.isReader, self.isForDevice) = (expires, isReader, isForDevice)
  }
}

/// A program of a member that can use the club: it joined by a code, signed in, or was given a token.
public struct ServerDevice: Sendable, Hashable {
  /// The family of its tokens; not secret.
  public let id: String
  /// nil for one that did not join by a code.
  public let name: String?
  /// In seconds since 1970; nil for one that did not join by a code.
  public let made: Int64?
  /// In seconds since 1970, at most an hour too early; nil for one that was never used.
  public let used: Int64?
}

/// A device that shows a code.
public struct ServerJoin: Sendable {
  let code: (id: String, digest: [UInt8])
  let mark: [UInt8]
  let token: (id: String, digest: [UInt8])
  let device: String
  let now: Int64
  let repeatable: Int64
  let session: Int64?

  /// - Parameters:
  ///   - code: the row of the code, and the digest that it must have.
  ///   - mark: a digest of code and device, by which the code knows this device again.
  ///   - token: the one that the device gets.
  ///   - device: its name.
  ///   - now: in seconds since 1970.
  ///   - repeatable: the second until which the same device gets the same answer.
  ///   - session: the end of a browser's session, in seconds since 1970; nil for a device, which stays.
  public init(
    code: (id: String, digest: [UInt8]), mark: [UInt8], token: (id: String, digest: [UInt8]), device: String,
    now: Int64, repeatable: Int64, session: Int64? = nil
  ) {
    (self.code, self.mark, self.token) = (code, mark, token)
    (self.device, self.now, self.repeatable, self.session) = (device, now, repeatable, session)
  }
}

extension ServerMembersDatabase {
  /// The code of an invitation is a row of `tokens`, mostly of a member who does not exist yet. A reader is one by the
  /// member's own row, so that damage cannot take the flag and leave a member who may write.
  static let joiningSchema = """
    CREATE TABLE invited (
      member TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, expires INTEGER NOT NULL,
      reader INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE devices (
      id TEXT NOT NULL PRIMARY KEY, member TEXT NOT NULL, name TEXT NOT NULL, made INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE members ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;
    """

  static let usesSchema =
    "CREATE TABLE uses (id TEXT NOT NULL PRIMARY KEY, used INTEGER NOT NULL) STRICT, WITHOUT ROWID;"

  /// Notes the seconds at which devices came last. Those without a token are left out.
  public func note(uses: [String: Int64]) throws(StoreError) {
    try file.write { database in
      for (family, second) in uses {
        try database.run(
          "INSERT OR REPLACE INTO uses SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM tokens WHERE family = ?1)",
          [family, second])
      }
    }
  }

  /// Adds an invitation and its code; an earlier one of the same name ends. Returns false, without any change, if another
  /// member has the name.
  public func add(_ invitation: ServerInvitation, with code: ServerToken) throws(StoreError) -> Bool {
    try file.write { database in
      let other = try database.first(
        "SELECT 1 FROM members WHERE name = ? AND id <> ?", [invitation.name, invitation.member])
      guard other == nil else { return false }
      _ = try end(invitationOf: invitation.name, database)
      try database.run(
        "INSERT INTO invited VALUES (?, ?, ?, ?, ?)",
        [
          invitation.member, invitation.name, invitation.created, invitation.expires,
          Int64(invitation.isReader ? 1 : 0),
        ])
      try ServerMembersDatabase.insert(code, in: database)
      return true
    }
  }

  /// Adds a code for a member's next device; the one that the same family asked for before ends.
  public func add(deviceCode code: ServerToken) throws(StoreError) {
    try file.write { database in
      try database.run(
        "DELETE FROM tokens WHERE family = ? AND purpose = ?", [code.family, ServerToken.Purpose.deviceCode.rawValue])
      try ServerMembersDatabase.insert(code, in: database)
    }
  }

  /// The invitations that nobody has used, also those that have ended and were not forgotten yet.
  public func invitations() throws(StoreError) -> [ServerInvitation] {
    try file.rows(
      "SELECT invited.*, member IN (SELECT id FROM members) AS joined FROM invited ORDER BY name"
    ).compactMap { row in
      var reader = RowReader(row)
      let invitation = ServerInvitation(
        member: reader.text("member"), name: reader.text("name"), created: reader.number("created"),
        expires: reader.number("expires"), isReader: reader.flag("reader"), isForDevice: reader.flag("joined"))
      return reader.isDamaged ? nil : invitation
    }
  }

  /// Ends an invitation. Returns false if nobody of that name is invited.
  public func end(invitationOf name: String) throws(StoreError) -> Bool {
    try file.write { try end(invitationOf: name, $0) }
  }

  private func end(invitationOf name: String, _ database: SQLConnection) throws -> Bool {
    try database.run(
      "DELETE FROM tokens WHERE purpose = ? AND member IN (SELECT member FROM invited WHERE name = ?)",
      [ServerToken.Purpose.invitation.rawValue, name])
    try database.run("DELETE FROM invited WHERE name = ?", [name])
    return database.changes == 1
  }

  /// True if a code has this row, still good or not.
  public func holds(code id: String) throws(StoreError) -> Bool {
    try file.first("SELECT 1 FROM tokens WHERE id = ?", [id]) != nil
  }

  /// Uses up a code: its device gets a token, and of an invitation the member comes to be, if they are not there. Of
  /// several devices that show one code at the same moment, one gets in. The device that got in gets its member again
  /// until the code's row ends, and as long as its token is there.
  /// - Returns: nil for a code that is unknown, has ended, or let another device in.
  public func redeem(_ join: ServerJoin) throws(StoreError) -> ServerMember? {
    try file.write { database in
      let row = try database.first("SELECT * FROM tokens WHERE id = ? AND expires > ?", [join.code.id, join.now])
      guard let code = row.flatMap(ServerMembersDatabase.token) else { return nil }
      switch code.purpose {
      case .redeemed:
        let isThere = try database.first("SELECT 1 FROM tokens WHERE id = ?", [join.token.id]) != nil
        return code.digest == join.mark && isThere ? try member(code.member, database) : nil
      case .invitation where code.digest == join.code.digest:
        // A damaged flag makes a reader.
        try database.run(
          """
          INSERT OR IGNORE INTO members (id, name, created, reader)
          SELECT member, name, ?, reader <> 0 FROM invited WHERE member = ?
          """, [join.now, code.member])
        try database.run("DELETE FROM invited WHERE member = ?", [code.member])
      case .deviceCode where code.digest == join.code.digest: break
      case .invitation, .deviceCode, .access, .session, .refresh, .codeWord: return nil
      }
      guard let member = try member(code.member, database) else { return nil }
      try ServerMembersDatabase.insert(
        ServerToken(
          id: join.token.id, digest: join.token.digest, member: member.id,
          purpose: join.session == nil ? .access : .session, family: join.token.id, app: code.app, scopes: code.scopes,
          expires: join.session), in: database)
      try database.run(
        "INSERT INTO devices VALUES (?, ?, ?, ?)", [join.token.id, member.id, join.device, join.now])
      try database.run(
        "UPDATE tokens SET purpose = ?, digest = ?, expires = ? WHERE id = ?",
        [ServerToken.Purpose.redeemed.rawValue, join.mark, join.repeatable, code.id])
      return member
    }
  }

  private func member(_ id: String, _ database: SQLConnection) throws -> ServerMember? {
    try database.first("\(ServerMembersDatabase.memberRows) WHERE id = ?", [id]).flatMap(member)
  }

  /// The devices of a member that have a token at this second, the oldest first. Those without a code come last.
  public func devices(of member: String, at second: Int64) throws(StoreError) -> [ServerDevice] {
    try file.rows(
      """
      SELECT DISTINCT family, devices.name, made, used FROM tokens
      LEFT JOIN devices ON devices.id = family LEFT JOIN uses ON uses.id = family
      WHERE tokens.member = ? AND purpose IN ('access', 'session', 'refresh') AND (expires IS NULL OR expires > ?)
      ORDER BY made IS NULL, made, family
      """, [member, second]
    ).compactMap { row in
      var reader = RowReader(row)
      let device = ServerDevice(
        id: reader.text("family"), name: reader.optionalText("name"), made: reader.optionalNumber("made"),
        used: reader.optionalNumber("used"))
      return reader.isDamaged ? nil : device
    }
  }

  /// The last second at which a device of a member came; nil if none did.
  public func lastUse(of member: String) throws(StoreError) -> Int64? {
    try file.first(
      "SELECT MAX(used) FROM uses WHERE id IN (SELECT family FROM tokens WHERE member = ?)", [member]
    )?.values[0].number
  }

  /// Ends the access tokens of a member at this second, and the codes for devices that were asked for with them, but not
  /// `kept`, those of devices that joined by a code, and those of programs that the member signed in.
  public func end(tokensByHandOf member: String, except kept: String, at second: Int64) throws(StoreError) {
    try file.run(
      """
      UPDATE tokens SET expires = ?1 WHERE member = ?2 AND id <> ?3 AND purpose IN ('access', ?4) AND app IS NULL
      AND (expires IS NULL OR expires > ?1) AND family NOT IN (SELECT id FROM devices)
      """, [second, member, kept, ServerToken.Purpose.deviceCode.rawValue])
  }

  /// The member who has a device; nil once no token of it is left.
  public func member(withDevice family: String) throws(StoreError) -> ServerMember? {
    try file.first(
      "\(ServerMembersDatabase.memberRows) WHERE id = (SELECT member FROM tokens WHERE family = ?)", [family]
    ).flatMap(member)
  }

  /// Ends the tokens of a member's device, and the codes that it made. Returns false if the member has no such device.
  public func remove(device id: String, of member: String) throws(StoreError) -> Bool {
    try file.write { database in
      try database.run("DELETE FROM tokens WHERE family = ? AND member = ?", [id, member])
      let isRemoved = database.changes > 0
      try database.run("DELETE FROM devices WHERE id = ? AND member = ?", [id, member])
      return isRemoved
    }
  }
}
