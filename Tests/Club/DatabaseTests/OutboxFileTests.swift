import Basics
import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct OutboxFileTests {
  private func head(_ id: String, club: String = "c", title: String = "t") -> DraftRecord {
    DraftRecord(
      id: id, club: club, path: nil, title: title, base: nil, baseHash: "h", bytes: 0, touched: true,
      created: Timestamp(seconds: 1), changed: Timestamp(seconds: 1), owner: "o")
  }

  @Test func `the file and its companions are the member's own, in a directory of their own`() throws {
    let folder = try TemporaryFolder()
    let outbox = try OutboxDatabase(path: folder.file("data/deep/outbox.sqlite"))
    try outbox.commit(heads: [head("a")], edits: [])
    #expect(folder.mode("data") == 0o700)
    #expect(folder.mode("data/deep") == 0o700)
    for name in folder.names(in: "data/deep") { #expect(folder.mode("data/deep/\(name)") == 0o600, "\(name)") }
    #expect(folder.names(in: "data/deep").contains("outbox.sqlite"))
  }

  @Test func `what was committed is there after the process lost everything else`() throws {
    let folder = try TemporaryFolder()
    // No closing, no checkpoint: a copy of the files as they are while the outbox is open is what a crash leaves.
    let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    try outbox.commit(heads: [head("a", title: "kept")], edits: [DraftEditRow(draft: "a", number: 1, body: [7])])
    for name in folder.names() where !name.hasSuffix("-shm") {
      try folder.write("crashed" + name, try #require(folder.bytes(name)))
    }
    let again = try OutboxDatabase(path: folder.file("crashedoutbox.sqlite"))
    #expect(try again.draft("a")?.title == "kept")
    #expect(try again.edits(of: "a").map(\.body) == [[7]])
    #expect(again.setAside == nil)
    #expect(try outbox.draft("a") != nil)
  }

  @Test func `opening a file that is there writes nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    try OutboxDatabase(path: path).commit(heads: [head("a")], edits: [])
    let before = folder.bytes("outbox.sqlite")
    #expect(try OutboxDatabase(path: path).draft("a") != nil)
    #expect(folder.bytes("outbox.sqlite") == before)
    #expect(try SQLConnection(path: path, patience: .zero).first("PRAGMA auto_vacuum")?.number(0) == 1)
  }

  @Test func `a file that is no database is put aside whole, and reported`() throws {
    let folder = try TemporaryFolder()
    let junk = Array(repeating: UInt8(ascii: "?"), count: 10_000)
    for number in 1...2 {
      try folder.write("outbox.sqlite", junk)
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      try outbox.commit(heads: [head("a")], edits: [])
      let aside = number == 1 ? "outbox.sqlite.damaged" : "outbox.sqlite.damaged-2"
      #expect(outbox.setAside == folder.file(aside))
      #expect(folder.bytes(aside) == junk)
    }
  }

  @Test(arguments: 0..<5)
  func `a damaged file is put aside once, however many processes find it`(_: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write("outbox.sqlite", Array(repeating: UInt8(ascii: "?"), count: 10_000))
    let pool = BlockingPool(threads: 6)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          await pool.run {
            do throws(StoreError) {
              let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"), patience: .seconds(600))
              try outbox.commit(heads: [self.head("\(number)")], edits: [])
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(folder.names().filter { $0.contains("damaged") && !$0.contains("-") } == ["outbox.sqlite.damaged"])
    #expect(!folder.names().contains("outbox.sqlite.damaged-2"))
    #expect(try OutboxDatabase(path: folder.file("outbox.sqlite")).drafts(club: "c").count == 6)
  }

  @Test func `of a file with a broken page, what can be read is taken over`() throws {
    let folder = try TemporaryFolder()
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      let heads = (0..<400).map { head("draft \($0)", title: String(repeating: "title", count: 20)) }
      try outbox.commit(heads: heads, edits: [])
      let save = SaveRecord(
        club: "c", path: try StorePath("n.md"), base: nil, baseHash: nil, draft: nil, text: [1, 2],
        created: Timestamp(seconds: 1), owner: "o")
      _ = try outbox.addSave(save, text: [1, 2])
    }
    var bytes = try #require(folder.bytes("outbox.sqlite"))
    let page = 4096
    // A page of the drafts' tree: one that holds a title.
    let mark = Array("titletitle".utf8)
    let leaf = try #require(
      (0..<(bytes.count / page)).last { number in
        let start = number * page
        return (start..<(start + page - mark.count)).contains { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
      })
    for index in (leaf * page)..<(leaf * page + 64) { bytes[index] = 0xEE }
    try folder.write("outbox.sqlite", bytes)
    let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    #expect(outbox.setAside != nil)
    #expect(try outbox.saves(club: "c").count == 1)
    let rescued = try outbox.drafts(club: "c")
    #expect(!rescued.isEmpty && rescued.count < 400)
    #expect(rescued.allSatisfy { !$0.isDamaged })
  }

  @Test func `a flipped bit anywhere is noticed, survived, and deletes no file`() throws {
    let folder = try TemporaryFolder()
    let body = Array("what was typed".utf8)
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      try outbox.commit(
        heads: [head("one", title: "title")], edits: (1...3).map { DraftEditRow(draft: "one", number: $0, body: body) })
    }
    let sound = try #require(folder.bytes("outbox.sqlite"))
    var noticed = 0
    for index in stride(from: 0, to: sound.count, by: 211) {
      let name = "flip\(index)"
      var bytes = sound
      bytes[index] ^= 0x10
      try folder.write(name, bytes)
      do throws(StoreError) {
        let outbox = try OutboxDatabase(path: folder.file(name))
        let drafts = try outbox.drafts(club: "c")
        for draft in drafts where !draft.isDamaged { #expect(draft.title == "title") }
        // Nothing that was not typed ever comes out.
        for edit in try outbox.edits(of: "one") { #expect(edit.body == body) }
        if outbox.setAside != nil || drafts.contains(where: \.isDamaged) { noticed += 1 }
      } catch {
        noticed += 1
        #expect(error.message.contains(name))
        #expect(!error.remedy.isEmpty)
      }
      #expect(folder.names().contains { $0 == name || $0.hasPrefix("\(name).damaged") })
    }
    #expect(noticed > 0)
  }

  @Test(arguments: 0..<5) func `two processes that start at once both get the outbox, and neither loses a row`(_: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    let pool = BlockingPool(threads: 8)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          await pool.run {
            do throws(StoreError) {
              let outbox = try OutboxDatabase(path: path, patience: .seconds(600))
              for edit in 0..<5 { try outbox.commit(heads: [self.head("\(number) \(edit)")], edits: []) }
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(try OutboxDatabase(path: path).drafts(club: "c").count == 40)
  }

  @Test(arguments: [
    (13, StoreError.Kind.quota), (8, .notPermitted), (14, .notPermitted), (11, .corrupt), (26, .corrupt),
    (5, .server), (18, .tooLarge), (10, .server), (1, .server),
  ])
  func `each failure of SQLite is reported with the file and what to do`(code: Int, kind: StoreError.Kind) {
    let error = SQLiteFile.failure(SQLFailure(code: Int32(code), reason: "reason"), "/data/outbox.sqlite")
    #expect(error.kind == kind)
    #expect(error.message.contains("/data/outbox.sqlite"))
    #expect(!error.remedy.isEmpty)
  }

  @Test func `a place where no file can be is reported with its path`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", [1])
    let error = #expect(throws: StoreError.self) { try OutboxDatabase(path: folder.file("file/outbox.sqlite")) }
    #expect(error?.message.contains(folder.file("file")) == true)
    #expect(error?.remedy.isEmpty == false)
  }
}
