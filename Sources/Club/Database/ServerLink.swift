public import FileStores

/// A shared link of a served club: the member who made it, and the file or folder that it leads to. The secret part of its
/// address is not stored.
public struct ServerLink: Sendable, Hashable {
  /// Links are listed by it; 0 until the link is added.
  public var number: Int64 = 0
  /// The part of the address that finds this row; not secret.
  public let id: String
  public let member: String
  /// The id of the file or folder in the index.
  public var file: String
  /// The index that gave the id. A new index gives new ids; `display` then finds the file.
  public var epoch: String
  /// Its path as clients see it, when the link was last used.
  public var display: String
  /// A link to a file never leads to a folder that takes the file's place.
  public let isFolder: Bool
  /// In seconds since 1970.
  public let created: Int64
  /// In seconds since 1970; nil for never.
  public var expires: Int64?
  /// The scrypt digest of the password; nil for none.
  public var password: [UInt8]?

  public init(
    id: String, member: String, file: String, epoch: String, display: String, isFolder: Bool = false, created: Int64,
    expires: Int64? = nil, password: [UInt8]? = nil
  ) {
    (self.id, self.member, self.file, self.epoch, self.display) = (id, member, file, epoch, display)
    (self.isFolder, self.created, self.expires, self.password) = (isFolder, created, expires, password)
  }

  /// A new value of one setting.
  public enum Change<Value: Sendable>: Sendable {
    case kept, removed
    case changed(Value)
  }

  /// True if it has expired at this second.
  public func hasEnded(at second: Int64) -> Bool { expires.map { $0 <= second } ?? false }
}

extension ServerMembersDatabase {
  static let linkSchema = """
    CREATE TABLE links (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, member TEXT NOT NULL, file TEXT NOT NULL,
      epoch TEXT NOT NULL, display TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, password BLOB
    ) STRICT;
    CREATE INDEX links_by_file ON links (member, file);
    """

  static let folderLinkSchema = "ALTER TABLE links ADD COLUMN is_folder INTEGER NOT NULL DEFAULT 0;"

  public enum LinkAddition: Sendable {
    case added(ServerLink)
    /// The member has this link to the file already.
    case exists(ServerLink)
    /// The member has the most links that one may have.
    case tooMany
  }

  /// Adds a link, unless the member has one to the same file that has not expired. Of several concurrent calls, one adds.
  public func add(_ link: ServerLink, atMost most: Int, at second: Int64) throws(StoreError) -> LinkAddition {
    try file.write { database in
      try database.run("DELETE FROM links WHERE member = ? AND expires <= ?", [link.member, second])
      let known = try links(of: link.member, to: link.file, epoch: link.epoch, display: link.display, database)
      if let known = known.first { return .exists(known) }
      let count = try database.first("SELECT COUNT(*) FROM links WHERE member = ?", [link.member])?.number(0) ?? 0
      guard count < most else { return .tooMany }
      try database.run(
        """
        INSERT INTO links (id, member, file, epoch, display, is_folder, created, expires, password)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          link.id, link.member, link.file, link.epoch, link.display, link.isFolder, link.created, link.expires,
          link.password,
        ])
      var added = link
      added.number = database.lastID
      return .added(added)
    }
  }

  /// A link of a current member.
  public func link(id: String) throws(StoreError) -> ServerLink? {
    try file.read { database in
      try links("id = ? AND EXISTS (SELECT 1 FROM members WHERE members.id = links.member)", [id], database).first
    }
  }

  /// A member's links after a number, oldest first.
  public func links(of member: String, after number: Int64, limit: Int) throws(StoreError) -> [ServerLink] {
    try file.read { database in
      try links("member = ? AND number > ? ORDER BY number LIMIT ?", [member, number, limit], database)
    }
  }

  /// A member's links to a file: by its id in the current index, or by its path for links that an earlier index knew.
  public func links(
    of member: String, to fileID: String, epoch: String, display: String
  ) throws(StoreError) -> [ServerLink] {
    try file.read { try links(of: member, to: fileID, epoch: epoch, display: display, $0) }
  }

  private func links(
    of member: String, to fileID: String, epoch: String, display: String, _ database: SQLConnection
  ) throws -> [ServerLink] {
    try links(
      "member = ? AND (file = ? AND epoch = ? OR epoch <> ? AND display = ?) ORDER BY number",
      [member, fileID, epoch, epoch, display], database)
  }

  /// Changes the settings of a link. A kept one stays also as a concurrent call sets it. Returns false if the link was
  /// revoked.
  public func set(
    expires: ServerLink.Change<Int64>, password: ServerLink.Change<[UInt8]>, ofLink id: String
  ) throws(StoreError) -> Bool {
    try file.write { database in
      switch expires {
      case .kept: break
      case .removed: try database.run("UPDATE links SET expires = NULL WHERE id = ?", [id])
      case .changed(let second): try database.run("UPDATE links SET expires = ? WHERE id = ?", [second, id])
      }
      switch password {
      case .kept: break
      case .removed: try database.run("UPDATE links SET password = NULL WHERE id = ?", [id])
      case .changed(let digest): try database.run("UPDATE links SET password = ? WHERE id = ?", [digest, id])
      }
      return try database.first("SELECT 1 FROM links WHERE id = ?", [id]) != nil
    }
  }

  /// Notes the place of a link's file.
  public func note(_ link: ServerLink) throws(StoreError) {
    try file.run(
      "UPDATE links SET file = ?, epoch = ?, display = ? WHERE id = ?",
      [link.file, link.epoch, link.display, link.id])
  }

  /// Ends a link. Returns false if it has ended before.
  public func revoke(link id: String) throws(StoreError) -> Bool {
    try file.run("DELETE FROM links WHERE id = ?", [id]) == 1
  }

  public func forgetLinks(endedBefore second: Int64) throws(StoreError) {
    try file.run("DELETE FROM links WHERE expires < ?", [second])
  }

  /// A damaged row opens nothing.
  private func links(
    _ condition: String, _ arguments: SQLArguments, _ database: SQLConnection
  ) throws -> [ServerLink] {
    try database.rows("SELECT * FROM links WHERE \(condition)", arguments).compactMap { row in
      var reader = RowReader(row)
      var link = ServerLink(
        id: reader.text("id"), member: reader.text("member"), file: reader.text("file"), epoch: reader.text("epoch"),
        display: reader.text("display"), isFolder: reader.flag("is_folder"), created: reader.number("created"),
        expires: reader.optionalNumber("expires"), password: reader.optionalBytes("password"))
      link.number = reader.number("number")
      return reader.isDamaged ? nil : link
    }
  }
}
