public import FileStores
import FoundationEssentials
import GRDB

extension OutboxDatabase {
  /// Writes a record, new or changed.
  public func putCopy(_ copy: CopyRecord) throws(StoreError) {
    try file.write { database in
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO copies (id, club, path, base, base_hash, name, saved_hash, owner, checksum)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          copy.id, copy.club, Data(copy.path.bytes), copy.base?.value, copy.baseHash, copy.name, copy.savedHash,
          copy.owner, copy.checksum,
        ])
    }
  }

  /// The copies of a club. Rows that fail their checksum are left out, and left where they are.
  public func copies(club: String) throws(StoreError) -> [CopyRecord] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT id, club, path, base, base_hash, name, saved_hash, owner, checksum FROM copies
          WHERE club = ? ORDER BY id
          """, arguments: [club]
      ).compactMap { CopyRecord($0) }
    }
  }

  /// Removes a record. One that is not there is no error.
  public func removeCopy(_ id: String) throws(StoreError) {
    try file.write { try $0.execute(sql: "DELETE FROM copies WHERE id = ?", arguments: [id]) }
  }
}
