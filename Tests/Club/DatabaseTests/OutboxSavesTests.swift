import Basics
import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct OutboxSavesTests {
  private let outbox: OutboxDatabase
  init() throws { outbox = try OutboxDatabase(path: ":memory:") }

  private func add(
    _ text: String, draft: String? = nil, base: String? = "r0", path: String = "n.md", underway: Set<Int64> = [],
    to outbox: OutboxDatabase? = nil
  ) throws -> Int64 {
    let text = Array(text.utf8)
    let save = SaveRecord(
      club: "c", path: try StorePath(path), base: base.map { Revision($0) }, baseHash: nil, draft: draft, text: text,
      created: Timestamp(seconds: 1), owner: "o")
    return try (outbox ?? self.outbox).addSave(save, text: text, underway: underway).id
  }

  private var ids: [Int64] { get throws { try outbox.saves(club: "c").map(\.id) } }

  @Test func `saves are reported in the order in which they came, with their texts`() throws {
    let ids = [try add("one"), try add("two"), try add("three")]
    #expect(try self.ids == ids)
    #expect(try outbox.text(ofSave: ids[1])?.bytes == Array("two".utf8))
    #expect(try outbox.text(ofSave: ids[1])?.isDamaged == false)
    #expect(try outbox.saves(club: "d").isEmpty)
    #expect(try outbox.save(99) == nil)
  }

  @Test func `a newer save of a draft takes the older one's place, unless that is on its way`() throws {
    let first = try add("one", draft: "d")
    let second = try add("two", draft: "d")
    #expect(try ids == [second])
    let third = try add("three", draft: "d", underway: [second])
    #expect(try ids == [second, third])
    #expect(first < second)
  }

  @Test func `saves without a draft, of other drafts and of other notes stay`() throws {
    let all = [
      try add("a"), try add("b"), try add("c", draft: "d"), try add("d", draft: "e"),
      try add("e", draft: "d", path: "o.md"), try add("f", draft: "d", base: nil),
    ]
    #expect(try ids == all)
  }

  @Test func `an acknowledged save takes its draft's older ones along, and later ones start from it`() throws {
    let older = try add("one", draft: "d")
    let done = try add("two", draft: "d", underway: [older])
    let later = try add("three", draft: "d", underway: [older, done])
    let stranger = try add("four")
    #expect(try outbox.finishSave(done, as: Revision("r1")))
    #expect(try ids == [later, stranger])
    #expect(try outbox.save(later)?.base == Revision("r1"))
    #expect(try outbox.save(later)?.baseHash == SHA256.hexadecimal(of: Array("two".utf8)))
    #expect(try outbox.save(later)?.isDamaged == false)
    #expect(try outbox.save(stranger)?.base == Revision("r0"))
    #expect(try !outbox.finishSave(later, as: nil))
  }

  @Test func `only one of two gets a save that both want`() throws {
    let id = try add("one")
    #expect(try outbox.claimSave(id, from: "o", to: "me"))
    #expect(try !outbox.claimSave(id, from: "o", to: "you"))
    #expect(try outbox.save(id)?.owner == "me")
    #expect(try outbox.text(ofSave: id)?.bytes == Array("one".utf8))
  }

  @Test func `a changed save keeps its text unless it is given another`() throws {
    let id = try add("one")
    var save = try #require(try outbox.save(id))
    save.path = try StorePath("else.md")
    #expect(try outbox.updateSave(save))
    #expect(try outbox.text(ofSave: id)?.bytes == Array("one".utf8))
    save.replaceText([9])
    #expect(try outbox.updateSave(save, text: [9]))
    #expect(try outbox.text(ofSave: id)?.bytes == [9])
    #expect(try outbox.save(id)?.path == StorePath("else.md"))
    try outbox.removeSave(id)
    #expect(try !outbox.updateSave(save))
  }

  @Test func `drafts and saves follow a note that gets another name`() throws {
    let id = try add("one")
    let other = try add("two", path: "o.md")
    try outbox.commit(
      heads: [
        DraftRecord(
          id: "d", club: "c", path: try StorePath("n.md"), title: "", base: nil, baseHash: "h", bytes: 0, touched: true,
          created: Timestamp(seconds: 1), changed: Timestamp(seconds: 1), owner: "o")
      ], edits: [])
    try outbox.moved([try StorePath("n.md"): try StorePath("m.md")], club: "c")
    #expect(try outbox.save(id)?.path == StorePath("m.md"))
    #expect(try outbox.save(other)?.path == StorePath("o.md"))
    #expect(try outbox.draft("d")?.path == StorePath("m.md"))
  }

  @Test(arguments: ["text-to-break", "path-to-break"])
  func `a damaged save is reported as damaged, and stays`(mark: String) throws {
    let folder = try TemporaryFolder()
    let id = try add(
      "text-to-break", path: "path-to-break", to: try OutboxDatabase(path: folder.file("outbox.sqlite")))
    #expect(try folder.damage("outbox.sqlite", at: mark) == 1)
    let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    let save = try #require(try outbox.saves(club: "c").first)
    let isDamaged = try #require(try outbox.text(ofSave: id)).isDamaged
    #expect(save.isDamaged == (mark == "path-to-break"))
    #expect(isDamaged == (mark == "text-to-break"))
  }

  @Test func `room is given back when a large save has gone`() throws {
    let folder = try TemporaryFolder()
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      let id = try add(String(repeating: "large ", count: 500_000), to: outbox)
      #expect(try !outbox.finishSave(id, as: nil))
    }
    #expect(try #require(folder.bytes("outbox.sqlite")).count < 200_000)
  }
}
