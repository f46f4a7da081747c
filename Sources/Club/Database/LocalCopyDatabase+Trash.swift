public import FileStores

/// The files in the trash of a copied club, as the store last listed them.
extension LocalCopyDatabase {
  static let trashSchema = """
    CREATE TABLE copied_trash (
      club TEXT NOT NULL, position INTEGER NOT NULL, account TEXT, id TEXT NOT NULL, origin BLOB NOT NULL,
      discarded INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (club, position)
    ) WITHOUT ROWID;
    """

  /// Keeps the trash of a club, in place of the earlier one.
  public func keepTrash(_ files: [TrashedFile], account: String?, club: String) throws(StoreError) {
    try write { database in
      try database.run("DELETE FROM copied_trash WHERE club = ?", [club])
      for (position, file) in files.enumerated() {
        try LocalCopyDatabase.insert(file, at: Int64(position), account, club, database)
      }
    }
  }

  /// Changes the kept trash of a club: the added file comes first. Writes no other row.
  public func changeTrash(
    adding new: TrashedFile?, removing gone: [TrashedFile.ID], account: String?, club: String
  ) throws(StoreError) {
    try write { database in
      try database.run("DELETE FROM copied_trash WHERE club = ? AND account IS NOT ?", [club, account])
      // Another process may have listed the new file.
      for id in gone + [new?.id].compactMap({ $0 }) {
        try database.run("DELETE FROM copied_trash WHERE club = ? AND id = ?", [club, id])
      }
      guard let new else { return }
      let first = try database.first("SELECT MIN(position) FROM copied_trash WHERE club = ?", [club])?.optionalNumber(0)
      try LocalCopyDatabase.insert(new, at: (first ?? 0) - 1, account, club, database)
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
    try read { database in
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
}
