import Basics
import Database
import Backends
import FileStores
import Foundation
import TestKit
import Testing

@testable import ClubServices

@Suite struct DraftJournalTests {
  private let world: NotesWorld
  init() throws { world = try NotesWorld() }

  private func typed(_ text: String, at offset: Int) -> [DraftEdit] {
    [DraftEdit(offset: offset, removed: 0, inserted: bytes(text))]
  }

  @Test func `what was typed is offered to the next process, to the last letter`() async throws {
    let path = try StorePath("a.md")
    var journal: DraftJournal? = try world.journal()
    let id = try #require(journal).begin(path, title: "", base: Revision("r"), text: bytes("Hello"))
    for (index, letter) in " world".enumerated() { journal?.record(typed(String(letter), at: 5 + index), in: id) }
    await journal?.flush()
    // No closing, no discarding: as a crash leaves it.
    await NotesWorld.end(&journal)
    let next = try world.journal(outbox: try OutboxDatabase(path: world.outbox.path))
    let drafts = try await next.orphans()
    #expect(drafts.map(\.id) == [id])
    #expect(drafts.first?.path == path && drafts.first?.base == Revision("r") && drafts.first?.title == "a.md")
    #expect(drafts.first?.bytes == 11)
    #expect(try await next.text(of: id) == bytes("Hello world"))
    #expect(world.told.isEmpty)
  }

  @Test func `a draft of a live process is not offered to another, and cannot be taken or thrown away there`()
    async throws
  {
    let one = try world.journal()
    let two = try world.journal()
    let id = one.begin(nil, title: "new", base: nil, text: [])
    one.record(typed("x", at: 0), in: id)
    await one.flush()
    #expect(try await two.orphans().isEmpty)
    #expect(try await one.orphans().isEmpty)
    #expect(try await two.all().map(\.id) == [id])
    #expect(await kind { try await two.adopt(id) } == .conflict)
    #expect(await kind { try await two.discard(id) } == .conflict)
    #expect(try await two.text(of: id) == bytes("x"))
  }

  @Test func `a journal that lets go leaves its drafts to the next one of the same process`() async throws {
    let (one, two) = (try world.journal(), try world.journal())
    let id = one.begin(nil, title: "new", base: nil, text: [])
    one.record(typed("x", at: 0), in: id)
    await one.flush()
    one.letGo()
    #expect(try await two.orphans().map(\.id) == [id])
    try await two.adopt(id)
    one.record(typed("y", at: 1), in: id)
    await one.flush()
    #expect(try await two.text(of: id) == bytes("x"))
  }

  @Test func `an adopted draft goes on where it was, and only one process gets it`() async throws {
    var one: DraftJournal? = try world.journal()
    let id = try #require(one).begin(nil, title: "new", base: nil, text: bytes("ab"))
    one?.record(typed("c", at: 2), in: id)
    await one?.flush()
    await NotesWorld.end(&one)
    let two = try world.journal()
    let three = try world.journal()
    try await two.adopt(id)
    try await two.adopt(id)
    #expect(await kind { try await three.adopt(id) } == .conflict)
    two.record(typed("d", at: 3), in: id)
    #expect(try await two.text(of: id) == bytes("abcd"))
  }

  @Test func `a draft in which nothing was typed is not offered, and leaves nothing behind`() async throws {
    var one: DraftJournal? = try world.journal()
    let id = try #require(one).begin(try StorePath("a.md"), title: "", base: Revision("r"), text: bytes("note"))
    await one?.flush()
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.bases).count == 2)
    await NotesWorld.end(&one)
    let two = try world.journal()
    #expect(try await two.orphans().isEmpty)
    #expect(try world.outbox.draft(id) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.bases).isEmpty)
  }

  @Test func `the name of a new note is typed text, too`() async throws {
    var one: DraftJournal? = try world.journal()
    let id = try #require(one).begin(nil, title: "", base: nil, text: [])
    one?.retitle(id, "chal")
    one?.retitle(id, "challenge")
    await one?.flush()
    await NotesWorld.end(&one)
    #expect(try await world.journal().orphans().map(\.title) == ["challenge"])
  }

  @Test func `a discarded draft is gone, with its base, and what is typed into it later goes nowhere`() async throws {
    let journal = try world.journal()
    let id = journal.begin(nil, title: "", base: nil, text: bytes("text"))
    let other = journal.begin(nil, title: "", base: nil, text: bytes("other"))
    try await journal.discard(id)
    journal.record(typed("x", at: 0), in: id)
    await journal.flush()
    try await journal.discard(id)
    #expect(try await journal.all().map(\.id) == [other])
    #expect(await kind { _ = try await journal.text(of: id) } == .notFound)
    let files = try FileManager.default.contentsOfDirectory(atPath: world.bases)
    #expect(files.filter { $0.utf8.count == 64 } == [SHA256.hexadecimal(of: bytes("other"))])
  }

  @Test func `drafts of another club are not reported`() async throws {
    let one = try world.journal(place: "~/Other")
    let id = one.begin(nil, title: "", base: nil, text: bytes("text"))
    await one.flush()
    #expect(try await world.journal().all().isEmpty)
    #expect(try await one.all().map(\.id) == [id])
  }

  @Test func `an edit costs one small row, however long the note is, and the base is written once`() async throws {
    let journal = try world.journal()
    let text = Array(repeating: UInt8(ascii: "x"), count: 4_000_000)
    let one = journal.begin(try StorePath("a.md"), title: "", base: Revision("r"), text: text)
    let two = journal.begin(try StorePath("b.md"), title: "", base: Revision("r"), text: text)
    for number in 0..<5000 {
      journal.record([DraftEdit(offset: 2_000_000 + number, removed: 0, inserted: [65])], in: one)
    }
    journal.record(typed("y", at: 0), in: two)
    await journal.flush()
    let rows = try world.outbox.edits(of: one)
    #expect(rows.count == 5000)
    #expect(rows.allSatisfy { $0.body.count <= 8 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.bases).filter { $0.utf8.count == 64 }.count == 1)
    let size = try #require(FileManager.default.attributesOfItem(atPath: world.outbox.path)[.size] as? Int)
    #expect(size < 5000 * 100 + 100_000)
    let recovered = try await journal.text(of: one)
    #expect(recovered.count == 4_005_000)
    #expect(recovered[1_999_998..<2_005_002] == ([120, 120] + Array(repeating: 65, count: 5000) + [120, 120])[...])
  }

  @Test func `many threads' edits of many drafts all arrive, in each draft's order`() async throws {
    let journal = try world.journal()
    await withTaskGroup(of: Void.self) { group in
      for draft in 0..<8 {
        group.addTask {
          let id = journal.begin(nil, title: "\(draft)", base: nil, text: [])
          for number in 0..<200 {
            journal.record([DraftEdit(offset: number, removed: 0, inserted: [UInt8(number)])], in: id)
          }
        }
      }
    }
    let drafts = try await journal.all()
    #expect(drafts.count == 8)
    for draft in drafts { #expect(try await journal.text(of: draft.id) == (0..<200).map { UInt8($0) }) }
  }

  @Test func `a log with a damaged row gives the text up to there, and goes on from there`() async throws {
    let path = "\(world.folder)/damaged.sqlite"
    do {
      var journal: DraftJournal? = try world.journal(outbox: try OutboxDatabase(path: path))
      let id = try #require(journal).begin(nil, title: "t", base: nil, text: bytes("base."))
      for (index, word) in ["first.", "second.", "third."].enumerated() {
        journal?.record(typed(word, at: [5, 11, 18][index]), in: id)
      }
      await journal?.flush()
      await NotesWorld.end(&journal)
    }
    try await damage(path, at: "second.")
    let journal = try world.journal(outbox: try OutboxDatabase(path: path))
    let draft = try #require(try await journal.orphans().first)
    #expect(try await journal.text(of: draft.id) == bytes("base.first."))
    try await journal.adopt(draft.id)
    journal.record(typed("more.", at: 11), in: draft.id)
    #expect(try await journal.text(of: draft.id) == bytes("base.first.more."))
    #expect(try await journal.all().first?.bytes == 16)
  }

  @Test(.timeLimit(.minutes(5)))
  func `the base of a draft is a file before a row names it, and is written again if another process removes it`()
    async throws
  {
    let journal = try world.journal()
    let file = "\(world.bases)/\(bytes("base").hashed)"
    var id = ""
    // No row can be written meanwhile.
    try OutboxDatabase(path: world.outbox.path).sweepBases { _ in
      id = journal.begin(nil, title: "t", base: nil, text: bytes("base"))
      while !FileManager.default.fileExists(atPath: file), !Task.isCancelled { sched_yield() }
      #expect(unlink(file) == 0, "the row would come first")
    }
    await journal.flush()
    #expect(try await journal.text(of: id) == bytes("base"))
    #expect(world.told.isEmpty)
  }

  /// Two processes with one outbox; few texts, so that many rows need the same one.
  @Test(arguments: [1, 2] as [UInt64])
  func `after any changes, each base that a draft, a save or a copy needs is kept, and no other`(
    seed: UInt64
  ) async throws {
    var numbers = SeededNumbers(seed)
    let (journals, outbox, path) = ([try world.journal(), try world.journal()], world.outbox, try StorePath("a.md"))
    var drafts: [Draft.ID: (text: String, at: Int, base: String)] = [:]
    var saves: [Int64: String] = [:]
    var copies: [String: String] = [:]
    for step in 0..<150 {
      let (at, base) = (numbers.below(2), ["one", "two", "three", "four"][numbers.below(4)])
      switch numbers.below(10) {
      case 0...2:
        let id = journals[at].begin(path, title: "", base: Revision("r"), text: bytes(base))
        journals[at].record(typed("\(step) ", at: 0), in: id)
        drafts[id] = ("\(step) " + base, at, base)
      case 3:
        await journals[at].flush()
        try journals[at].keep(bytes("\(step)"), for: path, over: (Revision("r"), bytes(base)), club: "~/Club")
        for draft in try await journals[at].all() where drafts[draft.id] == nil && draft.bytes == "\(step)".count {
          if try await journals[at].text(of: draft.id) == bytes("\(step)") { drafts[draft.id] = ("\(step)", at, base) }
        }
      case 4...5:
        guard let (id, draft) = drafts.randomElement(using: &numbers) else { continue }
        drafts[id] = nil
        try await journals[draft.at].discard(id)
      case 6:
        let save = SaveRecord(
          club: "~/Club", path: try StorePath("\(step).md"), base: Revision("r"), baseHash: bytes(base).hashed,
          draft: nil, text: bytes("\(step)"), created: Timestamp(seconds: 1), owner: "o")
        guard drafts.values.contains(where: { $0.base == base }) else { continue }
        for journal in journals { await journal.flush() }
        saves[try outbox.addSave(save, text: bytes("\(step)")).id] = base
      case 7:
        let copy = CopyRecord(
          id: "\(step)", club: "~/Club", path: path, base: Revision("r"), baseHash: bytes(base).hashed, name: "a.md",
          savedHash: "", owner: "o")
        try outbox.putCopy(copy) { () throws(StoreError) in
          try journals[at].keepBase(bytes(base), as: bytes(base).hashed)
        }
        copies[copy.id] = base
      case 8:
        if let id = saves.keys.randomElement(using: &numbers) {
          try outbox.removeSave(id)
          saves[id] = nil
        }
      default:
        if let id = copies.keys.randomElement(using: &numbers) {
          try outbox.removeCopy(id)
          copies[id] = nil
        }
      }
      for journal in journals { await journal.flush() }
      try journals[at].sweep()
      for (id, draft) in drafts { #expect(try await journals[at].text(of: id) == bytes(draft.text)) }
      let needed = Set(drafts.values.map(\.base) + saves.values + copies.values)
      for base in needed { #expect(try journals[at].baseText(bytes(base).hashed) == bytes(base)) }
      let there = try FileManager.default.contentsOfDirectory(atPath: world.bases).filter { $0.count == 64 }
      #expect(Set(there) == Set(needed.map { bytes($0).hashed }))
    }
    #expect(world.told.isEmpty)
  }

  @Test func `a damaged base is reported, and its draft stays`() async throws {
    let journal = try world.journal()
    let id = journal.begin(nil, title: "t", base: nil, text: bytes("base"))
    await journal.flush()
    try Data("bass".utf8).write(
      to: URL(filePath: "\(world.bases)/\(SHA256.hexadecimal(of: bytes("base")))"))
    #expect(await kind { _ = try await journal.text(of: id) } == .corrupt)
    #expect(try await journal.all().count == 1)
  }

  @Test func `what cannot be written is reported once, kept, and written when it can be`() async throws {
    try Data("a file where the directory should be".utf8).write(to: URL(filePath: world.bases))
    let journal = try world.journal()
    let id = journal.begin(nil, title: "", base: nil, text: bytes("base "))
    for index in 0..<3 {
      journal.record(typed("x", at: 5 + index), in: id)
      await journal.flush()
    }
    #expect(world.told.count == 1)
    #expect(world.told.first?.message.contains(world.bases) == true)
    try FileManager.default.removeItem(atPath: world.bases)
    journal.record(typed("!", at: 8), in: id)
    await journal.flush()
    #expect(try await journal.text(of: id) == bytes("base xxx!"))
    #expect(world.told.count == 1)
  }

  private func damage(_ path: String, at mark: String) async throws {
    await closed(path)
    var data = try Data(contentsOf: URL(filePath: path))
    let range = try #require(data.range(of: Data(mark.utf8)))
    data[range.lowerBound] ^= 1
    try data.write(to: URL(filePath: path))
  }
}

/// Waits until nobody has an outbox open: the last to close it puts its log into the file and removes the log.
func closed(_ path: String) async {
  while FileManager.default.fileExists(atPath: path + "-wal"), !Task.isCancelled { await Task.yield() }
}

/// The kind of error that a call throws; nil when it throws none.
func kind(_ call: () async throws -> Void) async -> StoreError.Kind? {
  do {
    try await call()
    return nil
  } catch {
    return (error as? StoreError)?.kind
  }
}
