internal import Basics
public import FileStores

/// The texts of a local copy, and the index that finds words in them.
///
/// The index has the trigrams of the folded text (`SearchFold`) without their places: it finds the notes that may have
/// a word, and the text itself decides.
extension LocalCopyDatabase {
  /// Keeps texts of a club, in place of the earlier ones of their paths.
  public func keepCopied(
    _ texts: [(path: StorePath, revision: Revision, text: [UInt8])], club: String
  ) throws(StoreError) {
    try write { database in
      for (path, revision, text) in texts {
        try LocalCopyDatabase.forgetText(of: path, club, database)
        try database.run(
          "INSERT INTO copied_texts (club, path, revision, bytes, text) VALUES (?, ?, ?, ?, ?)",
          [club, path.bytes, revision.value, text.count, text])
        if let words = LocalCopyDatabase.words(of: text) {
          try database.run("INSERT INTO copied_words (rowid, text) VALUES (?, ?)", [database.lastID, words])
        }
      }
    }
  }

  /// Gives kept texts other paths, with the words in their index.
  public func move(_ texts: [MovedText], club: String) throws(StoreError) {
    try write { database in
      for text in texts {
        guard
          let row = try database.first(
            "SELECT number FROM copied_texts WHERE club = ? AND path = ?", [club, text.path.bytes])
        else { continue }
        try LocalCopyDatabase.forgetText(of: text.target, club, database)
        try database.run(
          "UPDATE copied_texts SET path = ?, revision = ? WHERE number = ?",
          [text.target.bytes, text.revision.value, try row.number(0)])
      }
    }
  }

  /// The kept text of a path, of any revision; nil without one.
  public func copiedText(
    of path: StorePath, club: String
  ) throws(StoreError) -> (text: [UInt8], revision: Revision)? {
    try read { database in
      try database.first(
        "SELECT text, revision FROM copied_texts WHERE club = ? AND path = ?", [club, path.bytes]
      ).map { (try $0.bytes(0), Revision(try $0.text(1))) }
    }
  }

  /// The revisions and sizes of all kept texts of a club.
  public func copiedTexts(of club: String) throws(StoreError) -> [StorePath: (revision: Revision, bytes: Int)] {
    try read { database in
      var texts: [StorePath: (revision: Revision, bytes: Int)] = [:]
      for row in try database.rows("SELECT path, revision, bytes FROM copied_texts WHERE club = ?", [club]) {
        texts[try row.checked(storedPath(try row.bytes(0)), 0)] = (Revision(try row.text(1)), Int(try row.number(2)))
      }
      return texts
    }
  }

  /// The paths of kept texts that may have a folded word: all of them for a word of fewer than three characters.
  public func copiedPaths(withFolded word: [UInt8], club: String) throws(StoreError) -> [StorePath] {
    let scalars = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
    var parts: [String] = []
    for start in 0..<max(0, scalars.count - 2) {
      let part = scalars[start..<(start + 3)].reduce(into: "") { $0.unicodeScalars.append($1) }
      parts.append("\"" + part.replacing("\"", with: "\"\"") + "\"")
    }
    let query = parts.joined(separator: " AND ")
    return try read { database in
      let rows =
        parts.isEmpty
        ? try database.rows("SELECT path FROM copied_texts WHERE club = ?", [club])
        : try database.rows(
          """
          SELECT path FROM copied_texts WHERE number IN (SELECT rowid FROM copied_words WHERE copied_words MATCH ?)
            AND club = ?
          """, [query, club])
      return try rows.map { try $0.checked(storedPath(try $0.bytes(0)), 0) }
    }
  }

  static func forgetText(of path: StorePath, _ club: String, _ database: SQLConnection) throws {
    guard
      let row = try database.first(
        "SELECT number, text FROM copied_texts WHERE club = ? AND path = ?", [club, path.bytes])
    else { return }
    let number = try row.number(0)
    // An index without content removes an entry by its words.
    if let words = words(of: try row.bytes(1)) {
      try database.run(
        "INSERT INTO copied_words (copied_words, rowid, text) VALUES ('delete', ?, ?)", [number, words])
    }
    try database.run("DELETE FROM copied_texts WHERE number = ?", [number])
  }

  /// nil for bytes that are not text, in which nobody searches.
  private static func words(of text: [UInt8]) -> String? {
    TextFinder.isText(text) ? String(decoding: SearchFold.folded(text[...]), as: UTF8.self) : nil
  }
}
