import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct TalkServiceTests {
  private let world: NotesWorld
  private let walk: StorePath

  init() throws {
    world = try NotesWorld()
    walk = try StorePath("walk.md")
  }

  /// Ids of which each is the letter eight times.
  private static func ids(_ letters: String) -> () -> String {
    var rest = Array(letters)
    return { String(repeating: rest.isEmpty ? "z" : rest.removeFirst(), count: 8) }
  }

  @Test func `remarks on notes in folders lie beside them, are no notes, and go to another note`() async throws {
    for (text, name) in [("fjord", "trips/oslo.md"), ("rain", "trips/2026/bergen.md"), ("top", "oslo.md")] {
      try await world.put(text, at: name)
    }
    let service = try world.service()
    let oslo = try StorePath("trips/oslo.md")
    _ = try await service.say("Cold?", .whole, about: oslo, id: Self.ids("a"))
    #expect(try await world.text("trips/oslo.md.talk.md").hasPrefix("# Remarks on oslo.md\n\n- **ann** "))
    var names: [String] = []
    try await service.names { names += $0.notes.map { "\($0.path)" } }
    #expect(names.sorted() == ["oslo.md", "trips/2026/bergen.md", "trips/oslo.md"])
    #expect(await service.remarkFacts()?[oslo]?.count == 1)
    #expect(try await service.talk(about: try StorePath("oslo.md")).remarks.isEmpty)
    #expect(try await service.happenings().map { "\($0.thing)" }.count { $0 == "trips/oslo.md" } == 2)
    // Another program removes the note: its remarks are listed, and go to another one.
    try await world.memory.delete(oslo, ifRevision: nil)
    let gone = try await service.thingsWithTalk()
    #expect(gone.map(\.path) == [oslo] && gone.allSatisfy(\.isGone))
    let bergen = try StorePath("trips/2026/bergen.md")
    #expect(try await service.joinTalk(ofGone: oslo, to: bergen) == StorePath("trips/2026/bergen.md.talk.md"))
    #expect(try await service.talk(about: bergen).remarks.map(\.text) == ["Cold?"])
  }

  @Test func `the first remark makes the file, and the next ones are added below`() async throws {
    try await world.put("over the sand", at: "walk.md")
    let service = try world.service()
    _ = try await service.say("Low tide only.", .words("the sand"), about: walk, id: Self.ids("a"))
    // An id that is taken is not given again.
    _ = try await service.say("Always.", .reply(to: "aaaaaaaa"), about: walk, id: Self.ids("ab"))
    #expect(
      try await world.text("walk.md.talk.md") == """
        # Remarks on walk.md

        - **ann** 2031-01-09 12:00Z aaaaaaaa on "the sand": Low tide only.
        - **ann** 2031-01-09 12:00Z bbbbbbbb re aaaaaaaa: Always.

        """)
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["Low tide only.", "Always."])
    #expect(try await service.thingsWithTalk().map { $0.path } == [walk])
  }

  @Test func `remarks of others are not changed, and a missing one is said`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put("# Remarks on walk.md\n\n- **eve** 2026-11-26 18:04Z eeeeeeee: hers\n", at: "walk.md.talk.md")
    let service = try world.service()
    #expect(
      await kind { _ = try await service.say("", .withdrawal(of: "eeeeeeee"), about: walk, id: Self.ids("a")) }
        == .notPermitted)
    #expect(
      await kind { _ = try await service.say("x", .correction(of: "eeeeeeee"), about: walk, id: Self.ids("a")) }
        == .notPermitted)
    #expect(
      await kind { _ = try await service.say("x", .reply(to: "ffffffff"), about: walk, id: Self.ids("a")) } == .notFound
    )
    _ = try await service.say("", .agreement(with: "eeeeeeee"), about: walk, id: Self.ids("a"))
    #expect(try await service.talk(about: walk).remarks.map(\.agreed) == [["ann"]])
  }

  @Test func `a remark made while the store is away waits, is shown, and comes once`() async throws {
    try await world.put("a", at: "walk.md")
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    guard case .kept = try await service.say("Later.", .whole, about: walk, id: Self.ids("a")).outcome else {
      Issue.record("The remark does not wait.")
      return
    }
    world.store.fail(nil)
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["Later."])
    // Another member is the first.
    try await world.put("# Remarks on walk.md\n\n- **eve** 2026-11-26 18:04Z eeeeeeee: hers\n", at: "walk.md.talk.md")
    let waiting = try #require(try await service.unsent().first)
    #expect(try await service.sendUnsent(waiting.id).saved != nil)
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["hers", "Later."])
    #expect(try await service.talk(about: walk).strange.isEmpty)
  }

  @Test func `the list leaves remarks out while their note is there and they begin as such`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put("# Remarks on walk.md\n", at: "walk.md.talk.md")
    try await world.put("# Remarks on gone.md\n", at: "gone.md.talk.md")
    try await world.put("b", at: "other.md")
    try await world.put("My own text", at: "other.md.talk.md")
    let service = try world.service()
    var names: [String] = []
    try await service.names { names += $0.notes.map { "\($0.path)" } }
    #expect(names.sorted() == ["gone.md.talk.md", "other.md", "other.md.talk.md", "walk.md"])
  }

  @Test func `remarks on what is gone are listed, and given to another note once`() async throws {
    try await world.put("a", at: "walk.md")
    let head = "# Remarks on gone.md\n\n"
    let items = ["- **eve** 2026-11-26 18:04Z aaaaaaa1: hers\n", "- **ann** 2026-11-26 18:04Z aaaaaaa2: mine\n"]
    try await world.put(head + items[0], at: "gone.md.talk.md")
    let service = try world.service()
    let gone = try StorePath("gone.md")
    #expect(try await service.thingsWithTalk().map { "\($0.path) \($0.isGone)" } == ["gone.md true"])
    #expect("\(try await service.joinTalk(ofGone: gone, to: walk))" == "walk.md.talk.md")
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["hers"])
    #expect(try await world.names == ["walk.md", "walk.md.talk.md"])
    // A file that the first try had joined already.
    try await world.put(head + items.joined(), at: "gone.md.talk.md")
    _ = try await service.joinTalk(ofGone: gone, to: walk)
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["hers", "mine"])
    #expect(try await service.talk(about: walk).strange.isEmpty)
    #expect(try await world.names == ["walk.md", "walk.md.talk.md"])
  }

  @Test func `remarks without a first line are joined, too, and get one`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put("- **eve** 2026-11-26 18:04Z aaaaaaa1: hers\n", at: "gone.md.talk.md")
    let service = try world.service()
    _ = try await service.joinTalk(ofGone: try StorePath("gone.md"), to: walk)
    #expect(try await world.text("walk.md.talk.md").hasPrefix("# Remarks on walk.md\n"))
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["hers"])
    #expect(try await world.names == ["walk.md", "walk.md.talk.md"])
  }

  @Test(arguments: ["Ann of the account", nil])
  func `a remark has the name by which the store knows its writer, else that of the config`(ofAccount: String?)
    async throws
  {
    try await world.put("a", at: "walk.md")
    let club = Club(
      name: "home", place: "here", memberName: { "nickname" }, ownName: { ofAccount }, store: world.store,
      photosFolder: try StorePath("photos"))
    let service = NotesService(
      club: club, outbox: world.outbox, drafts: try world.journal(),
      folderAt: { [pool = world.pool] path throws(StoreError) in try FolderStore(root: path, pool: pool) },
      editsDirectory: world.edits)
    let said = try await service.say("Hello.", .whole, about: walk, id: Self.ids("a"))
    #expect(said.item.member == ofAccount ?? "nickname")
    #expect(await service.memberName() == said.item.member)
  }

  @Test func `a door with the id of a remark hinders no answer`() async throws {
    try await world.put("a", at: "walk.md")
    let door = "- **eve** 2026-11-26 18:05Z aaaaaaa1 door [x](y.jpg) @0.0,0.0\n"
    try await world.put(
      "# Remarks on walk.md\n\n- **ann** 2026-11-26 18:04Z aaaaaaa1: hers\n" + door, at: "walk.md.talk.md")
    let service = try world.service()
    _ = try await service.say("Yes.", .reply(to: "aaaaaaa1"), about: walk, id: Self.ids("b"))
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["hers", "Yes."])
  }

  @Test func `what is there keeps its remarks, and other files are not joined`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put("b", at: "tour.md")
    try await world.put("# Remarks on tour.md\n", at: "tour.md.talk.md")
    try await world.put("my text", at: "gone.md.talk.md")
    let service = try world.service()
    let (tour, gone, none) = (try StorePath("tour.md"), try StorePath("gone.md"), try StorePath("none.md"))
    #expect(await kind { _ = try await service.joinTalk(ofGone: tour, to: walk) } == .exists)
    #expect(await kind { _ = try await service.joinTalk(ofGone: gone, to: walk) } == .badInput)
    #expect(await kind { _ = try await service.joinTalk(ofGone: none, to: walk) } == .notFound)
    #expect(try await world.text("gone.md.talk.md") == "my text")
  }

  @Test func `a listing counts the remarks on notes, and finds mentions since the member's last one`() async throws {
    try await world.put("a", at: "walk.md")
    let head = "# Remarks on walk.md\n\n"
    func line(_ member: String, _ text: String, _ number: Int) -> String {
      "- **\(member)** 2026-11-26 18:04Z aaaaaaa\(number): \(text)\n"
    }
    try await world.put(
      head + line("eve", "@ann @ray look", 1) + line("ann", "yes", 2) + line("eve", "gone", 3)
        + "- **eve** 2026-11-26 18:04Z aaaaaaa4 gone aaaaaaa3\n", at: "walk.md.talk.md")
    let service = try world.service()
    #expect(await service.remarkFacts() == nil)
    try await service.names { _ in }
    let facts = try #require(await service.remarkFacts()?[walk])
    #expect(facts.count == 2 && facts.last == "ann")
    #expect(!facts.mention("ann") && facts.mention("ray") && !facts.mention("eve"))
    // Details bring the revision, by which new remarks are known.
    try await service.details { _ in }
    #expect(await service.remarkFacts()?[walk]?.file.revision != nil)
    try await world.memory.delete(try StorePath("walk.md.talk.md"), ifRevision: nil)
    try await service.details { _ in }
    #expect(await service.remarkFacts()?.isEmpty == true)
  }

  @Test func `a change of remarks is no change of a note, and is counted`() async throws {
    try await world.put("a", at: "walk.md")
    let service = try world.service()
    try await service.names { _ in }
    try await world.put("# Remarks on walk.md\n\n- **eve** 2026-11-26 18:04Z aaaaaaa1: x\n", at: "walk.md.talk.md")
    try await world.put("# Remarks on gone.md\n", at: "gone.md.talk.md")
    let (stream, sink) = AsyncStream.makeStream(of: ChangeSet.Change.self)
    let watching = Task { try await service.changes { set in for change in set.changes { sink.yield(change) } } }
    var changes = stream.makeAsyncIterator()
    guard case .present(let entry)? = await changes.next() else {
      Issue.record("no change")
      return
    }
    // The remarks on no note are a file like others.
    #expect("\(entry.path)" == "gone.md.talk.md")
    #expect(await service.remarkFacts()?[walk]?.count == 1)
    watching.cancel()
    try await watching.value
  }

  @Test(
    "A typed remark outlives its process, and is found with its place",
    arguments: [
      TalkItem.Aim.whole, .direction(yaw: 132, pitch: -8.5), .words("over \"the\" sand"), .reply(to: "aaaaaaaa"),
      .correction(of: "aaaaaaaa"),
    ])
  func typedRemarksAreFound(_ aim: TalkItem.Aim) async throws {
    var journal: DraftJournal? = try world.journal()
    let draft = journal?.begin(aim, on: walk, text: bytes("low "))
    journal?.record([DraftEdit(offset: 4, removed: 0, inserted: bytes("tide"))], in: try #require(draft))
    await journal?.flush()
    await NotesWorld.end(&journal)
    let service = try world.service()
    let found = try #require(try await service.typedRemark(on: walk))
    #expect(found.aim == aim && found.text == "low tide" && found.draft == draft)
    #expect(try await service.typedRemark(on: StorePath("other.md")) == nil)
  }

  @Test func `of several typed remarks the chosen one is found, else the newest`() async throws {
    let journal = try world.journal()
    let aims: [TalkItem.Aim] = [.whole, .reply(to: "aaaaaaaa"), .words("sand")]
    let ids = aims.map { aim in
      let draft = journal.begin(aim, on: walk, text: [])
      journal.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("x"))], in: draft)
      return draft
    }
    let service = try world.service(journal)
    for (aim, id) in zip(aims, ids) {
      let found = try #require(try await service.typedRemark(on: walk, chosen: id))
      #expect(found.draft == id && found.aim == aim)
    }
    #expect(try await service.typedRemark(on: StorePath("other.md"), chosen: ids[0]) == nil)
    #expect(try await service.typedRemark(on: walk) != nil)
  }

  @Test func `a draft of the talk file itself is no remark`() async throws {
    let journal = try world.journal()
    let draft = journal.begin(try Talk.path(of: walk), title: "walk.md.talk.md", base: nil, text: [])
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("by hand"))], in: draft)
    #expect(try await world.service(journal).typedRemark(on: walk) == nil)
  }

  @Test func `a draft of a remark is sent as one`() async throws {
    try await world.put("a", at: "walk.md")
    let journal = try world.journal()
    let draft = journal.begin(.words("a"), on: walk, text: [])
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("Low tide."))], in: draft)
    let service = try world.service(journal)
    let waiting = try #require(try await service.waiting().first)
    #expect(try await service.send(waiting).saved != nil)
    #expect(try await service.talk(about: walk).remarks.map(\.text) == ["Low tide."])
    #expect(try await service.talk(about: walk).remarks.map(\.item.aim) == [.words("a")])
    #expect(try await service.waiting().isEmpty)
  }

  @Test func `the draft of a remark follows its renamed note`() async throws {
    let entry = try await world.put("a", at: "walk.md")
    let journal = try world.journal()
    let draft = journal.begin(.whole, on: walk, text: [])
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: bytes("x"))], in: draft)
    let service = try world.service(journal)
    _ = try await service.rename(walk, to: "tour.md", seen: entry)
    #expect(try await service.typedRemark(on: StorePath("tour.md"))?.text == "x")
  }

  @Test func `a waiting remark follows a renamed note`() async throws {
    let entry = try await world.put("a", at: "walk.md")
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.say("Later.", .whole, about: walk, id: Self.ids("a"))
    world.store.fail(nil)
    _ = try await service.rename(walk, to: "tour.md", seen: entry)
    #expect(try await service.unsent().map { "\($0.path)" } == ["tour.md.talk.md"])
  }

  @Test func `remarks of 10 MB are refused with a sentence, and hurt neither the list nor the note`() async throws {
    let entry = try await world.put("a", at: "walk.md")
    let line = "- **eve** 2026-11-26 18:04Z eeeeeeee: \(String(repeating: "x", count: 1000))\n"
    try await world.put("# Remarks on walk.md\n\n" + String(repeating: line, count: 10_000), at: "walk.md.talk.md")
    let service = try world.service()
    var names: [String] = []
    try await service.names { names += $0.notes.map { "\($0.path)" } }
    #expect(names == ["walk.md"])
    #expect(await service.remarkFacts()?[walk] == nil)
    let note = try await service.open(entry.path)
    #expect(await service.remarks(on: note) == .none)
    #expect(await kind { _ = try await service.talk(about: walk) } == .tooLarge)
    #expect(await kind { _ = try await service.say("x", .whole, about: walk, id: Self.ids("a")) } == .tooLarge)
  }

  @Test func `a remark that would make the file too large is refused, and the file stays`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(String(repeating: "x", count: Talk.mostBytes - 10), at: "walk.md.talk.md")
    let service = try world.service()
    #expect(await kind { _ = try await service.say("x", .whole, about: walk, id: Self.ids("a")) } == .tooLarge)
    #expect(try await world.text("walk.md.talk.md").utf8.count == Talk.mostBytes - 10)
  }
}
