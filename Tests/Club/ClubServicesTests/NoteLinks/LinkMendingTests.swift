import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Mending links over a store, with others who write meanwhile.
@Suite struct LinkMendingTests {
  private func moved(_ world: NotesWorld, _ service: NotesService) async throws -> LinkMendPlan {
    let (old, new) = (try StorePath("oslo.md"), try StorePath("bergen.md"))
    _ = try await service.rename(old, to: "bergen", seen: nil)
    return try await service.linksToMend(after: [PathMove(old, to: new)])
  }

  @Test func `a rename is followed by one conditional save for each note, and one undo brings all back`() async throws {
    let world = try NotesWorld()
    let texts = [
      "a.md": "see [[oslo#Quay|x]]\r\nand [o](oslo.md) `[[oslo]]`", "b.md": "[[oslo]]", "c.md": "[[other]] oslo",
    ]
    for (name, text) in texts { try await world.put(text, at: name) }
    try await world.put("[[oslo]] is here", at: "oslo.md")
    let service = try world.service()
    let plan = try await moved(world, service)
    #expect(plan.linkCount == 4 && plan.noteCount == 3)
    #expect(plan.question == "4 links in 3 notes point here. Mend them?")
    let outcome = try await service.mend(plan)
    #expect(outcome.isWhole && outcome.mended.count == 3 && outcome.sentence("Mended") == "Mended links in 3 notes.")
    #expect(try await world.text("a.md") == "see [[bergen#Quay|x]]\r\nand [o](bergen.md) `[[oslo]]`")
    #expect(try await world.text("b.md") == "[[bergen]]")
    #expect(try await world.text("c.md") == "[[other]] oslo")
    #expect(try await world.text("bergen.md") == "[[bergen]] is here")
    #expect(await service.undo(outcome.mended).isWhole)
    for (name, text) in texts { #expect(try await world.text(name) == text) }
    #expect(try await world.text("bergen.md") == "[[oslo]] is here")
  }

  @Test func `a file that moves on before the links are mended is offered once, with links to its last place`()
    async throws
  {
    let world = try NotesWorld()
    for (name, text) in [("a.md", "[[oslo]]"), ("oslo.md", "")] { try await world.put(text, at: name) }
    let service = try world.service()
    let (oslo, bergen, narvik) = (try StorePath("oslo.md"), try StorePath("bergen.md"), try StorePath("narvik.md"))
    _ = try await service.rename(oslo, to: "bergen", seen: nil)
    let first = try #require(try await service.linksToMend(adding: [PathMove(oslo, to: bergen)]))
    _ = try await service.rename(bergen, to: "narvik", seen: nil)
    let second = try #require(try await service.linksToMend(adding: [PathMove(bergen, to: narvik)]))
    #expect(second.linkCount == 1 && second.moves == [PathMove(oslo, to: narvik)])
    await #expect(throws: StoreError.self) { _ = try await service.mend(first) }
    #expect(try await world.text("a.md") == "[[oslo]]")
    #expect(try await service.mend(second).mended.count == 1)
    #expect(try await world.text("a.md") == "[[narvik]]")
    #expect(try await service.linksToMend(adding: []) == nil)
  }

  @Test func `the links of a move are offered after those of an earlier one were decided meanwhile`() async throws {
    let world = try NotesWorld()
    let names = ["oslo", "quay"]
    for name in names { try await world.put("", at: "\(name).md") }
    for name in names { try await world.put("[[\(name)]]", at: "to \(name).md") }
    let service = try world.service()
    func move(_ name: String) async throws -> PathMove {
      let path = try StorePath("\(name).md")
      return PathMove(path, to: try await service.rename(path, to: "new \(name)", seen: nil).path)
    }
    let first = try #require(try await service.linksToMend(adding: [move("oslo")]))
    let both = try #require(try await service.linksToMend(adding: [move("quay")]))
    #expect(first.linkCount == 1 && both.linkCount == 2)
    _ = try await service.mend(first)
    let rest = try #require(try await service.linksToMend(adding: []))
    #expect(rest.linkCount == 1 && rest.moves.count == 1)
    #expect(try await service.mend(rest).mended.count == 1)
    #expect(try await world.text("to quay.md") == "[[new quay]]")
  }

  @Test func `a folder that is empty after a further move stops no mend`() async throws {
    let world = try NotesWorld()
    for (name, text) in [("x/a.md", ""), ("b.md", "[[x/a]]")] { try await world.put(text, at: name) }
    let service = try world.service()
    let (x, y) = (try StorePath("x"), try StorePath("y"))
    _ = try await service.moveFolder(x, to: y, seen: [])
    _ = try await service.linksToMend(adding: [PathMove(x, to: y)])
    let (inside, top) = (try StorePath("y/a.md"), try StorePath("a.md"))
    _ = try await service.move(inside, to: .root, seen: nil)
    let plan = try #require(try await service.linksToMend(adding: [PathMove(inside, to: top)]))
    #expect(try await service.mend(plan).mended.count == 1)
    #expect(try await world.text("b.md") == "[[a]]")
  }

  @Test(arguments: [false, true])
  func `a rename that was undone, and one whose file is in the trash, have no links to mend`(isTrashed: Bool)
    async throws
  {
    let world = try NotesWorld()
    for (name, text) in [("a.md", "[[oslo]]"), ("oslo.md", "")] { try await world.put(text, at: name) }
    let service = try world.service()
    let (oslo, bergen) = (try StorePath("oslo.md"), try StorePath("bergen.md"))
    _ = try await service.rename(oslo, to: "bergen", seen: nil)
    let plan = try #require(try await service.linksToMend(adding: [PathMove(oslo, to: bergen)]))
    if isTrashed {
      _ = try await service.trash(bergen)
      service.movedToTrash(bergen)
    } else {
      _ = try await service.rename(bergen, to: "oslo", seen: nil)
      service.movedBack([PathMove(bergen, to: oslo)])
    }
    #expect(try await service.linksToMend(adding: []) == nil)
    let error = await #expect(throws: StoreError.self) { _ = try await service.mend(plan) }
    #expect(error?.kind == .conflict && error?.path == bergen)
    #expect(try await world.text("a.md") == "[[oslo]]")
  }

  @Test func `a note that changed meanwhile is skipped and named, also by the undo`() async throws {
    let world = try NotesWorld()
    for name in ["a.md", "b.md", "c.md"] { try await world.put("[[oslo]]", at: name) }
    try await world.put("", at: "oslo.md")
    let service = try world.service()
    let plan = try await moved(world, service)
    try await world.put("[[oslo]] and more", at: "b.md")
    let outcome = try await service.mend(plan)
    #expect(outcome.changed == [try StorePath("b.md")] && outcome.mended.count == 2)
    #expect(outcome.sentence("Mended") == "Mended links in 2 of 3 notes; changed meanwhile: b.md.")
    #expect(try await world.text("b.md") == "[[oslo]] and more")
    try await world.put("[[bergen]], too", at: "c.md")
    let undone = await service.undo(outcome.mended)
    #expect(undone.changed == [try StorePath("c.md")] && undone.mended.count == 1)
    #expect(try await world.text("a.md") == "[[oslo]]")
    #expect(try await world.text("c.md") == "[[bergen]], too")
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `words that wait over an old text stay in the outbox when their links are mended and someone saved anew`()
    async throws
  {
    let world = try NotesWorld()
    let entry = try await world.put("first\n[[oslo]]", at: "a.md")
    try await world.put("", at: "oslo.md")
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    let kept = try await service.save(
      entry.path, base: entry.revision, text: bytes("mine, typed on the ferry\n[[oslo]]"), draft: nil)
    #expect(kept.kept != nil)
    world.store.fail(nil)
    try await world.put("theirs, all new", at: "a.md")
    let outcome = try await service.mend(moved(world, service))
    #expect(outcome.changed == [entry.path] && outcome.failures.isEmpty)
    #expect(try await world.text("a.md") == "theirs, all new")
    let waiting = try await service.waiting()
    #expect(waiting.map(\.kind) == [.conflict])
    let id = try #require(waiting.first?.id)
    #expect(try await service.text(of: id) == bytes("mine, typed on the ferry\n[[bergen]]"))
  }

  @Test func `a note that is gone, one that is no text and one that is not Markdown are left alone`() async throws {
    let world = try NotesWorld()
    for name in ["a.md", "b.txt", "c.md"] { try await world.put("[[oslo]]", at: name) }
    try await world.put("", at: "oslo.md")
    let service = try world.service()
    let plan = try await moved(world, service)
    #expect(plan.noteCount == 2)
    try await world.memory.delete(try StorePath("c.md"), ifRevision: nil)
    let outcome = try await service.mend(plan)
    #expect(outcome.changed == [try StorePath("c.md")] && outcome.failures.isEmpty)
    #expect(try await world.text("b.txt") == "[[oslo]]")
    #expect(try await service.waiting().isEmpty)
  }

  @Test(arguments: [10, 200])
  func `each note is read once to look, and once more to be mended`(count: Int) async throws {
    let world = try NotesWorld()
    for number in 0..<count { try await world.put("[[oslo]] \(number)", at: "n\(number).md") }
    try await world.put("", at: "oslo.md")
    let log = LoggedReads(world.memory)
    let service = try world.service(store: log)
    let plan = try await moved(world, service)
    #expect(plan.noteCount == count && log.reads <= count + 2)
    let outcome = try await service.mend(plan)
    #expect(outcome.mended.count == count && log.reads <= 2 * count + 4)
  }

  @Test func `notes that link to each other, and to themselves, are mended once`() async throws {
    let world = try NotesWorld()
    try await world.put("[[b]] [[oslo]]", at: "a.md")
    try await world.put("[[a]] [[oslo]]", at: "b.md")
    try await world.put("[[oslo]] [[a]] [[b]]", at: "oslo.md")
    let service = try world.service()
    let outcome = try await service.mend(moved(world, service))
    #expect(outcome.mended.count == 3)
    #expect(try await world.text("bergen.md") == "[[bergen]] [[a]] [[b]]")
    let plan = try await service.linksToMend(
      after: [PathMove(try StorePath("oslo.md"), to: try StorePath("bergen.md"))])
    #expect(plan.linkCount == 0)
  }

  // MARK: - While the server is away

  private var oslo: StorePath { get throws { try StorePath("oslo.md") } }
  private var bergen: StorePath { get throws { try StorePath("bergen.md") } }

  private func away(_ texts: [String: String]) async throws -> (CopyWorld, CopyWorld.Process) {
    let world = try CopyWorld()
    for (name, text) in texts { try await world.put(text, at: name) }
    try await world.put("fjord", at: "oslo.md")
    let process = try await world.away()
    _ = world.server.takeCalls()
    return (world, process)
  }

  @Test func `a rename and found mends ask a server that is away for nothing, and wait with their conditions`()
    async throws
  {
    let (world, process) = try await away(["a.md": "[[oslo]]", "b.md": "[[oslo]]"])
    _ = try await process.notes.rename(try oslo, to: "bergen", seen: nil)
    #expect(world.server.takeCalls().isEmpty)
    let plan = try await process.notes.linksToMend(after: [PathMove(try oslo, to: try bergen)])
    // The look for links, and for where they lead, asks for changes.
    _ = world.server.takeCalls()
    let outcome = try await process.notes.mend(plan)
    #expect(world.server.takeCalls().keys.allSatisfy { $0 == .poll })
    #expect(outcome.sentence("Mended") == "Mended links in 2 notes; they are sent when the server answers.")
    try await world.put("theirs, all new", at: "b.md")
    await world.back(process)
    let sent = try await send(process)
    #expect(try await world.text("a.md") == "[[bergen]]")
    #expect(try await world.text("b.md") == "theirs, all new")
    #expect(try await world.text("bergen.md") == "fjord")
    // Nobody typed the mended text, so nobody has to decide about it.
    #expect(sent.count == 1)
    #expect(
      sent.skipped == ["Someone else changed \"b.md\", too, so its links were not mended."])
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test func `notes whose texts are not on this machine are counted while the server is away`() async throws {
    let world = try CopyWorld()
    for name in ["a.md", "b.md", "oslo.md"] { try await world.put("[[oslo]]", at: name) }
    let process = try world.start()
    _ = try await process.names()
    world.server.isAway = true
    await process.copy.probe()
    _ = try await process.notes.rename(try oslo, to: "bergen", seen: nil)
    let plan = try await process.notes.linksToMend(after: [PathMove(try oslo, to: try bergen)])
    #expect(plan.linkCount == 0 && plan.remark == "3 notes could not be read, so links in them stay.")
  }

  /// Sends all that waits. The count is that of texts that the club has then; the reasons are those of skipped mends.
  private func send(_ process: CopyWorld.Process) async throws -> (count: Int, skipped: [String]) {
    var (count, skipped): (Int, [String]) = (0, [])
    #expect(await process.notes.sendNames().isEmpty)
    try await process.notes.sendAll(conflicts: true) { _, outcome in
      if outcome.saved != nil || outcome.merged != nil { count += 1 }
    } skipped: {
      skipped.append($0.message)
    }
    return (count, skipped)
  }

  /// Renames "oslo.md" and mends all links to it.
  private func mend(_ process: CopyWorld.Process) async throws -> MendOutcome {
    _ = try await process.notes.rename(try oslo, to: "bergen", seen: nil)
    return try await process.notes.mend(
      process.notes.linksToMend(after: [PathMove(try oslo, to: try bergen)]))
  }

  @Test(arguments: 0..<12)
  func `a mend that waits and what another changes elsewhere in the note are both there at the end`(
    seed: Int
  ) async throws {
    var random = SeededNumbers(UInt64(seed))
    var lines: [String] = []
    for number in 0..<(4 + random.below(8)) {
      lines += ["\(number) see [[oslo]] and [o](oslo.md)", "near \(number)", "plain \(number)", "next to \(number)"]
    }
    let old = lines.joined(separator: "\n")
    let (world, process) = try await away(["a.md": old])
    #expect(try await mend(process).waiting == 1)
    #expect(try process.notes.drafts.baseText(bytes(old).hashed) == bytes(old))
    for index in lines.indices where index % 4 == 2 {
      switch random.below(4) {
      case 0: lines[index] += " and more"
      case 1: lines[index] = "new \(index)\nand one more"
      case 2: lines[index] = ""
      default: break
      }
    }
    lines.append("at the end")
    try await world.put(lines.joined(separator: "\n"), at: "a.md")
    await world.back(process)
    let sent = try await send(process)
    #expect(sent.count == 1 && sent.skipped.isEmpty)
    let mended = lines.map {
      $0.replacingOccurrences(of: "[[oslo]]", with: "[[bergen]]").replacingOccurrences(of: "oslo.md", with: "bergen.md")
    }
    #expect(try await world.text("a.md") == mended.joined(separator: "\n"))
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test(arguments: [true, false])
  func `a text that was typed before its links were mended is merged, and waits where another changed its place`(
    isElsewhere: Bool
  ) async throws {
    let old = "first\n\n[[oslo]]\n\nlast\n"
    let (world, process) = try await away(["a.md": old])
    let entry = try await process.store.entry(at: try StorePath("a.md"))
    let drafts = process.notes.drafts
    let draft = drafts.begin(entry.path, title: "", base: entry.revision, text: bytes(old))
    drafts.record([DraftEdit(offset: 0, removed: 5, inserted: bytes("typed"))], in: draft)
    let typed = "typed\n\n[[oslo]]\n\nlast\n"
    let saved = try await process.notes.save(entry.path, base: entry.revision, text: bytes(typed), draft: draft)
    #expect(saved.kept != nil)
    #expect(try await mend(process).waiting == 1)
    let theirs = isElsewhere ? "first\n\n[[oslo]]\n\ntheirs\n" : "theirs\n\n[[oslo]]\n\nlast\n"
    try await world.put(theirs, at: "a.md")
    await world.back(process)
    let sent = try await send(process)
    #expect(sent.skipped.isEmpty && sent.count == (isElsewhere ? 1 : 0))
    #expect(try await world.text("a.md") == (isElsewhere ? "typed\n\n[[bergen]]\n\ntheirs\n" : theirs))
    let waiting = try await process.notes.waiting()
    #expect(waiting.map(\.kind) == (isElsewhere ? [] : [.conflict]))
    guard let id = waiting.first?.id else { return }
    #expect(try await process.notes.text(of: id) == bytes("typed\n\n[[bergen]]\n\nlast\n"))
  }

  @Test func `a mend goes with its note into the trash, and is left out of a note that another removed`() async throws {
    let (world, process) = try await away(["a.md": "[[oslo]]", "b.md": "[[oslo]]"])
    #expect(try await mend(process).waiting == 2)
    _ = try await process.notes.trash(try StorePath("a.md"), seen: nil)
    #expect(try await process.notes.waiting().allSatisfy { $0.kind == .toSend })
    try await world.memory.delete(try StorePath("b.md"), ifRevision: nil)
    await world.back(process)
    #expect(
      try await send(process).skipped == ["\"b.md\" is no longer in the club, so its links were not mended."])
    #expect(try await process.notes.waiting().isEmpty)
    #expect(try await world.text("a.md") == nil)
    #expect(try await world.text("b.md") == nil)
  }

  @Test func `a script's text takes the place of a mend that waits over the same version`() async throws {
    let (world, process) = try await away(["a.md": "[[oslo]]"])
    #expect(try await mend(process).waiting == 1)
    let path = try StorePath("a.md")
    let base = try await process.store.entry(at: path).revision
    _ = try await process.notes.postpone(bytes("put"), for: path, base: base)
    await world.back(process)
    #expect(try await send(process).count == 1)
    #expect(try await world.text("a.md") == "put")
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test func `a rename back while mends wait finds the links in the texts that wait, and brings them back`()
    async throws
  {
    let (world, process) = try await away(["a.md": "[[oslo]]", "b.md": "[x](oslo.md)"])
    for (from, to) in [(try oslo, try bergen), (try bergen, try oslo)] {
      _ = try await process.notes.rename(from, to: String(decoding: to.name, as: UTF8.self), seen: nil)
      let plan = try await process.notes.linksToMend(after: [PathMove(from, to: to)])
      #expect(plan.linkCount == 2)
      #expect(try await process.notes.mend(plan).mended.count == 2)
    }
    #expect(try await process.notes.own(try StorePath("a.md"))?.bytes == bytes("[[oslo]]"))
    #expect(try await process.notes.waiting().count == 2)
    await world.back(process)
    for text in try await process.notes.waiting() { _ = try await process.notes.send(text) }
    #expect(try await world.text("a.md") == "[[oslo]]")
    #expect(try await world.text("b.md") == "[x](oslo.md)")
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test(arguments: ["![](photos/pier.jpg)", "[x](a.md)"])
  func `a moved note tells of its links to photos that the machine has never listed`(text: String) async throws {
    let (_, process) = try await away(["a.md": text])
    let (old, new) = (try StorePath("a.md"), try StorePath("trips/a.md"))
    _ = try await process.notes.move(old, to: try StorePath("trips"), named: nil, seen: nil)
    let plan = try await process.notes.linksToMend(after: [PathMove(old, to: new)])
    #expect((plan.remark != nil) == text.contains("photos"))
    _ = try await process.notes.rename(new, to: "b", seen: nil)
    let next = try await process.notes.linksToMend(after: [PathMove(new, to: try StorePath("trips/b.md"))])
    #expect(next.remark == nil)
  }

  @Test func `an outcome tells how many mends wait, and its error has the failure and all else`() throws {
    func note(_ name: String) throws -> MendedNote {
      MendedNote(path: try StorePath(name), hash: "", inverse: [])
    }
    let path = try oslo
    var outcome = MendOutcome()
    outcome.mended = [try note("a.md")]
    outcome.waiting = 1
    #expect(outcome.error("Mended") == nil)
    outcome.failures = [StoreError(.quota, "The club is full.", remedy: "Remove files.", path: path)]
    let error = try #require(outcome.error("Mended"))
    #expect(
      error.message == "Mended links in 1 of 2 notes; 1 of them is sent when the server answers. The club is full.")
    #expect(error.kind == .quota && error.remedy == "Remove files." && error.path == path)
    #expect(outcome.sentence("Mended") == "\(error)")
    outcome.failures = []
    outcome.refusal = StoreError(.notPermitted, "You may not write \"a.md\".", path: path)
    #expect(
      outcome.sentence("Mended")
        == "Mended links in 1 note; it is kept on this machine, not yet in the club. You may not write \"a.md\".")
    outcome.changed = [path]
    #expect(outcome.error("Mended")?.kind == .conflict)
  }

  @Test func `a note goes to the trash without a question to a server that is away`() async throws {
    let (world, process) = try await away([:])
    _ = try await process.notes.trash(try oslo, seen: nil)
    #expect(world.server.takeCalls().isEmpty)
    #expect(try await process.notes.waiting().count == 1)
  }
}

/// A store that counts the files that are read.
private final class LoggedReads: StoreAround {
  let base: any FileStore
  private let count = Mutex(0)
  var reads: Int { count.withLock { $0 } }

  init(_ base: any FileStore) { self.base = base }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    count.withLock { $0 += 1 }
    return try await base.read(path, options, receive)
  }
}
