import Backends
import Database
import FileStores
import Merge
import TestKit
import Testing

@testable import ClubServices

/// The changes of a newer version on their way into a text that is edited.
@Suite struct IncomingChangesTests {
  /// `mine` with the edits.
  private func text(_ mine: String, _ changes: IncomingChanges) -> String {
    var text = bytes(mine)
    for edit in changes.edits {
      text.replaceSubrange(edit.offset..<(edit.offset + edit.removed), with: edit.inserted)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func changes(_ mine: String, _ base: String, _ newer: String) throws -> IncomingChanges {
    try #require(IncomingChanges(to: bytes(mine), from: bytes(base), newer: bytes(newer)))
  }

  @Test(arguments: [
    ("one\ntwo\n", "one\ntwo\nthree\n", "one\ntwo\nthree\n", 1), ("one\ntwo\n", "one\nTWO\n", "one\nTWO\n", 1),
    ("mine\none\ntwo\n", "one\ntwo!\nthree\nfour\n", "mine\none\ntwo!\nthree\nfour\n", 3),
    ("one\ntwo\nmine\n", "two\n", "two\nmine\n", 1), ("one\ntwo\n", "one\ntwo\n", "one\ntwo\n", 0),
    ("one\ntwo\nmine\n", "one is one\nand two\n", "one is one\nand two\nmine\n", 2),
    ("one\ntwo\n", "one\ntwo\n\nthree", "one\ntwo\n\nthree", 2),
  ])
  func `changes elsewhere come in, and the newer version is the new base`(
    mine: String, newer: String, result: String, lines: Int
  ) throws {
    let changes = try changes(mine, "one\ntwo\n", newer)
    #expect(text(mine, changes) == result)
    #expect(changes.base == bytes(newer) && changes.conflicts == 0 && changes.lines == lines)
  }

  @Test func `places that both changed stay, the others come in, and the next save meets the former alone`() throws {
    let base = "one\n\ntwo\n\nthree\n"
    let (mine, newer) = ("ONE\n\ntwo\n\nthree\n", "1\n\ntwo\n\n3\n")
    let changes = try changes(mine, base, newer)
    #expect(text(mine, changes) == "ONE\n\ntwo\n\n3\n")
    #expect(changes.conflicts == 1 && changes.lines == 1)
    #expect(changes.base == bytes("one\n\ntwo\n\n3\n"))
    let save = TextMerge(base: changes.base, mine: bytes("ONE\n\ntwo\n\n3\n"), theirs: bytes(newer))
    #expect(save.regions.filter { $0.kind == .conflict }.count == 1)
    #expect(save.regions.allSatisfy { [.same, .conflict].contains($0.kind) })
  }

  @Test func `words that stay are in no edit`() throws {
    let mine = "the old boat lies in the harbour and waits\n"
    let changes = try changes(mine, mine, "the new boat lies at the harbour and waits for us\n")
    #expect(
      changes.edits.map { "\($0.offset)-\($0.removed)+\(String(decoding: $0.inserted, as: UTF8.self))" } == [
        "42-0+ for us", "18-2+at", "4-3+new",
      ])
  }

  @Test func `an edit cuts no character`() throws {
    let changes = try changes("é\n", "é\n", "è\n")
    #expect(changes.edits == [DraftEdit(offset: 0, removed: 2, inserted: bytes("è"))])
  }

  @Test func `items that both add to a list are all there, and the member's own are in no edit`() throws {
    let changes = try changes("- a\n- mine\n", "- a\n", "- a\n- hers\n")
    #expect(text("- a\n- mine\n", changes) == "- a\n- hers\n- mine\n")
    #expect(changes.edits.allSatisfy { $0.removed == 0 } && changes.base == bytes("- a\n- hers\n"))
  }

  @Test func `a sentence that both changed is close, as in a save`() throws {
    let base = "The old boat leaves at nine.\n"
    let (mine, newer) = ("The new boat leaves at nine.\n", "The old boat leaves at ten.\n")
    let both = try changes(mine, base, newer)
    #expect(both.isClose && text(mine, both) == "The new boat leaves at ten.\n")
    #expect(try !changes(base, base, newer).isClose)
  }

  @Test func `long texts wait for the save`() {
    let long = Array(repeating: UInt8(ascii: "a"), count: MergedNote.mostRebasedBytes + 1)
    #expect(IncomingChanges(to: long, from: [], newer: []) == nil)
    #expect(IncomingChanges(to: [], from: [], newer: long) == nil)
  }

  /// Lines of few words, with two versions that are changed at random.
  private func versions(_ random: inout SeededNumbers) -> (base: String, mine: String, newer: String) {
    func line() -> String {
      (0..<random.below(6)).map { _ in ["the", "boat", "sea", "日本", "- x", "[ ]"][random.below(6)] }
        .joined(separator: " ")
    }
    func changed(_ lines: [String]) -> [String] {
      var lines = lines
      for _ in 0..<random.below(4) {
        let place = random.below(lines.count + 1)
        switch random.below(3) {
        case 0: lines.insert(line(), at: place)
        case 1 where place < lines.count: lines.remove(at: place)
        default: if place < lines.count { lines[place] += " more" }
        }
      }
      return lines
    }
    let base = (0..<random.below(10)).map { _ in line() }
    let (mine, newer) = (changed(base), changed(base))
    return (base.joined(separator: "\n"), mine.joined(separator: "\n"), newer.joined(separator: "\n"))
  }

  @Test func `for any texts the result is that of the merge, and edits fit from the last on`() throws {
    for seed in 0..<UInt64(TestTier.process.rounds(500)) {
      var random = SeededNumbers(seed)
      let (base, mine, newer) = versions(&random)
      let changes = try changes(mine, base, newer)
      let merge = TextMerge(base: bytes(base), mine: bytes(mine), theirs: bytes(newer))
      #expect(zip(changes.edits, changes.edits.dropFirst()).allSatisfy { $0.offset >= $1.offset + $1.removed })
      #expect(changes.conflicts == merge.regions.count { $0.kind == .conflict })
      if let merged = merge.text {
        #expect(bytes(text(mine, changes)) == merged && changes.base == bytes(newer), "seed \(seed)")
      } else {
        // Nothing of the conflict is lost: the open text has mine, the base has that of before.
        let conflicts = merge.regions.filter { $0.kind == .conflict }
        for region in conflicts {
          let own = String(decoding: bytes(mine)[region.mine], as: UTF8.self)
          let old = String(decoding: bytes(base)[region.base], as: UTF8.self)
          #expect(own.isEmpty || text(mine, changes).contains(own), "seed \(seed)")
          #expect(old.isEmpty || String(decoding: changes.base, as: UTF8.self).contains(old), "seed \(seed)")
        }
      }
    }
  }
}

/// A note that is read again while its text is edited, and the draft that goes on over it.
@Suite struct NewerNoteTests {
  private static let base = "one\ntwo\nthree\n"
  private let world: NotesWorld
  private let journal: DraftJournal
  private let service: NotesService
  private let path: StorePath

  init() throws {
    world = try NotesWorld()
    journal = try world.journal()
    service = try world.service(journal)
    path = try StorePath("a.md")
  }

  /// As the editor does: the draft begins over the newer text, then the old one goes.
  private func goOn(_ old: Draft.ID, over changes: IncomingChanges, _ revision: Revision?, text: String) async throws
    -> Draft.ID
  {
    let next = journal.begin(path, title: "", base: revision, text: changes.base)
    journal.record([DraftEdit(offset: 0, removed: changes.base.count, inserted: bytes(text))], in: next)
    try await journal.discard(old)
    return next
  }

  @Test func `the newer text comes with its base, from the editor or from the draft`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
    let newer = try await world.put("one\ntwo\n3\n", at: "a.md")
    let known = try await service.newer(path, base: bytes("x"), draft: nil)
    #expect(known.base == bytes("x") && known.text == bytes("one\ntwo\n3\n") && known.content == .text)
    #expect(known.entry.revision == newer.revision)
    #expect(try await service.newer(path, base: nil, draft: draft).base == bytes(Self.base))
    #expect(try await service.newer(path, base: nil, draft: nil).base == nil)
  }

  @Test func `a note that is gone is an error, and one that is no text is known as such`() async throws {
    await #expect(throws: StoreError.self) { try await service.newer(path, base: [], draft: nil) }
    try await world.put("a\u{0}b", at: "a.md")
    #expect(try await service.newer(path, base: [], draft: nil).content == .binary)
  }

  @Test func `the next save goes over the newer revision without a merge`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
    try await world.put("one\ntwo\n3\n", at: "a.md")
    let newer = try await service.newer(path, base: bytes(Self.base), draft: draft)
    let changes = try #require(
      IncomingChanges(to: bytes("ONE\ntwo\nthree\n"), from: bytes(Self.base), newer: newer.text))
    let next = try await goOn(draft, over: changes, newer.entry.revision, text: "ONE\ntwo\n3\n")
    let outcome = try await service.save(
      path, base: newer.entry.revision, text: bytes("ONE\ntwo\n3\n"), draft: next)
    #expect(outcome.saved != nil)
    #expect(try await world.text("a.md") == "ONE\ntwo\n3\n")
    #expect(try await journal.all().isEmpty)
  }

  @Test func `a crash behind a merge restores the merged text, over the newer revision`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    var first: DraftJournal? = try world.journal()
    let draft = try #require(first).begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    first?.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
    let newer = try await world.put("one\ntwo\n3\n", at: "a.md")
    let changes = try #require(
      IncomingChanges(to: bytes("ONE\ntwo\nthree\n"), from: bytes(Self.base), newer: bytes("one\ntwo\n3\n")))
    let next = try #require(first).begin(path, title: "", base: newer.revision, text: changes.base)
    first?.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: next)
    await first?.flush()
    // The crash comes before the old draft is removed: both are offered, and both are whole.
    await NotesWorld.end(&first)
    let orphans = try await journal.orphans()
    #expect(Set(orphans.map(\.id)) == [draft, next])
    #expect(try await journal.text(of: next) == bytes("ONE\ntwo\n3\n"))
    #expect(try await journal.text(of: draft) == bytes("ONE\ntwo\nthree\n"))
    #expect(orphans.first { $0.id == next }?.base == newer.revision)
  }

  @Test func `where both changed a place, the save shows that place alone`() async throws {
    let base = "one\n\ntwo\n\nthree\n"
    let entry = try await world.put(base, at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(base))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
    try await world.put("1\n\ntwo\n\n3\n", at: "a.md")
    let newer = try await service.newer(path, base: bytes(base), draft: draft)
    let changes = try #require(
      IncomingChanges(to: bytes("ONE\n\ntwo\n\nthree\n"), from: bytes(base), newer: newer.text))
    let next = try await goOn(draft, over: changes, entry.revision, text: "ONE\n\ntwo\n\n3\n")
    let conflict = try #require(
      try await service.save(path, base: entry.revision, text: bytes("ONE\n\ntwo\n\n3\n"), draft: next).conflict)
    #expect(conflict.resolution.parts.map(\.mine) == [bytes("ONE\n")])
    #expect(conflict.resolution.openCount == 1)
    #expect(try await world.text("a.md") == "1\n\ntwo\n\n3\n")
  }
}
