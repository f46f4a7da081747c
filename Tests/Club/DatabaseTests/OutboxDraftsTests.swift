import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct OutboxDraftsTests {
  private let outbox: OutboxDatabase
  init() throws { outbox = try OutboxDatabase(path: ":memory:") }

  private func head(_ id: String, club: String = "c", owner: String = "o", changed: Int64 = 1) throws -> DraftRecord {
    DraftRecord(
      id: id, club: club, path: try StorePath(Array("n\u{301}.md".utf8) + [0xFF]), title: "t", base: Revision("r"),
      baseHash: "h", edits: 0, bytes: 5, touched: true, created: Timestamp(seconds: 1),
      changed: Timestamp(seconds: changed), owner: owner)
  }

  @Test func `a head comes back as it was written, whatever bytes its path has`() throws {
    let head = try head("a")
    try outbox.commit(heads: [head], edits: [])
    #expect(try outbox.draft("a") == head)
    #expect(try outbox.draft("b") == nil)
  }

  @Test func `drafts of other clubs are not reported, and the newest comes first`() throws {
    let old = try head("old", changed: 1)
    let new = try head("new", changed: 2)
    try outbox.commit(heads: [old, new, try head("other", club: "d")], edits: [])
    #expect(try outbox.drafts(club: "c").map(\.id) == ["new", "old"])
  }

  @Test func `a log ends at a missing row`() throws {
    let rows = [1, 2, 4].map { DraftEditRow(draft: "a", number: $0, body: [UInt8($0)]) }
    try outbox.commit(heads: [try head("a")], edits: rows)
    #expect(try outbox.edits(of: "a").map(\.number) == [1, 2])
  }

  @Test(arguments: ["edit-two", "edit-one"])
  func `a log ends at a damaged row`(mark: String) throws {
    let folder = try TemporaryFolder()
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      let rows = ["edit-one", "edit-two", "edit-three"].enumerated().map {
        DraftEditRow(draft: "a", number: $0 + 1, body: Array($1.utf8))
      }
      try outbox.commit(heads: [try head("a")], edits: rows)
    }
    #expect(try folder.damage("outbox.sqlite", at: mark) == 1)
    let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    #expect(outbox.setAside == nil)
    #expect(try outbox.edits(of: "a").count == (mark == "edit-one" ? 0 : 1))
    #expect(try outbox.draft("a")?.isDamaged == false)
  }

  @Test func `a damaged head is reported without the path and base that nobody can trust`() throws {
    let folder = try TemporaryFolder()
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      var head = try head("a")
      head.title = "a-title-to-break"
      try outbox.commit(heads: [head], edits: [])
    }
    #expect(try folder.damage("outbox.sqlite", at: "a-title-to-break") == 1)
    let found = try #require(try OutboxDatabase(path: folder.file("outbox.sqlite")).drafts(club: "c").first)
    #expect(found.isDamaged)
    #expect(found.path == nil && found.base == nil)
  }

  @Test func `a check that throws undoes the whole commit`() throws {
    let stop = StoreError(.server, "Stop.")
    #expect(throws: stop) {
      try outbox.commit(heads: [try head("a")], edits: []) { () throws(StoreError) in throw stop }
    }
    #expect(try outbox.draft("a") == nil)
  }

  @Test func `only one of two gets a draft that both want, and its log is cut`() throws {
    try outbox.commit(
      heads: [try head("a", owner: "dead")], edits: (1...3).map { DraftEditRow(draft: "a", number: $0, body: []) })
    var mine = try head("a", owner: "me")
    mine.edits = 2
    #expect(try outbox.adopt(mine, from: "dead"))
    #expect(try !outbox.adopt(try head("a", owner: "you"), from: "dead"))
    #expect(try outbox.draft("a")?.owner == "me")
    #expect(try outbox.edits(of: "a").count == 2)
  }

  @Test func `a draft goes with its log`() throws {
    try outbox.commit(heads: [try head("a")], edits: [DraftEditRow(draft: "a", number: 1, body: [1])])
    try outbox.removeDraft("a")
    try outbox.removeDraft("a")
    #expect(try outbox.draft("a") == nil)
    #expect(try outbox.edits(of: "a").isEmpty)
  }

  @Test func `the sweep knows the base texts of every club`() throws {
    try outbox.commit(heads: [try head("a"), try head("b", club: "d")], edits: [])
    var seen: Set<String> = []
    try outbox.sweepBases { seen = $0 }
    #expect(seen == ["h"])
  }
}
