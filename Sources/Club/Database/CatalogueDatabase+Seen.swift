public import FileStores

extension CatalogueDatabase {
  /// `seen_texts` is of earlier versions (`seenTextsSchema`).
  static let seenSchema = """
    CREATE TABLE seen (
      club TEXT NOT NULL, path BLOB NOT NULL, revision TEXT NOT NULL, PRIMARY KEY (club, path)
    ) WITHOUT ROWID;
    CREATE TABLE seen_texts (
      number INTEGER PRIMARY KEY, club TEXT NOT NULL, path BLOB NOT NULL, revision TEXT NOT NULL, bytes INTEGER NOT NULL,
      text BLOB NOT NULL, UNIQUE (club, path)
    );
    CREATE TABLE seen_lists (club TEXT NOT NULL, list TEXT NOT NULL, PRIMARY KEY (club, list)) WITHOUT ROWID;
    """

  /// True if a whole list of this name was seen: from then on, unknown files are new.
  public func hasBaseline(of list: String, club: String) throws(StoreError) -> Bool {
    try file.first("SELECT 1 FROM seen_lists WHERE club = ? AND list = ?", [club, list]) != nil
  }

  public func setBaseline(of list: String, club: String) throws(StoreError) {
    try file.run("INSERT OR IGNORE INTO seen_lists VALUES (?, ?)", [club, list])
  }

  public func seenRevisions(of paths: [StorePath], club: String) throws(StoreError) -> [StorePath: Revision] {
    try file.read { database in
      var seen: [StorePath: Revision] = [:]
      for path in paths {
        let row = try database.first("SELECT revision FROM seen WHERE club = ? AND path = ?", [club, path.bytes])
        if let revision = row?.values[0].text { seen[path] = Revision(revision) }
      }
      return seen
    }
  }

  /// Calls `body` with the paths and revisions of all seen files of a club, which are valid during the call.
  public func eachSeen(
    _ club: String, _ body: (_ path: UnsafeRawBufferPointer, _ revision: UnsafeRawBufferPointer) -> Void
  ) throws(StoreError) {
    try file.read { try $0.eachPair("SELECT path, revision FROM seen WHERE club = ?", [club], body) }
  }

  public func see(_ files: [(path: StorePath, revision: Revision)], club: String) throws(StoreError) {
    try file.write { database in
      for file in files {
        try database.run(
          "INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", [club, file.path.bytes, file.revision.value])
      }
    }
  }

  /// Sets files back to what this member had seen before a revision; `before` is nil for a new file. A file whose seen
  /// revision is another one stays.
  public func unsee(
    _ files: [(path: StorePath, revision: Revision, before: Revision?)], club: String
  ) throws(StoreError) {
    try file.write { database in
      for file in files {
        let row = try database.first("SELECT revision FROM seen WHERE club = ? AND path = ?", [club, file.path.bytes])
        guard row?.values[0].text == file.revision.value else { continue }
        if let before = file.before {
          try database.run("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", [club, file.path.bytes, before.value])
        } else {
          try CatalogueDatabase.forget(file.path, club, database)
        }
      }
    }
  }

  public func forgetSeen(_ paths: [StorePath], club: String) throws(StoreError) {
    try file.write { database in
      for path in paths { try CatalogueDatabase.forget(path, club, database) }
    }
  }

  /// The files of moved folders count as seen as before.
  static func moveSeen(_ names: MovedNames, _ club: String, _ database: SQLConnection) throws {
    var moved: [(target: StorePath, revision: String)] = []
    for folder in names.folders.keys {
      let contents: SQLArguments = [club, folder.bytes + [UInt8(ascii: "/")], folder.endOfContents]
      for row in try database.rows(
        "SELECT path, revision FROM seen WHERE club = ? AND path > ? AND path < ?", contents)
      {
        guard let path = storedPath(try row.bytes(0)), let target = names[path] else { continue }
        moved.append((target, try row.text(1)))
      }
      try database.run("DELETE FROM seen WHERE club = ? AND path > ? AND path < ?", contents)
    }
    for file in moved {
      try database.run("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", [club, file.target.bytes, file.revision])
    }
  }

  private static func forget(_ path: StorePath, _ club: String, _ database: SQLConnection) throws {
    try database.run("DELETE FROM seen WHERE club = ? AND path = ?", [club, path.bytes])
  }
}
