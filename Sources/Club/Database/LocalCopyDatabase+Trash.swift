public import FileStores

/// The files in the trash of a copied club, as the store last listed them.
extension LocalCopyDatabase {
  static let trashSchema = """
    CREATE TABLE copied_trash (
      club TEXT NOT NULL, position INTEGER NOT NULL, account TEXT, id TEXT NOT NULL, origin BLOB NOT NULL,
      discarded INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (club, position)
    ) WITHOUT ROWID;
    """

  /// Keeps the trash of a club, in place of the earlier one. Writes nothing if the file has it already.
  public func keepTrash(_ files: [TrashedFile], account: String?, club: String) throws(StoreError) {
    try write { database in
      guard try LocalCopyDatabase.trash(account, club, database) != files else { return }
      try database.run("DELETE FROM copied_trash WHERE club = ?", [club])
      for (position, file) in files.enumerated() {
        try LocalCopyDatabase.insert(file, at: Int64(position), account, club, database)
      }
    }
  }

  /// Changes one file of the kept trash: from now on it is `new`, in front, or gone. Other rows stay as they are, but for
  /// those of another account and the oldest of more than `most`: several processes may have added some.
  public func changeTrash(
    of id: TrashedFile.ID, to new: TrashedFile?, account: String?, club: String, most: Int
  ) throws(StoreError) {
    try write { database in
      try database.run(
        "DELETE FROM copied_trash WHERE club = ? AND (id = ? OR account IS NOT ?)", [club, id, account])
      guard let new else { return }
      let first = try database.first("SELECT MIN(position) FROM copied_trash WHERE club = ?", [club])?.optionalNumber(0)
      try LocalCopyDatabase.insert(new, at: (first ?? 0) - 1, account, club, database)
      try database.run(
        """
        DELETE FROM copied_trash WHERE club = ? AND position >=
          (SELECT position FROM copied_trash WHERE club = ? ORDER BY position LIMIT 1 OFFSET ?)
        """, [club, club, most])
    }
  }

  private static func insert(
    _ file: TrashedFile, at position: Int64, _ account: String?, _ club: String, _ database: SQLConnection
  ) throws {
    try database.run(
      "INSERT INTO copied_trash VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        club, position, account, file.id, file.origin.bytes, file.discarded.nanoseconds, Int64(clamping: file.size),
      ])
  }

  /// The kept trash of a club, in the order of `keepTrash`; empty if it is another account's.
  public func keptTrash(account: String?, club: String) throws(StoreError) -> [TrashedFile] {
    try read { try LocalCopyDatabase.trash(account, club, $0) }
  }

  private static func trash(
    _ account: String?, _ club: String, _ database: SQLConnection
  ) throws -> [TrashedFile] {
    try database.rows(
      "SELECT id, origin, discarded, size FROM copied_trash WHERE club = ? AND account IS ? ORDER BY position",
      [club, account]
    ).map { row in
      TrashedFile(
        id: try row.text(0), origin: try row.checked(storedPath(try row.bytes(1)), 1),
        discarded: Timestamp(nanoseconds: try row.number(2)), size: UInt64(clamping: try row.number(3)))
    }
  }
}
