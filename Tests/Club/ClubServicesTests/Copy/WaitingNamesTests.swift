import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Renames and moves to the trash while the server is away.
@Suite struct WaitingNamesTests {
  @Test func `a rename shows at once, waits, and is sent by a later process`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    let entry = try await process.notes.rename(try StorePath("a.md"), to: "b")
    #expect("\(entry.path)" == "b.md")
    #expect(try await process.names() == ["b.md"])
    #expect(try await process.text("b.md") == "one")
    #expect(try await process.notes.waiting().map(\.kind) == [.toSend])
    #expect(try await world.text("a.md") == "one")
    let later = try world.start()
    #expect(try await later.names() == ["b.md"])
    #expect(try await later.notes.hasToSend(before: Timestamp(seconds: 0)))
    await world.back(later)
    #expect(await later.notes.sendNames().isEmpty)
    #expect(try await later.notes.hasToSend(before: Timestamp(seconds: 0)) == false)
    #expect(try await world.text("b.md") == "one")
    #expect(try await world.text("a.md") == nil)
    #expect(try await later.notes.waiting().isEmpty)
  }

  @Test func `while the server is away, nobody waits for an answer about remarks that the copy does not have`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["a.md", "b.md"] { try await world.put("one", at: name) }
    let process = try await world.away()
    _ = world.server.takeCalls()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "new")
    _ = try await process.notes.trash(try StorePath("b.md"))
    #expect(world.server.takeCalls() == [:])
    #expect(try await process.names() == ["new.md"])
  }

  @Test func `a text saved under a new name follows its rename`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    let base = try await process.notes.entry(named: "a")?.revision
    guard
      case .kept = try await process.notes.save(
        try StorePath("a.md"), base: base, text: Array("mine".utf8), draft: nil)
    else { return #expect(Bool(false), "the save waits") }
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    var outcomes = 0
    try await process.notes.sendAll(conflicts: true) { _, outcome in if outcome.saved != nil { outcomes += 1 } }
    #expect(outcomes == 1)
    #expect(try await world.text("b.md") == "mine")
    #expect(try await world.text("a.md") == nil)
  }

  @Test func `each change of a name that the store has taken is reported, and a refused one is not`() async throws {
    let world = try CopyWorld()
    for name in ["a.md", "b.md", "c.md"] { try await world.put("one", at: name) }
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "new")
    _ = try await process.notes.trash(try StorePath("b.md"))
    _ = try await process.notes.trash(try StorePath("c.md"))
    try await world.put("Ann's", at: "c.md")
    await world.back(process)
    var sent: [String] = []
    let refusals = await process.notes.sendNames { sent.append("\($0.shown) \($0.words)") }
    #expect(sent == ["new.md renamed from \"a.md\"", "b.md moved to the trash"] && refusals.count == 1)
  }

  @Test(arguments: [20, 80], [false, true])
  func `sending reads each change that waits a few times, whatever their number`(
    count: Int, renewsRevisions: Bool
  ) async throws {
    let world = try CopyWorld()
    world.server.renewsRevisions = renewsRevisions
    for number in 0..<count { try await world.put("one", at: "n\(number).md") }
    let process = try await world.away()
    for number in 0..<count {
      let path = try StorePath("n\(number).md")
      if number % 2 == 0 {
        _ = try await process.notes.trash(path)
      } else {
        _ = try await process.notes.rename(path, to: "m\(number)")
      }
    }
    await world.back(process)
    let rows = try await process.outboxRows { #expect(await process.notes.sendNames().isEmpty) }
    #expect(rows < 4 * count)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await process.names().count == count / 2)
  }

  @Test func `a change that another process drops or alters during the sending does not go out from memory`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["a.md", "b.md", "c.md"] { try await world.put(name, at: name) }
    let process = try await world.away()
    for name in ["a.md", "b.md"] { _ = try await process.notes.trash(try StorePath(name)) }
    _ = try await process.notes.rename(try StorePath("c.md"), to: "d")
    _ = try await process.notes.rename(try StorePath("d.md"), to: "e")
    let other = try world.start()
    let waiting = await other.copy.waitingChanges()
    await world.back(process)
    let door = Door()
    world.server.hold(.discard, at: door)
    async let refusals = process.notes.sendNames()
    await door.arrivals(1)
    // Of "b.md" and "d.md": the note "c.md" gets its last name at once.
    for change in waiting[1...2] { try await other.copy.drop(change.id) }
    _ = world.server.takeCalls()
    door.open()
    #expect(await refusals.isEmpty)
    let calls = world.server.takeCalls()
    #expect(calls[.discard] == nil && calls[.move] == 1)
    #expect(try await process.names() == ["b.md", "e.md"])
    #expect(try await world.text("b.md") == "b.md")
    #expect(try await world.text("e.md") == "c.md")
    #expect(await process.copy.waitingChanges().isEmpty)
  }

  @Test func `a save waits for the rename before it, and sends it`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    let base = try await process.notes.entry(named: "b")?.revision
    await world.back(process)
    let outcome = try await process.notes.save(
      try StorePath("b.md"), base: base, text: Array("mine".utf8), draft: nil)
    #expect(outcome.saved?.path == (try StorePath("b.md")))
    #expect(try await world.text("b.md") == "mine")
  }

  @Test func `a rename that is taken back is never sent`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "a")
    #expect(try await process.notes.waiting().isEmpty)
    #expect(try await process.names() == ["a.md"])
  }

  @Test func `a note in the trash is gone from the list, and comes back before it is sent`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.put("two", at: "b.md")
    let process = try await world.away()
    let trashed = try await process.notes.trash(try StorePath("a.md"))
    #expect(try await process.names() == ["b.md"])
    #expect(try await process.notes.trashed().map(\.origin) == [try StorePath("a.md")])
    _ = try await process.notes.restore(trashed.id)
    #expect(try await process.names() == ["a.md", "b.md"])
    #expect(try await process.notes.waiting().isEmpty)
    _ = try await process.notes.trash(try StorePath("b.md"))
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await world.text("b.md") == nil)
  }

  @Test func `a note that waits to be moved to the trash is read from the copy, and later from the trash`() async throws
  {
    let world = try CopyWorld()
    for name in ["a", "b", "c"] { try await world.put("text \(name)", at: "\(name).md") }
    try await world.visit()
    let before = try world.start()
    let trash = try #require(world.memory.capabilities.trash)
    _ = try await trash.discard(try StorePath("c.md"), ifRevision: nil)
    #expect(try await before.notes.trashed().count == 1)
    try await before.copy.refresh()

    let process = try await world.away()
    let one = try await process.notes.trash(try StorePath("a.md"))
    _ = try await process.notes.rename(try StorePath("b.md"), to: "d")
    let two = try await process.notes.trash(try StorePath("d.md"))
    #expect(try await process.notes.beginning(trashed: one.id, limit: 4) == FileBeginning(of: "text a".utf8, limit: 4))
    #expect(try await process.notes.beginning(trashed: two.id, limit: 9).bytes == Array("text b".utf8))
    let gone = try #require(try await trash.contents().first)
    #expect(await kind { _ = try await process.notes.beginning(trashed: gone.id, limit: 9) } == .offline)
    #expect(await kind { _ = try await process.notes.beginning(trashed: "unsent-999", limit: 9) } == .notFound)

    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await process.notes.beginning(trashed: one.id, limit: 9).bytes == Array("text a".utf8))
    #expect(try await process.notes.beginning(trashed: gone.id, limit: 9).bytes == Array("text c".utf8))
  }

  @Test func `a file that any process put into the trash comes back while the server is away`() async throws {
    let world = try CopyWorld()
    for name in ["a", "b", "c"] { try await world.put("text \(name)", at: "\(name).md") }
    try await world.visit()
    let before = try world.start()
    let trash = try #require(world.memory.capabilities.trash)
    for name in ["a.md", "b.md"] { _ = try await trash.discard(try StorePath(name), ifRevision: nil) }
    #expect(try await before.notes.trashed().count == 2)
    _ = try await before.notes.trash(try StorePath("c.md"))
    try await before.copy.refresh()
    await before.copy.lines.wait(for: "persist")

    let process = try await world.away()
    #expect(try await process.notes.trashed().map { "\($0.origin)" } == ["c.md", "b.md", "a.md"])
    #expect(process.copy.servedFrom != nil)
    let file = try #require(try await process.notes.trashed().first { "\($0.origin)" == "a.md" })
    #expect("\(try await process.notes.restore(file.id).path)" == "a.md")
    #expect(try await process.names() == ["a.md"])
    #expect(try await process.notes.waiting().map(\.kind) == [.toSend])
    #expect(try await process.notes.trashed().map { "\($0.origin)" } == ["c.md", "b.md"])
    let stranger = try world.start(account: "bob")
    await stranger.copy.probe()
    await #expect(throws: StoreError.self) { try await stranger.notes.trashed() }

    let later = try world.start()
    await world.back(later)
    #expect(await later.notes.sendNames().isEmpty)
    #expect(try await world.text("a.md") == "text a")
    world.server.isAway = true
    await later.copy.probe()
    #expect(try await later.notes.trashed().map { "\($0.origin)" } == ["c.md", "b.md"])
  }

  @Test(arguments: [false, true])
  func `a renamed note never leaves the list while its rename is sent`(isFeedSlow: Bool) async throws {
    let world = try CopyWorld()
    world.server.renewsRevisions = true
    let old = try await world.put("one", at: "a.md")
    let process = try await world.away()
    let target = try StorePath("b.md")
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    let page = try await process.store.list(.root, ListOptions(.names), after: nil)
    let (feed, start) = (try #require(process.store.capabilities.changes), try #require(page.changes))
    await world.back(process)
    // Behind a slow feed the reader hears of the rename from this process alone.
    let door = Door()
    if isFeedSlow { world.server.hold(.poll, at: door) }
    let reader = Task {
      var (cursor, changes): (ChangeCursor, [ChangeSet.Change]) = (start, [])
      while true {
        let set = try await feed.wait(since: cursor)
        cursor = set.cursor
        changes += set.changes
        for case .present(let entry) in set.changes where entry.path == target && entry.revision != old.revision {
          return changes
        }
      }
    }
    if isFeedSlow { await door.arrivals(1) }
    #expect(await process.notes.sendNames().isEmpty)
    let changes = try await reader.value
    door.open()
    #expect(!changes.contains { if case .absent(target) = $0 { true } else { false } })
  }

  @Test(arguments: [false, true])
  func `a note is renamed twice and put into the trash at a store that gives each name a new revision`(
    isLater: Bool
  ) async throws {
    let world = try CopyWorld()
    world.server.renewsRevisions = true
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "c")
    _ = try await process.notes.trash(try StorePath("c.md"))
    let sender = isLater ? try world.start() : process
    await world.back(sender)
    #expect(await sender.notes.sendNames().map(\.message) == [])
    for name in ["a.md", "b.md", "c.md"] { #expect(try await world.text(name) == nil) }
    #expect(try await sender.notes.trashed().map { "\($0.origin)" } == ["c.md"])
  }

  @Test func `a note that Ann changed meanwhile stays, and a sentence says so`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.trash(try StorePath("a.md"))
    try await world.put("Ann's", at: "a.md")
    await world.back(process)
    let refusals = await process.notes.sendNames()
    #expect(refusals.map(\.message) == ["\"a.md\" stays in the club: someone else has changed it meanwhile."])
    #expect(try await world.text("a.md") == "Ann's")
    #expect(try await process.names() == ["a.md"])
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test func `a name that was taken meanwhile keeps the old one, and its text comes back with it`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    let base = try await process.notes.entry(named: "b")?.revision
    _ = try await process.notes.save(try StorePath("b.md"), base: base, text: Array("mine".utf8), draft: nil)
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    let refusals = await process.notes.sendNames()
    #expect(refusals.first?.message.hasPrefix("\"a.md\" keeps its name") == true)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("a.md") == "mine")
    #expect(try await world.text("b.md") == "Ann's")
  }

  @Test func `a draft under a name that was taken meanwhile goes back to the old one`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    let entry = try await process.notes.rename(try StorePath("a.md"), to: "b")
    let drafts = process.notes.drafts
    let draft = drafts.begin(entry.path, title: "", base: entry.revision, text: Array("one".utf8))
    drafts.record([DraftEdit(offset: 3, removed: 0, inserted: Array(" more".utf8))], in: draft)
    await drafts.flush()
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    #expect(await process.notes.sendNames().count == 1)
    #expect(try await drafts.all().map(\.path) == [try StorePath("a.md")])
    #expect(try await drafts.text(of: draft) == Array("one more".utf8))
  }

  @Test func `the text of a renamed note is still read without the server after its rename was sent`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    world.server.isAway = true
    await process.copy.probe()
    #expect(try await process.text("b.md") == "one")
  }

  @Test func `changes of names are sent in the order of the member's decisions`() async throws {
    let world = try CopyWorld()
    for name in ["a", "b"] { try await world.put("text \(name)", at: "\(name).md") }
    let process = try await world.away()
    for (path, name) in [("a.md", "c"), ("b.md", "a"), ("c.md", "b")] {
      _ = try await process.notes.rename(try StorePath(path), to: name)
    }
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await world.text("a.md") == "text b")
    #expect(try await world.text("b.md") == "text a")
    #expect(try await world.text("c.md") == nil)
  }

  @Test func `a rename whose answer was lost is not made twice`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    try await process.copy.refresh()
    world.server.breakAfter(.move)
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    #expect(try await process.notes.waiting().count == 1)
    #expect(try await world.text("b.md") == "one")
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await process.notes.waiting().isEmpty)
    #expect(try await process.names() == ["b.md"])
  }

  @Test func `after a rename whose answer was lost, another member's note of the old name is in the list`() async throws
  {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    try await process.copy.refresh()
    world.server.breakAfter(.move)
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    try await world.put("Ann's", at: "a.md")
    await world.back(process)
    try await process.copy.refresh()
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await process.names() == ["a.md", "b.md"])
    #expect(try await process.text("a.md") == "Ann's")
  }

  @Test func `the text of a note in the trash is not sent, and is a draft`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    let base = try await process.notes.entry(named: "a")?.revision
    _ = try await process.notes.save(try StorePath("a.md"), base: base, text: Array("mine".utf8), draft: nil)
    _ = try await process.notes.trash(try StorePath("a.md"))
    #expect(try await process.notes.waiting().map(\.kind) == [.toSend, .draft])
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await world.text("a.md") == nil)
  }

  @Test func `a waiting text of a note, without the list of the club, does not get another note's name`() async throws {
    let world = try CopyWorld()
    try await world.put("one\n", at: "a.md")
    try await world.put("two\n", at: "b.md")
    let process = try await world.away()
    let base = try await process.notes.entry(named: "a")?.revision
    #expect(base != nil)
    _ = try await process.notes.save(try StorePath("a.md"), base: base, text: Array("mine\none\n".utf8), draft: nil)
    removeFolder(world.copiesPath)
    let later = try world.start()
    let error = await #expect(throws: StoreError.self) {
      _ = try await later.notes.rename(try StorePath("a.md"), to: "b")
    }
    #expect(error?.kind == .notFound)
    #expect(try await world.text("b.md") == "two\n")
  }

  @Test(arguments: [false, true])
  func `a text of a note that another member removed is a draft, and nothing is said to be in the trash`(
    isAway: Bool
  ) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "sing.md")
    let path = try StorePath("sing.md")
    let process = try await world.away()
    let base = try await process.notes.entry(named: "sing")?.revision
    _ = try await process.notes.save(path, base: base, text: Array("mine".utf8), draft: nil)
    try await world.memory.delete(path, ifRevision: nil)
    await world.back(process)
    try await process.copy.refresh()
    #expect(process.copy.entry(at: path) == nil)
    if isAway {
      world.server.isAway = true
      await process.copy.probe()
    }
    let error = await #expect(throws: StoreError.self) { _ = try await process.notes.trash(path) }
    #expect(error?.kind == .notFound && error?.remedy.contains("draft") == true)
    let waiting = try await process.notes.waiting()
    #expect(waiting.map(\.kind) == [.draft])
    #expect(try await process.notes.text(of: try #require(waiting.first).id) == Array("mine".utf8))
  }

  @Test func `without the list of the club, a note with a waiting text is in the trash only if the server says so`()
    async throws
  {
    let world = try CopyWorld()
    try await world.put("one", at: "sing.md")
    let path = try StorePath("sing.md")
    let process = try await world.away()
    let base = try await process.notes.entry(named: "sing")?.revision
    _ = try await process.notes.save(path, base: base, text: Array("mine".utf8), draft: nil)
    removeFolder(world.copiesPath)
    let later = try world.start()
    let error = await #expect(throws: StoreError.self) { _ = try await later.notes.trash(path) }
    #expect(error?.kind == .offline)
    #expect(try await later.notes.waiting().map(\.kind) == [.toSend])
    #expect(try await world.text("sing.md") == "one")
    await world.back(later)
    _ = try await later.notes.trash(path)
    #expect(try await later.notes.waiting().map(\.kind) == [.draft])
    #expect(try await world.text("sing.md") == nil)
  }

  @Test func `a new note is renamed and put into the trash before the store has it`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    guard case .kept = try await process.notes.create(named: "new", text: Array("typed".utf8)) else {
      return #expect(Bool(false), "the note waits")
    }
    let renamed = try await process.notes.rename(try StorePath("new.md"), to: "newer")
    #expect("\(renamed.path)" == "newer.md")
    let trashed = try await process.notes.trash(try StorePath("newer.md"))
    #expect(try await process.notes.waiting().map(\.kind) == [.discarded])
    _ = try await process.notes.restore(trashed.id)
    await world.back(process)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("newer.md") == "typed")
  }
}
