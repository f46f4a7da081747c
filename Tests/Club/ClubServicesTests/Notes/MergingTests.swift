import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Saves over a note that others changed elsewhere in its text.
@Suite struct MergingTests {
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

  /// Begins a draft of a note with the base text, and types over its first line.
  private func typing(_ text: String = "ONE") async throws -> (draft: Draft.ID, entry: FileEntry, text: [UInt8]) {
    let entry = try await world.put(Self.base, at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes(text))], in: draft)
    await journal.flush()
    return (draft, entry, bytes(text + Self.base.dropFirst(3)))
  }

  @Test func `changes at different places are merged, and nothing waits afterwards`() async throws {
    let mine = try await typing()
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let merged = try #require(
      try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).merged)
    #expect(merged.text == bytes("ONE\ntwo\nTHREE\n") && !merged.needsLook)
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
    #expect(merged.entry.revision == (try await world.memory.entry(at: path).revision))
    #expect(try await service.waiting().isEmpty)
    #expect(try await service.unsent().isEmpty)
    #expect(try await journal.all().isEmpty)
  }

  @Test func `a save that comes before its draft is on the disk is merged, too`() async throws {
    // The journal's only thread is busy until the service has taken the save.
    let (pool, taken) = (BlockingPool(threads: 1), DispatchSemaphore(value: 0))
    pool.submit { taken.wait() }
    let store = try FolderStore(root: world.folder, pool: world.pool, keepsVersions: false)
    let club = try world.club(store: store)
    let journal = DraftJournal(
      club: club, outbox: world.outbox, basesDirectory: world.bases, pool: pool,
      onFailure: { [failures = world.failures] in failures.add($0) })
    let service = NotesService(
      club: club, outbox: world.outbox, drafts: journal,
      folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: pool) }, editsDirectory: world.edits,
      now: {
        taken.signal()
        return Timestamp(seconds: 1_925_726_400)
      })
    let entry = try await store.put(DataSource(Self.base.utf8), at: path, mode: .create)
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes(Self.base))
    journal.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
    _ = try await store.put(DataSource("one\ntwo\nTHREE\n".utf8), at: path, mode: .overwrite)
    let outcome = try await service.save(path, base: entry.revision, text: bytes("ONE\ntwo\nthree\n"), draft: draft)
    #expect(outcome.merged?.text == bytes("ONE\ntwo\nTHREE\n"))
    #expect(world.told.isEmpty)
  }

  @Test func `after a merge that an earlier process made, the rest of its draft does not replace the other change`()
    async throws
  {
    let entry = try await world.put(Self.base, at: "a.md")
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let draft: Draft.ID
    do {
      var journal: DraftJournal? = try world.journal()
      var service: NotesService? = try world.service(journal)
      draft = try #require(journal?.begin(path, title: "", base: entry.revision, text: bytes(Self.base)))
      journal?.record([DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE"))], in: draft)
      await journal?.flush()
      // The second put, of the merge, fails; meanwhile more is typed.
      world.store.beforePut { [journal, world] _ in
        world.store.beforePut { _ async throws(StoreError) in
          journal?.record([DraftEdit(offset: 3, removed: 0, inserted: bytes(" more"))], in: draft)
          throw StoreError(.offline, "Away.")
        }
      }
      let outcome = try await service?.save(path, base: entry.revision, text: bytes("ONE\ntwo\nthree\n"), draft: draft)
      #expect(outcome?.kept != nil)
      world.store.beforePut(nil)
      await journal?.flush()
      journal = nil
      await NotesWorld.end(&service)
    }
    let next = try world.service()
    for save in try await next.unsent() { #expect(try await next.sendUnsent(save.id).saved != nil) }
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
    let rest = try #require(try await next.waiting().first { $0.id == .draft(draft) })
    // Both typed in the first line, so the member decides.
    #expect(try await next.send(rest).conflict?.theirs == bytes("ONE\ntwo\nTHREE\n"))
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
  }

  @Test func `changes of one sentence are merged, and the outcome says so`() async throws {
    let entry = try await world.put("The old boat leaves at nine.\n", at: "a.md")
    let draft = journal.begin(path, title: "", base: entry.revision, text: bytes("The old boat leaves at nine.\n"))
    journal.record([DraftEdit(offset: 4, removed: 3, inserted: bytes("new"))], in: draft)
    await journal.flush()
    try await world.put("The old boat leaves at ten.\n", at: "a.md")
    let merged = try await service.save(
      path, base: entry.revision, text: bytes("The new boat leaves at nine.\n"), draft: draft
    ).merged
    #expect(merged?.text == bytes("The new boat leaves at ten.\n") && merged?.needsLook == true)
    #expect(merged?.sentence.contains("Both changed one sentence") == true)
  }

  @Test(arguments: ["uno\ntwo\nthree\n", "two\nthree\n", "\u{0}binary\n"])
  func `a change of the same place, or one that is no text, is a conflict as before`(theirs: String) async throws {
    let mine = try await typing()
    try await world.put(theirs, at: "a.md")
    let conflict = try #require(
      try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).conflict)
    #expect(conflict.mine == mine.text && conflict.theirs == bytes(theirs))
    #expect(try await world.text("a.md") == theirs)
  }

  @Test func `an open text takes the other member's changes of a merge by edits that fit it from its end`() throws {
    let (saved, merged) = (bytes("one\ntwo\nthree\nfour\nfive\n"), bytes("ONE\ntwo\nthree\nfour\nfive\n- a\n- b\n"))
    var text = bytes("one\ntwo\nthree more\nfour\nfive\n")
    let edits = try #require(IncomingChanges(to: text, from: saved, newer: merged)).edits
    #expect(edits.map(\.offset) == edits.map(\.offset).sorted(by: >) && edits.count == 2)
    for edit in edits { text.replaceSubrange(edit.offset..<(edit.offset + edit.removed), with: edit.inserted) }
    #expect(text == bytes("ONE\ntwo\nthree more\nfour\nfive\n- a\n- b\n"))
    let both = IncomingChanges(to: bytes("uno\ntwo\nthree\nfour\nfive\n"), from: saved, newer: merged)
    #expect(both?.conflicts == 1)
  }

  @Test func `the next session of an editor that stays open is merged from the text that it saved`() async throws {
    let mine = try await typing()
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let merged = try #require(
      try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).merged)
    // Typed over the saved text, before the merge was known.
    let next = journal.begin(path, title: "", base: mine.entry.revision, text: mine.text)
    journal.record([DraftEdit(offset: 3, removed: 0, inserted: bytes("!"))], in: next)
    await journal.flush()
    let again = try await service.save(
      path, base: mine.entry.revision, text: bytes("ONE!\ntwo\nthree\n"), draft: next
    ).merged
    #expect(again?.text == bytes("ONE!\ntwo\nTHREE\n") && merged.entry.revision != again?.entry.revision)
    #expect(try await service.waiting().isEmpty)
    #expect(try await journal.all().isEmpty)
  }

  @Test func `the next session of an editor whose save went through needs no merge, whatever base it names`()
    async throws
  {
    let mine = try await typing()
    _ = try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft)
    let next = journal.begin(path, title: "", base: mine.entry.revision, text: mine.text)
    journal.record([DraftEdit(offset: 3, removed: 0, inserted: bytes("!"))], in: next)
    await journal.flush()
    let outcome = try await service.save(
      path, base: mine.entry.revision, text: bytes("ONE!\ntwo\nthree\n"), draft: next)
    guard case .saved = outcome else {
      Issue.record("not saved: \(outcome)")
      return
    }
    #expect(try await world.text("a.md") == "ONE!\ntwo\nthree\n")
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `a script's text is not merged`() async throws {
    let entry = try await world.put(Self.base, at: "a.md")
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let outcome = try await service.save(path, base: entry.revision, text: bytes("ONE\ntwo\nthree\n"), draft: nil)
    #expect(outcome.conflict != nil)
  }

  @Test func `text typed after a merge is merged again, and overwrites nothing`() async throws {
    let mine = try await typing()
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let store = world.store
    // The member types on while the first text is on its way.
    store.beforePut { [journal] _ in
      store.beforePut(nil)
      journal.record([DraftEdit(offset: 3, removed: 0, inserted: bytes(" more"))], in: mine.draft)
    }
    #expect(try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).merged != nil)
    await journal.flush()
    #expect(try await journal.all().map(\.id) == [mine.draft])
    let merged = try await service.save(
      path, base: mine.entry.revision, text: bytes("ONE more\ntwo\nthree\n"), draft: mine.draft
    ).merged
    #expect(merged?.text == bytes("ONE more\ntwo\nTHREE\n"))
    #expect(try await journal.all().isEmpty)
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `a save that waited for its store is merged when the store is back`() async throws {
    let mine = try await typing()
    world.store.fail(StoreError(.offline, "Away."))
    let kept = try #require(
      try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).kept)
    #expect(try await journal.all().isEmpty)
    // Another draft comes and goes, and with it the base texts that nothing needs.
    let other = journal.begin(nil, title: "other", base: nil, text: bytes("other"))
    await journal.flush()
    try await journal.discard(other)
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    world.store.fail(nil)
    #expect(try await service.sendUnsent(kept.id).merged?.text == bytes("ONE\ntwo\nTHREE\n"))
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `a merge whose sending fails waits as the merge`() async throws {
    let mine = try await typing()
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    let store = world.store
    store.beforePut { _ in store.fail(StoreError(.offline, "Away.")) }
    let kept = try #require(
      try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).kept)
    #expect(try world.outbox.text(ofSave: kept.id)?.bytes == bytes("ONE\ntwo\nTHREE\n"))
    store.fail(nil)
    #expect(try await service.sendUnsent(kept.id).saved != nil)
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
  }

  @Test func `each text of the member's own editor is merged, and the other's change stays`() async throws {
    try await world.put(Self.base, at: "a.md")
    let session = try await service.beginEdit(path)
    try await world.put("one\ntwo\nTHREE\n", at: "a.md")
    try Data("ONE\ntwo\nthree\n".utf8).write(to: URL(filePath: session.copy))
    #expect(try await service.endEdit(session).merged?.text == bytes("ONE\ntwo\nTHREE\n"))
    #expect(try await world.text("a.md") == "ONE\ntwo\nTHREE\n")
    #expect(try world.outbox.copies(club: "~/Club").isEmpty)
  }

  @Test func `an answer to a conflict is no base for a text that lacks it`() async throws {
    let mine = try await typing()
    try await world.put("uno\ntwo\nthree\n", at: "a.md")
    let conflict = try #require(
      try await service.save(path, base: mine.entry.revision, text: mine.text, draft: mine.draft).conflict)
    try await world.put("uno\ntwo\nthree\nfour\n", at: "a.md")
    _ = try await service.resolve(conflict, .text(bytes("UNO\ntwo\nthree\n")))
    let next = try await service.save(
      path, base: mine.entry.revision, text: bytes("ONE!\ntwo\nthree\n"), draft: mine.draft)
    #expect(next.saved == nil && next.merged == nil)
    #expect(try await world.text("a.md") == "uno\ntwo\nthree\nfour\n")
  }

  @Test(.timeLimit(.minutes(5)))
  func `a later text of the member's own editor is merged from the one before it`() async throws {
    try await world.put(Self.base, at: "a.md")
    let session = try await service.beginEdit(path)
    let (stream, sink) = AsyncStream.makeStream(of: SaveOutcome.self)
    let service = service
    let following = Task { try await service.follow(session) { sink.yield($0) } }
    var outcomes = stream.makeAsyncIterator()
    // Whole at once: the file is watched already.
    try Data("ONE\ntwo\nthree\n".utf8).write(to: URL(filePath: session.copy + ".new"))
    #expect(rename(session.copy + ".new", session.copy) == 0)
    #expect(await outcomes.next()?.saved != nil)
    following.cancel()
    try await following.value
    try await world.put("ONE\ntwo\nTHREE\n", at: "a.md")
    try Data("ONE more\ntwo\nthree\n".utf8).write(to: URL(filePath: session.copy))
    #expect(try await service.endEdit(session).merged?.text == bytes("ONE more\ntwo\nTHREE\n"))
  }

  @Test(arguments: 0..<12)
  func `members who type at once lose no word, whoever comes first`(seed: UInt64) async throws {
    let text = (0..<30).map { "Line \($0) has some words. And a second sentence.\n" }.joined()
    let entry = try await world.put(text, at: "a.md")
    let typists = try (0..<3).map { try Typist(number: $0, world, text, entry) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for typist in typists { group.addTask { try await typist.types(rounds: 8, seed: seed) } }
      try await group.waitForAll()
    }
    // A text that met others' changes at each of its tries waits until now.
    for typist in typists { try await typist.sendsWhatWaits() }
    var words: Set<Substring> = []
    for name in try await world.names {
      words.formUnion(try await world.memory.readAll(try StorePath(name)).bytes.words)
    }
    for typist in typists {
      #expect(words.isSuperset(of: typist.typed), "seed \(seed): \(typist.typed.subtracting(words))")
      #expect(try await typist.service.unsent().isEmpty)
    }
  }
}

/// A member with a process of their own, who inserts a word of their own at a random place of the newest text, again
/// and again, and keeps both texts of a conflict.
private final class Typist: Sendable {
  let service: NotesService
  private let journal: DraftJournal
  private let number: Int
  private let entry: FileEntry
  private let text: String
  private let log = TypedWords()

  init(number: Int, _ world: NotesWorld, _ text: String, _ entry: FileEntry) throws {
    journal = try world.journal()
    service = try world.service(journal, store: ScriptedNotesStore(world.memory))
    (self.number, self.text, self.entry) = (number, text, entry)
  }

  var typed: Set<Substring> { log.words }

  func types(rounds: Int, seed: UInt64) async throws {
    var random = SeededNumbers(seed &* 5 &+ UInt64(number))
    var (text, base) = (Array(text.utf8), entry.revision)
    for round in 0..<rounds {
      let draft = journal.begin(entry.path, title: "", base: base, text: text)
      let word = "typed-\(number)-\(round)"
      let spaces = text.indices.filter { text[$0] == 0x20 }
      let place = spaces[random.below(spaces.count)]
      journal.record([DraftEdit(offset: place, removed: 0, inserted: Array(" \(word)".utf8))], in: draft)
      text.insert(contentsOf: Array(" \(word)".utf8), at: place)
      try await settle(try await service.save(entry.path, base: base, text: text, draft: draft))
      log.add(word)
      let note = try await service.open(entry.path)
      (text, base) = (note.bytes, note.entry.revision)
    }
  }

  func sendsWhatWaits() async throws {
    var outcomes: [SaveOutcome] = []
    try await service.sendAll(conflicts: true) { outcomes.append($1) }
    for outcome in outcomes { try await settle(outcome) }
  }

  private func settle(_ outcome: SaveOutcome) async throws {
    if let conflict = outcome.conflict { _ = try #require(try await service.resolve(conflict, .both).saved) }
  }
}

private final class TypedWords: Sendable {
  private let all = Mutex<Set<Substring>>([])
  var words: Set<Substring> { all.withLock { $0 } }
  func add(_ word: String) { _ = all.withLock { $0.insert(word[...]) } }
}

extension [UInt8] {
  fileprivate var words: Set<Substring> { Set(String(decoding: self, as: UTF8.self).split { " \n".contains($0) }) }
}
