import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Changes of names that wait for each other, when the store refuses one or the member drops one.
@Suite struct RefusedNamesTests {
  private func save(_ text: String, at path: String, _ process: CopyWorld.Process) async throws {
    let base = try await process.notes.entry(named: path)?.revision
    let outcome = try await process.notes.save(
      try StorePath("\(path).md"), base: base, text: Array(text.utf8), draft: nil)
    guard case .kept = outcome else { return #expect(Bool(false), "the save waits") }
  }

  private func waitingTexts(_ process: CopyWorld.Process) async throws -> [String: String] {
    var texts: [String: String] = [:]
    for text in try await process.notes.waiting() where !text.isName {
      texts["\(text.path?.description ?? "")"] = String(
        decoding: try await process.notes.text(of: text.id), as: UTF8.self)
    }
    return texts
  }

  @Test(arguments: [false, true])
  func `a note renamed twice gets its last name, though someone else has taken the one between`(
    isLater: Bool
  ) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "c")
    try await save("mine", at: "c", process)
    try await world.put("Ann's", at: "b.md")
    let sender = isLater ? try world.start() : process
    await world.back(sender)
    #expect(await sender.notes.sendNames().map(\.message) == [])
    // The text belongs to the process that took it.
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("b.md") == "Ann's")
    #expect(try await world.text("c.md") == "mine")
    #expect(try await world.text("a.md") == nil)
    try await sender.copy.refresh()
    #expect(try await sender.names() == ["b.md", "c.md"])
  }

  @Test func `the remarks on a note whose rename is refused stay with it, also those that wait`() async throws {
    let world = try CopyWorld()
    let (note, talk) = (try StorePath("b.md"), "- **ann** 2026-06-21 08:04Z k3f9q2xa: Low tide only.\n")
    try await world.put("one", at: "a.md")
    try await world.put("# Remarks on a.md\n\n" + talk, at: "a.md.talk.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    let said = try await process.notes.say("At half tide, too.", .reply(to: "k3f9q2xa"), about: note) { "m4h2t7yb" }
    guard case .kept = said.outcome else { return #expect(Bool(false), "the remark waits") }
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    #expect(await process.notes.sendNames().count == 1)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("b.md.talk.md") == nil)
    let remarks = Talk(Array((try await world.text("a.md.talk.md") ?? "").utf8)).remarks
    #expect(remarks.map(\.id) == ["k3f9q2xa", "m4h2t7yb"])
  }

  @Test func `a note that someone else has removed takes no other along, though a new one has its name`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "c")
    try await world.memory.delete(try StorePath("a.md"), ifRevision: nil)
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    let refusals = await process.notes.sendNames().map(\.message)
    #expect(refusals == ["\"a.md\" was not renamed to \"b.md\": someone else has renamed or deleted it."])
    #expect(try await world.text("b.md") == "Ann's")
    #expect(try await world.text("c.md") == nil)
    #expect(try await process.notes.waiting().isEmpty)
    try await process.copy.refresh()
    #expect(try await process.names() == ["b.md"])
  }

  @Test(arguments: [false, true])
  func `a rename takes no other note that has come to its note's path`(isRefreshed: Bool) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.put("two", at: "x.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await world.memory.move(try StorePath("a.md"), to: try StorePath("c.md"), ifRevision: nil)
    _ = try await world.memory.move(try StorePath("x.md"), to: try StorePath("a.md"), ifRevision: nil)
    try await world.put("one and more", at: "c.md")
    await world.back(process)
    if isRefreshed { try await process.copy.refresh() }
    let refusals = await process.notes.sendNames().map(\.message)
    #expect(refusals == ["\"a.md\" was not renamed to \"b.md\": it has changed since."])
    #expect(try await world.text("a.md") == "two")
    #expect(try await world.text("b.md") == nil)
    #expect(try await world.text("c.md") == "one and more")
    try await process.copy.refresh()
    #expect(try await process.names() == ["a.md", "c.md"])
  }

  @Test(arguments: [false, true])
  func `a rename takes its note, though others have written on in it`(isRefreshed: Bool) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    for text in ["one, two", "one, two, three"] {
      try await world.put(text, at: "a.md")
      guard isRefreshed else { continue }
      await world.back(process)
      try await process.copy.refresh()
    }
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await world.text("b.md") == "one, two, three")
    #expect(try await process.names() == ["b.md"])
  }

  @Test(arguments: [false, true])
  func `a folder in which no note is the own one any more does not move, and no note of it is renamed`(
    isEdited: Bool
  ) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "f/a.md")
    let process = try await world.away()
    _ = try await process.notes.moveFolder(try StorePath("f"), to: try StorePath("g"))
    _ = try await process.notes.rename(try StorePath("g/a.md"), to: "b")
    _ = try await world.memory.move(try StorePath("f"), to: try StorePath("h"), ifRevision: nil)
    if isEdited { try await world.put("one and more", at: "h/a.md") }
    try await world.put("Ann's", at: "f/a.md")
    await world.back(process)
    let refusals = await process.notes.sendNames().map(\.message)
    #expect(
      refusals == [
        "\"f\" was not moved to \"g\": someone else has put another folder in its place, or changed all files that you "
          + "saw in it."
      ])
    #expect(try await world.text("f/a.md") == "Ann's")
    #expect(try await world.text("g/a.md") == nil)
    #expect(try await world.text("g/b.md") == nil)
    #expect(try await world.text("h/a.md") == (isEdited ? "one and more" : "one"))
  }

  @Test func `a rename in a moved folder takes its note, though others have written on in it before`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "trips/a.md")
    let process = try await world.away()
    _ = try await process.notes.moveFolder(try StorePath("trips"), to: try StorePath("journeys"))
    _ = try await process.notes.rename(try StorePath("journeys/a.md"), to: "b")
    try await world.put("one, two", at: "trips/a.md")
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await world.text("journeys/b.md") == "one, two")
    #expect(try await world.text("journeys/a.md") == nil)
  }

  @Test(arguments: [false, true])
  func `without knowledge of the note's past, a later process refuses the rename`(isOther: Bool) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    if isOther { _ = try await world.memory.move(try StorePath("a.md"), to: try StorePath("c.md"), ifRevision: nil) }
    try await world.put("one, two", at: "a.md")
    await world.back(process)
    try await process.copy.refresh()
    await process.copy.lines.wait(for: "persist")
    let later = try world.start()
    _ = try await later.names()
    let refusals = await later.notes.sendNames()
    #expect(refusals.map(\.message) == ["\"a.md\" was not renamed to \"b.md\": it has changed since."])
    #expect(refusals.map(\.remedy) == ["Look at it, then rename it again."])
    #expect(try await world.text("a.md") == "one, two")
    #expect(try await world.text("b.md") == nil)
  }

  @Test func `a renamed note goes to the trash, though someone else has taken its new name`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.trash(try StorePath("b.md"))
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await world.text("b.md") == "Ann's")
    #expect(try await world.text("a.md") == nil)
    #expect(try await process.notes.trashed().map { "\($0.origin)" } == ["a.md"])
  }

  @Test func `a new note of a name that was in between keeps its text`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "c")
    guard case .kept = try await process.notes.create(named: "b", text: Array("new".utf8)) else {
      return #expect(Bool(false), "the note waits")
    }
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await waitingTexts(process) == ["b.md": "new"])
    #expect(try await world.text("c.md") == "one")
  }

  @Test func `a note that keeps its name keeps its text, and so does the one that was to follow it`() async throws {
    let world = try CopyWorld()
    try await world.put("text a", at: "a.md")
    try await world.put("text x", at: "x.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("x.md"), to: "a")
    try await save("my a", at: "b", process)
    try await save("my x", at: "a", process)
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    let refusals = await process.notes.sendNames().map(\.message)
    #expect(
      refusals == [
        "\"a.md\" keeps its name: someone else has made \"b.md\" meanwhile.",
        "\"x.md\" keeps its name, because \"a.md\" keeps its own.",
      ])
    #expect(try await waitingTexts(process) == ["a.md": "my a", "x.md": "my x"])
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("a.md") == "my a")
    #expect(try await world.text("x.md") == "my x")
    #expect(try await world.text("b.md") == "Ann's")
  }

  @Test func `two notes that were to change names keep theirs if the name between is taken`() async throws {
    let world = try CopyWorld()
    for name in ["a", "b"] { try await world.put("text \(name)", at: "\(name).md") }
    let process = try await world.away()
    for (path, name) in [("a.md", "c"), ("b.md", "a"), ("c.md", "b")] {
      _ = try await process.notes.rename(try StorePath(path), to: name)
    }
    try await save("my a", at: "b", process)
    try await save("my b", at: "a", process)
    try await world.put("Ann's", at: "c.md")
    await world.back(process)
    #expect(await process.notes.sendNames().count == 2)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("a.md") == "my a")
    #expect(try await world.text("b.md") == "my b")
    #expect(try await world.text("c.md") == "Ann's")
  }

  @Test func `a file that does not come back from the trash lets no other be renamed`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    let before = try world.start()
    let trash = try #require(world.memory.capabilities.trash)
    _ = try await trash.discard(try StorePath("a.md"), ifRevision: nil)
    let file = try #require(try await before.notes.trashed().first)
    try await before.copy.refresh()
    await before.copy.lines.wait(for: "persist")
    let process = try await world.away()
    _ = try await process.notes.restore(file.id)
    _ = try await process.notes.rename(try StorePath("a.md"), to: "d")
    #expect(try await process.names() == ["d.md"])
    try await world.put("Ann's", at: "a.md")
    await world.back(process)
    #expect(await process.notes.sendNames().count == 1)
    #expect(try await world.text("a.md") == "Ann's")
    #expect(try await world.text("d.md") == nil)
  }

  @Test func `after a rename that the member drops, the next one is about the same note`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "c")
    let first = try #require(await process.copy.waitingChanges().first)
    try await process.copy.drop(first.id)
    #expect(try await process.names() == ["c.md"])
    try await world.put("Ann's", at: "b.md")
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await world.text("b.md") == "Ann's")
    #expect(try await world.text("c.md") == "one")
  }

  @Test func `a rename that the member drops gives the note its text back`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    try await save("mine", at: "b", process)
    let first = try #require(await process.copy.waitingChanges().first)
    try await process.copy.drop(first.id)
    #expect(try await waitingTexts(process) == ["a.md": "mine"])
  }

  @Test func `a note comes back from the trash only if its name is free`() async throws {
    let world = try CopyWorld()
    try await world.put("text a", at: "a.md")
    try await world.put("text x", at: "x.md")
    let process = try await world.away()
    let trashed = try await process.notes.trash(try StorePath("a.md"))
    _ = try await process.notes.rename(try StorePath("x.md"), to: "a")
    #expect(await kind { _ = try await process.notes.restore(trashed.id) } == .exists)
    #expect(try await process.names() == ["a.md"])
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [])
    #expect(try await world.text("a.md") == "text x")
    #expect(try await process.notes.trashed().map { "\($0.origin)" } == ["a.md"])
  }

  @Test func `a change that a server in reach does not permit fails at once, and the file is back`() async throws {
    let world = try CopyWorld()
    for name in ["a", "b", "old"] { try await world.put("text \(name)", at: "\(name).md") }
    let trash = try #require(world.memory.capabilities.trash)
    let old = try await trash.discard(try StorePath("old.md"), ifRevision: nil)
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    world.server.refuse([.move, .discard, .restore])
    let (a, b) = (try StorePath("a.md"), try StorePath("b.md"))
    #expect(await kind { _ = try await process.notes.rename(a, to: "c") } == .notPermitted)
    #expect(await kind { _ = try await process.notes.trash(b) } == .notPermitted)
    #expect(await kind { _ = try await process.notes.restore(old.id) } == .notPermitted)
    #expect(try await process.names() == ["a.md", "b.md"])
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test func `changes that waited and are not permitted end with a sentence each, and texts stay`() async throws {
    let world = try CopyWorld()
    for name in ["a", "b"] { try await world.put("text \(name)", at: "\(name).md") }
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "c")
    try await save("mine", at: "c", process)
    _ = try await process.notes.trash(try StorePath("b.md"))
    world.server.refuse([.move, .discard])
    await world.back(process)
    #expect(
      await process.notes.sendNames().map(\.description) == [
        "\"a.md\" keeps its name. You may not. Ask ann.", "\"b.md\" stays in the club. You may not. Ask ann.",
      ])
    #expect(try await process.names() == ["a.md", "b.md"])
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await waitingTexts(process) == ["a.md": "mine"])
  }

  @Test func `a rename whose answer was lost is done, though the server no longer permits it`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    try await process.copy.refresh()
    world.server.breakAfter(.move)
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    #expect(await process.copy.waitingChanges().count == 1)
    world.server.refuse([.move])
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await process.names() == ["b.md"])
  }

  @Test func `a server that permits nothing at all has not judged a change, which waits`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try await world.away()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    await world.back(process)
    world.server.refuse(StoreCallName.allCases)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(await process.copy.waitingChanges().count == 1)
    world.server.refuse([])
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await world.text("b.md") == "one")
  }
}
