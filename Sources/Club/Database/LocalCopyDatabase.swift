public import FileStores

/// The head of the local copy of a club behind a network.
public struct CopyHead: Sendable, Hashable {
  /// The account whose view of the club this is; nil if unknown.
  public var account: String?
  /// The lists that were read to their end.
  public var lists: Set<String>
  /// The point in the store's history up to which the copy is complete; nil if the lists must be read anew.
  public var cursor: ChangeCursor?
  /// The time of the last answer of the store.
  public var refreshed: Timestamp

  public init(account: String?, lists: Set<String>, cursor: ChangeCursor?, refreshed: Timestamp) {
    (self.account, self.lists, self.cursor, self.refreshed) = (account, lists, cursor, refreshed)
  }
}

/// Local copies of clubs behind a network: their files as the stores last listed them, and the texts of notes.
///
/// Everything in it can be read again: a damaged file is deleted and built anew, also when the damage shows later. Calls
/// block: make them on a `BlockingPool`. Several processes may use one file. Errors are `quota`, `notPermitted`,
/// `corrupt` or `server`, and name the file.
public final class LocalCopyDatabase: Sendable {
  let file: SQLiteFile

  /// Opens the file at the first call that needs it, and creates it (0600 in 0700) if it is missing. `:memory:` lives
  /// as long as the object. `patience` is the longest wait for another program's lock.
  public init(openingLater path: String, patience: Duration = .seconds(1)) {
    // A full check would read all texts before the list is on the screen.
    file = SQLiteFile(
      path: path, purpose: .rebuilt, schema: [LocalCopyDatabase.schema, LocalCopyDatabase.trashSchema],
      patience: patience, isCheckedAtOpening: false)
  }

  /// Runs a call; one that finds damage builds the file anew and throws `corrupt`.
  func rebuilding<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      if error.kind == .corrupt { file.startAnew() }
      throw error
    }
  }

  func read<Value: Sendable>(_ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
    try rebuilding { () throws(StoreError) in try file.read(body) }
  }

  func write<Value: Sendable>(_ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
    try rebuilding { () throws(StoreError) in try file.write(body) }
  }

  /// False before the first copy.
  public var exists: Bool { file.exists }

  /// Gives the copy of a club to another key, in place of its own. Without a key the copy is removed.
  public func give(from club: String, to owner: String?) throws(StoreError) {
    try write { database in
      let replaced = owner ?? club
      for row in try database.rows("SELECT path FROM copied_texts WHERE club = ?", [replaced]) {
        let path = try row.checked(storedPath(try row.bytes(0)), 0)
        try LocalCopyDatabase.forgetText(of: path, replaced, database)
      }
      for table in ["copied_clubs", "copied_entries", "copied_trash"] {
        try database.run("DELETE FROM \(table) WHERE club = ?", [replaced])
      }
      guard let owner else { return }
      for table in ["copied_clubs", "copied_entries", "copied_texts", "copied_trash"] {
        try database.run("UPDATE \(table) SET club = ? WHERE club = ?", [owner, club])
      }
    }
  }

  /// Removes all copies.
  public func clear() throws(StoreError) {
    try write { database in
      for table in ["copied_clubs", "copied_entries", "copied_texts", "copied_trash"] {
        try database.run("DELETE FROM \(table)")
      }
      try database.run("INSERT INTO copied_words (copied_words) VALUES ('delete-all')")
    }
  }

  private static let schema = """
    CREATE TABLE copied_clubs (
      club TEXT NOT NULL PRIMARY KEY, account TEXT, lists TEXT NOT NULL, cursor TEXT, refreshed INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE copied_entries (
      club TEXT NOT NULL, path BLOB NOT NULL, kind INTEGER NOT NULL, size INTEGER, modified INTEGER, revision TEXT,
      hash TEXT, member TEXT, held INTEGER NOT NULL, PRIMARY KEY (club, path)
    ) WITHOUT ROWID;
    CREATE TABLE copied_texts (
      number INTEGER PRIMARY KEY, club TEXT NOT NULL, path BLOB NOT NULL, revision TEXT NOT NULL,
      bytes INTEGER NOT NULL, text BLOB NOT NULL, UNIQUE (club, path)
    );
    CREATE INDEX copied_texts_facts ON copied_texts (club, path, revision, bytes);
    CREATE VIRTUAL TABLE copied_words USING fts5(
      text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
    );
    """

  /// nil if the club has no copy.
  public func copy(of club: String) throws(StoreError) -> CopyHead? {
    try read { database in
      try database.first("SELECT account, lists, cursor, refreshed FROM copied_clubs WHERE club = ?", [club]).map {
        CopyHead(
          account: try $0.optionalText(0), lists: Set(try $0.text(1).split(separator: " ").map(String.init)),
          cursor: try $0.optionalText(2).map { ChangeCursor($0) }, refreshed: Timestamp(nanoseconds: try $0.number(3)))
      }
    }
  }

  /// The entries of a copy, in the order of their paths. The store no longer lists those at `held`, and the member has
  /// not agreed to their removal.
  public func copiedEntries(of club: String) throws(StoreError) -> (entries: [FileEntry], held: Set<StorePath>) {
    try read { database in
      var entries: [FileEntry] = []
      var held: Set<StorePath> = []
      var damage: DamagedValue?
      try database.each(
        "SELECT path, kind, size, modified, revision, hash, member, held FROM copied_entries WHERE club = ?"
          + " ORDER BY path", [club]
      ) { row in
        do throws(DamagedValue) {
          let entry = try FileEntry(copied: row)
          entries.append(entry)
          if try row.flag(7) { held.insert(entry.path) }
        } catch {
          damage = error
        }
      }
      if let damage { throw damage }
      return (entries, held)
    }
  }

  /// The entries at the top of the club, with path and kind alone, in the order of the paths: a list of names needs no
  /// more, and takes a fraction of the time. With a folder, all entries but those below it.
  public func copiedNames(of club: String, besides folder: StorePath? = nil) throws(StoreError) -> [FileEntry] {
    let condition = folder == nil ? "instr(path, x'2F') = 0" : "NOT (path > ? AND path < ?)"
    // "0" follows the slash.
    let bounds = folder.map { [$0.bytes + [UInt8(ascii: "/")], $0.bytes + [UInt8(ascii: "0")]] } ?? []
    return try read { database in
      var names: [FileEntry] = []
      var damage: DamagedValue?
      try database.each(
        "SELECT path, kind FROM copied_entries WHERE club = ? AND \(condition) ORDER BY path", [club] + bounds
      ) { row in
        do throws(DamagedValue) {
          names.append(
            FileEntry(path: try row.checked(storedPath(try row.bytes(0)), 0), kind: try FileEntry.kind(copied: row)))
        } catch {
          damage = error
        }
      }
      if let damage { throw damage }
      return names
    }
  }

  /// Writes a change of a copy: all of it, or nothing. `lost` are paths without a file; texts go with their entries.
  public func changeCopy(
    of club: String, _ head: CopyHead, present: [(entry: FileEntry, isHeld: Bool)], lost: [StorePath]
  ) throws(StoreError) {
    try write { database in
      for path in lost {
        try database.run("DELETE FROM copied_entries WHERE club = ? AND path = ?", [club, path.bytes])
        try LocalCopyDatabase.forgetText(of: path, club, database)
      }
      for (entry, isHeld) in present {
        try database.run(
          "INSERT OR REPLACE INTO copied_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          [
            club, entry.path.bytes, entry.kind.number, entry.size.map { Int64(clamping: $0) },
            entry.modified?.nanoseconds, entry.revision?.value, entry.contentHash?.hex, entry.member, isHeld,
          ])
      }
      try LocalCopyDatabase.put(head, club, database)
    }
  }

  /// Notes the cursor and the time of a refresh that changed no file.
  public func noteCopy(of club: String, _ head: CopyHead) throws(StoreError) {
    try write { try LocalCopyDatabase.put(head, club, $0) }
  }

  private static func put(_ head: CopyHead, _ club: String, _ database: SQLConnection) throws {
    try database.run(
      "INSERT OR REPLACE INTO copied_clubs VALUES (?, ?, ?, ?, ?)",
      [
        club, head.account, head.lists.sorted().joined(separator: " "), head.cursor?.value,
        head.refreshed.nanoseconds,
      ])
  }
}

extension FileEntry.Kind {
  fileprivate var number: Int {
    switch self {
    case .file: 0
    case .folder: 1
    case .other: 2
    }
  }
}

extension FileEntry {
  fileprivate static func kind(copied row: SQLRow) throws(DamagedValue) -> Kind {
    let kinds: [Kind] = [.file, .folder, .other]
    let number = Int(clamping: try row.number(1))
    return try row.checked(kinds.indices.contains(number) ? kinds[number] : nil, 1)
  }

  fileprivate init(copied row: SQLRow) throws(DamagedValue) {
    self.init(
      path: try row.checked(storedPath(try row.bytes(0)), 0),
      kind: try FileEntry.kind(copied: row),
      size: try row.optionalNumber(2).map { UInt64(clamping: $0) },
      modified: try row.optionalNumber(3).map { Timestamp(nanoseconds: $0) },
      revision: try row.optionalText(4).map { Revision($0) },
      contentHash: try row.optionalText(5).flatMap { ContentHash(hex: $0) }, member: try row.optionalText(6))
  }
}
