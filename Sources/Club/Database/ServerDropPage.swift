public import FileStores

/// A page on which people without an account leave pictures for a member of a served club. The secret part of its address
/// is not stored.
public struct ServerDropPage: Sendable, Hashable {
  /// The part of the address that finds this row; not secret.
  public let id: String
  /// The member who asked for the pictures.
  public let member: ServerMember
  /// The folder that gets the pictures, as clients see it, with a leading `/`; empty for the whole club.
  public let folder: String
  /// The giver's name, fixed by the member; nil if each giver says theirs.
  public let guest: String?
  /// In seconds since 1970.
  public let created: Int64
  public let expires: Int64
  /// The most bytes of all its pictures together.
  public let mostBytes: UInt64
  /// Of the pictures that came, and of those that are being kept.
  public var bytes: UInt64 = 0
  public var pictures: Int = 0

  public init(
    id: String, member: ServerMember, folder: String, guest: String?, created: Int64, expires: Int64, mostBytes: UInt64
  ) {
    (self.id, self.member, self.folder, self.guest) = (id, member, folder, guest)
    (self.created, self.expires, self.mostBytes) = (created, expires, mostBytes)
  }

  /// Bytes that still fit.
  public var leftBytes: UInt64 { mostBytes > bytes ? mostBytes - bytes : 0 }

  /// True if it has expired at this second.
  public func hasEnded(at second: Int64) -> Bool { expires <= second }
}

extension ServerMembersDatabase {
  static let dropPageSchema = """
    CREATE TABLE drop_pages (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, member TEXT NOT NULL, folder TEXT NOT NULL, guest TEXT,
      created INTEGER NOT NULL, expires INTEGER NOT NULL, most_bytes INTEGER NOT NULL,
      bytes INTEGER NOT NULL DEFAULT 0, pictures INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX drop_pages_by_member ON drop_pages (member);
    CREATE TABLE guests (
      account TEXT NOT NULL PRIMARY KEY, member TEXT NOT NULL, name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Returns false if the member has the most pages that one may have.
  public func add(_ page: ServerDropPage, atMost most: Int, at second: Int64) throws(StoreError) -> Bool {
    try file.write { database in
      try database.run("DELETE FROM drop_pages WHERE member = ? AND expires <= ?", [page.member.id, second])
      let count =
        try database.first("SELECT COUNT(*) FROM drop_pages WHERE member = ?", [page.member.id])?.number(0) ?? 0
      guard count < most else { return false }
      try database.run(
        """
        INSERT INTO drop_pages (id, member, folder, guest, created, expires, most_bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          page.id, page.member.id, page.folder, page.guest, page.created, page.expires,
          Int64(clamping: page.mostBytes),
        ])
      return true
    }
  }

  /// A page of a current member.
  public func dropPage(id: String) throws(StoreError) -> ServerDropPage? {
    try file.read { try dropPages("drop_pages.id = ?", [id], $0).first }
  }

  /// A member's pages, oldest first.
  public func dropPages(of member: String) throws(StoreError) -> [ServerDropPage] {
    try file.read { try dropPages("drop_pages.member = ? ORDER BY number", [member], $0) }
  }

  /// Counts a picture of so many bytes. Of concurrent calls, only so many succeed as fit. Returns false if it does not fit,
  /// or if the page has ended.
  public func claim(
    _ bytes: UInt64, ofDropPage id: String, atMost pictures: Int, at second: Int64
  ) throws(StoreError) -> Bool {
    try file.run(
      """
      UPDATE drop_pages SET bytes = bytes + ?1, pictures = pictures + 1
      WHERE id = ?2 AND expires > ?3 AND pictures < ?4 AND ?1 <= most_bytes - bytes
      """, [Int64(clamping: bytes), id, second, pictures]) == 1
  }

  /// Gives back what `claim` counted for a picture that was not kept.
  public func giveBack(_ bytes: UInt64, ofDropPage id: String) throws(StoreError) {
    try file.run(
      "UPDATE drop_pages SET bytes = max(0, bytes - ?1), pictures = max(0, pictures - 1) WHERE id = ?2",
      [Int64(clamping: bytes), id])
  }

  /// Ends a page. Returns false if it has ended before.
  public func revoke(dropPage id: String) throws(StoreError) -> Bool {
    try file.run("DELETE FROM drop_pages WHERE id = ?", [id]) == 1
  }

  public func forgetDropPages(endedBefore second: Int64) throws(StoreError) {
    try file.run("DELETE FROM drop_pages WHERE expires < ?", [second])
  }

  /// A damaged row opens nothing, and a reader's page neither.
  private func dropPages(
    _ condition: String, _ arguments: SQLArguments, _ database: SQLConnection
  ) throws -> [ServerDropPage] {
    try database.rows(
      """
      SELECT drop_pages.*, name, members.created AS joined FROM drop_pages JOIN members ON member = members.id
      WHERE reader = 0 AND \(condition)
      """, arguments
    ).compactMap { row in
      var reader = RowReader(row)
      let member = ServerMember(
        id: reader.text("member"), name: reader.text("name"), created: reader.number("joined"))
      var page = ServerDropPage(
        id: reader.text("id"), member: member, folder: reader.text("folder"), guest: reader.optionalText("guest"),
        created: reader.number("created"), expires: reader.number("expires"),
        mostBytes: UInt64(clamping: reader.number("most_bytes")))
      (page.bytes, page.pictures) = (UInt64(clamping: reader.number("bytes")), reader.count("pictures"))
      return reader.isDamaged ? nil : page
    }
  }
}

extension ServerMembersDatabase {
  static let keptGuestsSchema = "ALTER TABLE guests ADD COLUMN kept INTEGER NOT NULL DEFAULT 1"

  /// Notes the account under which clients ask for the name of a member's guest.
  /// - Parameter isKept: true once a picture of the guest is in the club.
  public func note(guest author: ServerAuthor, account: String, isKept: Bool) throws(StoreError) {
    guard let guest = author.guest else { return }
    try file.run(
      """
      INSERT INTO guests (account, member, name, kept) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (account) DO UPDATE SET kept = max(kept, ?4)
      """, [account, author.id, guest, Int64(isKept ? 1 : 0)])
  }

  /// Forgets a guest of whom no picture was kept, so that names without pictures do not grow in number.
  public func forgetUnkeptGuest(account: String) throws(StoreError) {
    try file.run("DELETE FROM guests WHERE account = ? AND kept = 0", [account])
  }

  /// The guest of a current member.
  public func guest(account: String) throws(StoreError) -> ServerAuthor? {
    try file.read { database in
      let row = try database.first(
        """
        SELECT members.id AS id, members.name AS name, members.created AS created, guests.name AS guest
        FROM guests JOIN members ON member = members.id WHERE account = ?
        """, [account])
      guard let row else { return nil }
      var reader = RowReader(row)
      let member = ServerMember(id: reader.text("id"), name: reader.text("name"), created: reader.number("created"))
      let author = ServerAuthor(member, guest: reader.text("guest"))
      return reader.isDamaged ? nil : author
    }
  }
}
