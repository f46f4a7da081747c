import CSQLite
import FileStores
import Testing

@testable import Database

/// No statement reads a whole table of texts, or of rows as many as a club's files.
@Suite struct QueryPlanTests {
  /// Tables of one row, and the index of words, which is asked for words only.
  private static let small = ["past_sum", "copied_words", "CONSTANT ROW"]

  /// The steps of the plans of all statements that a connection has run, but for those of SQLite's own index of words.
  private func scans(_ file: SQLiteFile) throws -> [String] {
    try file.read { database in
      let statements = database.withHandle { handle in
        var found: [String] = []
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
          if let sql = sqlite3_sql(statement) { found.append(String(cString: sql)) }
          next = sqlite3_next_stmt(handle, statement)
        }
        return found
      }
      #expect(statements.count > 10)
      var scans: [String] = []
      for sql in statements where !sql.contains("copied_words_") && !sql.hasPrefix("PRAGMA") {
        for row in try database.rows("EXPLAIN QUERY PLAN " + sql) {
          let step = try row.text(3)
          if step.hasPrefix("SCAN"), !Self.small.contains(where: { step.hasPrefix("SCAN \($0)") }) {
            scans.append("\(step): \(sql)")
          }
        }
      }
      return scans
    }
  }

  @Test func `the catalogue scans no table`() throws {
    let catalogue = try CatalogueDatabase(path: ":memory:")
    let (path, revision) = (try StorePath("a"), Revision("1"))
    let entry = FileEntry(path: path, kind: .file, size: 1, revision: revision)
    for isOwn in [false, true] {
      try catalogue.keepPast(
        [1], hash: "h", of: entry, isOwn: isOwn, club: "c", now: Timestamp(seconds: 1), mostBytes: 0)
    }
    let other = FileEntry(path: path, kind: .file, size: 1, revision: Revision("2"))
    try catalogue.keepPast([2], hash: "g", of: other, club: "c", now: Timestamp(seconds: 1), mostBytes: 0)
    let longer = FileEntry(path: path, kind: .file, size: 2, revision: Revision("2"))
    try catalogue.keepPast([2, 3], hash: "i", of: longer, club: "c", now: Timestamp(seconds: 1))
    _ = (try catalogue.past(of: path, club: "c"), try catalogue.pastText(of: path, revision: revision, club: "c"))
    _ = try catalogue.isOwnPast(path, revision, club: "c")
    try catalogue.movePast([path: StorePath("b")], club: "c")
    try catalogue.see([(path, revision)], club: "c")
    try catalogue.unsee([(path, revision, Revision("0")), (path, Revision("0"), nil)], club: "c")
    try catalogue.setBaseline(of: "notes", club: "c")
    _ = (try catalogue.hasBaseline(of: "notes", club: "c"), try catalogue.seenRevisions(of: [path], club: "c"))
    try catalogue.eachSeen("c") { _, _ in }
    let content = ContentHash(of: [1])
    try catalogue.remember(content, of: path, revision: revision, club: "c")
    try catalogue.keep(CaptureFacts(day: nil, kind: "k"), of: content)
    _ = (try catalogue.capture(of: content), try catalogue.captures(month: 1, day: 1, years: 2000...2030))
    _ = try catalogue.files(withContents: [content], club: "c")
    _ = try catalogue.contentHash(of: path, revision: revision, club: "c")
    try catalogue.give(from: "c", to: "d")
    #expect(try scans(catalogue.file) == [])
  }

  @Test func `a local copy scans no table`() throws {
    let copy = LocalCopyDatabase(openingLater: ":memory:")
    let (path, revision) = (try StorePath("a"), Revision("1"))
    let head = CopyHead(account: nil, lists: ["notes"], cursor: nil, refreshed: Timestamp(seconds: 1))
    let entry = FileEntry(path: path, kind: .file, size: 4, revision: revision)
    try copy.changeCopy(of: "c", head, present: [(entry, false)], lost: [StorePath("b")])
    for text in ["some words", "other words"] { try copy.keepCopied([(path, revision, Array(text.utf8))], club: "c") }
    for word in ["words", "o"] { #expect(try copy.copiedPaths(withFolded: Array(word.utf8), club: "c") == [path]) }
    _ = (try copy.copiedText(of: path, club: "c"), try copy.copiedTexts(of: "c"), try copy.copiedEntries(of: "c"))
    try copy.keepTrash([], account: nil, club: "c")
    let trashed = TrashedFile(id: "t", origin: path, discarded: head.refreshed, size: 4)
    try copy.changeTrash(of: trashed.id, to: trashed, account: nil, club: "c", most: 1)
    _ = (try copy.keptTrash(account: nil, club: "c"), try copy.copy(of: "c"))
    try copy.give(from: "c", to: "d")
    #expect(try scans(copy.file) == [])
  }
}
