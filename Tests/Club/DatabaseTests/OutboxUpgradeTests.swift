import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct OutboxUpgradeTests {
  @Test func `rows of an outbox without ancestors and dropped drafts are as they were`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    let text = Array("typed".utf8)
    let save = SaveRecord(
      club: "c", path: try StorePath("n.md"), base: Revision("r0"), baseHash: "h", draft: "d", text: text,
      created: Timestamp(seconds: 1), owner: "o")
    let head = DraftRecord(
      id: "d", club: "c", path: try StorePath("n.md"), title: "n", base: Revision("r0"), baseHash: "h", bytes: 5,
      touched: true, created: Timestamp(seconds: 1), changed: Timestamp(seconds: 2), owner: "o")
    do {
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(OutboxDatabase.schema.prefix(2)))
      try old.write { database in
        try database.run(
          """
          INSERT INTO saves (club, path, base, base_hash, draft, bytes, text_hash, created, owner, checksum, text)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [
            save.club, save.path.bytes, "r0", "h", "d", save.bytes, save.textHash, save.created.nanoseconds,
            save.owner, save.checksum, text,
          ])
        try database.run(
          """
          INSERT INTO drafts (id, club, path, title, base, base_hash, edits, bytes, touched, created, changed, owner,
            checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [
            head.id, head.club, save.path.bytes, head.title, "r0", "h", 0, 5, true, head.created.nanoseconds,
            head.changed.nanoseconds, head.owner, head.checksum,
          ])
      }
    }
    let outbox = try OutboxDatabase(path: path)
    #expect(outbox.setAside == nil)
    let kept = try #require(try outbox.saves(club: "c").first)
    #expect(!kept.isDamaged && !kept.isConflict && kept.ancestors.isEmpty)
    #expect(try outbox.drafts(club: "c") == [head])
    // What is written from now on has them.
    let next = SaveRecord(
      club: "c", path: save.path, base: save.base, baseHash: save.textHash, draft: "e", text: [1],
      created: Timestamp(seconds: 3), owner: "o")
    let added = try outbox.addSave(next, text: [1])
    #expect(added.replaced.map(\.id) == [kept.id])
    let newer = try #require(try outbox.save(added.id))
    #expect(!newer.isDamaged && newer.baseHash == "h" && newer.knows(save.textHash))
  }

  @Test func `the move of a folder in an outbox without sights is as it was, without one`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    let change = ChangeRecord(
      club: "c", kind: .moveFolder, path: try StorePath("a"), target: try StorePath("b"), base: Revision("r"),
      baseHash: "h", size: 3, created: Timestamp(seconds: 1))
    do {
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(OutboxDatabase.schema.dropLast()))
      try old.write { database in
        try database.run(
          """
          INSERT INTO changes (club, kind, path, target, trashed, base, base_hash, size, created, tried, checksum)
          VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, 0, ?)
          """,
          [
            "c", "moveFolder", change.path.bytes, change.target?.bytes, "r", "h", 3, change.created.nanoseconds,
            change.checksum,
          ])
      }
    }
    let outbox = try OutboxDatabase(path: path)
    #expect(outbox.setAside == nil)
    #expect(try outbox.changes(club: "c") == [change.numbered(1)])
    #expect(try outbox.markTried(change.numbered(1)) == change.numbered(1))
  }

  @Test(arguments: ["x'ff'", "7"])
  func `a row whose new columns hold anything else is reported as damaged`(value: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    let outbox = try OutboxDatabase(path: path)
    let save = SaveRecord(
      club: "c", path: try StorePath("n.md"), base: nil, baseHash: nil, draft: nil, text: [1],
      created: Timestamp(seconds: 1), owner: "o")
    _ = try outbox.addSave(save, text: [1])
    try outbox.file.write { database in
      try database.run("UPDATE saves SET ancestors = \(value), conflict = x'00'")
    }
    let read = try #require(try outbox.saves(club: "c").first)
    #expect(read.isDamaged && !read.isConflict)
  }
}
