import Backends
import Basics
import FileStores
import TestKit
import Synchronization
import Testing

@testable import ClubServices
@testable import Database

/// Folders of notes and albums as a whole.
@Suite struct FolderTests {
  private func path(_ text: String) throws -> StorePath { try StorePath(text) }

  /// The texts of all files of a store, and its folders with a slash.
  private func tree(_ store: any FileStore) async throws -> [String: String] {
    var tree: [String: String] = [:]
    for entry in try await store.contents(of: .root) {
      if entry.kind == .folder {
        tree["\(entry.path)/"] = ""
      } else {
        tree["\(entry.path)"] = String(decoding: try await store.readAll(entry.path).bytes, as: UTF8.self)
      }
    }
    return tree
  }

  private func fault(_ body: () async throws(StoreError) -> Void) async -> StoreError? {
    do throws(StoreError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `a folder moves with all that is in it, and comes back`() async throws {
    let world = try NotesWorld()
    let notes = try world.service()
    for name in ["trips/oslo.md", "trips/2026/bergen.md", "trips/2026/map.png", "trips/.obsidian/app.json", "x.md"] {
      try await world.put("of \(name)", at: name)
    }
    let before = try await tree(world.memory)
    let moved = try await notes.moveFolder(path("trips"), to: path("old/travel"))
    #expect(moved == FolderMoved(from: try path("trips"), to: try path("old/travel"), count: 4))
    let after = try await tree(world.memory)
    #expect(after["old/travel/2026/map.png"] == "of trips/2026/map.png")
    #expect(after["old/travel/.obsidian/app.json"] == "of trips/.obsidian/app.json")
    #expect(!after.keys.contains { $0.hasPrefix("trips") })
    _ = try await notes.moveFolder(moved.to, to: moved.from)
    #expect(try await tree(world.memory).filter { $0.key != "old/" } == before)
  }

  @Test func `a folder goes neither into itself nor onto something, nor where no list shows folders`() async throws {
    let world = try NotesWorld()
    let notes = try world.service()
    for name in ["a/x.md", "b/y.md", "c.md", "photos/p.jpg"] { try await world.put(name, at: name) }
    let before = try await tree(world.memory)
    for (from, to, kind) in [
      ("a", "a/b", StoreError.Kind.badInput), ("", "z", .badInput), ("a", "", .badInput), ("a", "a", .badInput),
      ("a", "b", .exists), ("a", "c.md", .exists), ("a", ".hidden", .badName), ("a", "photos/a", .badName),
      ("photos", "z", .badName), ("nothing", "z", .notFound),
    ] {
      let error = await fault { () throws(StoreError) in
        _ = try await notes.moveFolder(StorePath(from), to: StorePath(to))
      }
      #expect(error?.kind == kind, "\(from) to \(to): \(String(describing: error))")
    }
    #expect(try await tree(world.memory) == before)
    #expect(await fault { () throws(StoreError) in _ = try await notes.makeFolder("a") }?.kind == .exists)
    #expect(await fault { () throws(StoreError) in _ = try await notes.makeFolder(" / ") }?.kind == .badName)
    #expect(try await notes.makeFolder("d/e", in: path("a")) == path("a/d/e"))
    #expect(try await world.memory.entry(at: path("a/d/e")).kind == .folder)
  }

  @Test func `a folder of notes around the photos neither moves nor goes to the trash`() async throws {
    let world = try NotesWorld()
    let notes = try world.service(photosFolder: "media/photos")
    for name in ["media/x.md", "media/s/y.md", "media/photos/p.jpg"] { try await world.put(name, at: name) }
    let before = try await tree(world.memory)
    let media = try path("media")
    let errors = [
      await fault { () throws(StoreError) in _ = try await notes.moveFolder(media, to: StorePath("m")) },
      await fault { () throws(StoreError) in _ = try await notes.trashFolder(media) },
    ]
    for error in errors {
      #expect(error?.kind == .badInput)
      #expect(error?.message == "The photos folder \"media/photos\" is in \"media\", so that stays where it is.")
      #expect(error?.remedy == "Choose a folder in it.")
    }
    #expect(try await tree(world.memory) == before)
    #expect(try await notes.moveFolder(path("media/s"), to: path("s")).count == 1)
  }

  @Test func `drafts go with their folder`() async throws {
    let world = try NotesWorld()
    let journal = try world.journal()
    let notes = try world.service(journal)
    try await world.put("one\n", at: "a/x.md")
    let draft = journal.begin(try path("a/x.md"), title: "", base: nil, text: Array("one\n".utf8))
    journal.record([DraftEdit(offset: 0, removed: 0, inserted: Array("typed ".utf8))], in: draft)
    _ = try await notes.moveFolder(path("a"), to: path("b"))
    let waiting = try await notes.waiting()
    #expect(waiting.map { "\($0.path?.description ?? "")" } == ["b/x.md"])
  }

  @Test func `a folder in the trash is gone with all its files, and all of them come back`() async throws {
    let world = try NotesWorld()
    let notes = try world.service()
    for name in ["a/x.md", "a/s/y.md", "a/s/map.png", "b.md"] { try await world.put("of \(name)", at: name) }
    try await world.memory.createFolder(path("a/empty"))
    let before = try await tree(world.memory)
    let trashed = try await notes.trashFolder(path("a"))
    #expect(trashed.files.count == 3 && trashed.failure == nil && !trashed.isLeft)
    #expect(try await tree(world.memory) == ["b.md": "of b.md"])
    let restored = try await notes.restore(trashed)
    #expect(restored.files.count == 3 && restored.failure == nil)
    #expect(try await tree(world.memory) == before)
    // A name that is taken by then keeps that file alone in the trash.
    let again = try await notes.trashFolder(path("a"))
    try await world.put("Ann's", at: "a/x.md")
    let part = try await notes.restore(again)
    #expect(part.files.count == 2 && part.failure?.kind == .exists)
    #expect(part.failure?.message.hasPrefix("2 of 3 files of \"a\" are back, and 1 file stays in the trash.") == true)
    #expect(try await world.text("a/x.md") == "Ann's")
    // Tried again, those that are back count still.
    #expect(try await notes.restore(again).failure?.message == part.failure?.message)
    try await world.memory.delete(path("a/x.md"), ifRevision: nil)
    let whole = try await notes.restore(again)
    #expect(whole.files.count == 3 && whole.failure == nil)
    #expect(try await tree(world.memory) == before)
  }

  @Test func `a folder that moves while the store is away waits as one change, and texts in it follow`() async throws {
    let world = try CopyWorld()
    for name in ["a/x.md", "a/s/y.md", "b.md"] { try await world.put("one\n", at: name) }
    let process = try await world.away()
    let moved = try await process.notes.moveFolder(path("a"), to: path("c"))
    #expect(moved.to == (try path("c")))
    #expect(try await process.text("c/s/y.md") == "one\n")
    let entry = try await process.store.entry(at: path("c/x.md"))
    _ = try await process.notes.save(
      path("c/x.md"), base: entry.revision, text: Array("one\nmine\n".utf8), draft: nil)
    _ = try await process.notes.save(path("c/new.md"), base: nil, text: Array("new\n".utf8), draft: nil)
    #expect(await process.copy.waitingChanges().map(\.words) == ["renamed from \"a\""])
    // Another member's note in the old folder goes along.
    try await world.put("Ann's\n", at: "a/ann.md")
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(
      try await tree(world.memory) == [
        "b.md": "one\n", "c/": "", "c/ann.md": "Ann's\n", "c/new.md": "new\n", "c/s/": "", "c/s/y.md": "one\n",
        "c/x.md": "one\nmine\n",
      ])
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test func `while the store is away, the files of a folder in the trash are written together`() async throws {
    let world = try CopyWorld()
    let count = 300
    for number in 0..<count { try await world.put("one\n", at: "a/n\(number).md") }
    try await world.put("one\n", at: "b.md")
    let process = try await world.away()
    let door = Door()
    let before = process.copy.lines.add("names") { await door.pass() }
    let folder = try path("a")
    let trashing = Task { try await process.notes.trashFolder(folder) }
    // All of them wait for the same write.
    while process.copy.added.count < count { await Task.yield() }
    door.open()
    await before.value
    let trashed = try await trashing.value
    #expect(trashed.files.count == count && trashed.failure == nil && trashed.isLeft)
    #expect(Set(trashed.files.map(\.id)).count == count)
    #expect(await process.copy.waitingChanges().map(\.path).sorted() == trashed.files.map(\.origin).sorted())
    #expect(try await process.names() == ["b.md"])
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await tree(world.memory).filter { !$0.key.hasSuffix("/") } == ["b.md": "one\n"])
    #expect(try await process.notes.restore(trashed).files.count == count)
  }

  @Test func `while the store is away, a folder that waits to go into the trash comes back whole, and nothing waits`()
    async throws
  {
    let world = try CopyWorld()
    let count = 300
    for number in 0..<count { try await world.put("one\n", at: "a/n\(number).md") }
    try await world.put("- **ann** said\n", at: "a/n7.md.talk.md")
    let process = try await world.away()
    let before = try await process.names()
    let trashed = try await process.notes.trashFolder(path("a"))
    #expect(trashed.files.count == count + 1)
    let asked = world.server.takeCalls()
    let restored = try await process.notes.restore(trashed)
    #expect(restored.files.count == count + 1 && restored.failure == nil)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await process.names() == before && asked[.discard] == nil)
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await world.text("a/n7.md") == "one\n")
  }

  @Test(arguments: [40, 160])
  func `a folder that goes into a long trash and comes back writes some rows of the copy for each of its files`(
    count: Int
  ) async throws {
    let world = try CopyWorld()
    for number in 0..<300 { try await world.put("one\n", at: "old/n\(number).md") }
    for number in 0..<count { try await world.put("one\n", at: "a/n\(number).md") }
    let process = try world.start()
    _ = try await process.names()
    let old = try await process.notes.trashFolder(path("old"))
    await process.copy.lines.wait(for: "persist")
    func rows() throws -> Int { try process.copy.database.file.read { $0.rowsWritten } }
    func kept() throws -> [TrashedFile] { try process.copy.database.keptTrash(account: "ann", club: "https://club") }
    let before = try rows()
    let trashed = try await process.notes.trashFolder(path("a"))
    #expect(try kept().count == 300 + count)
    #expect(try await kept() == process.copy.keptTrash())
    #expect(try await process.notes.restore(trashed).files.count == count)
    await process.copy.lines.wait(for: "persist")
    #expect(try rows() - before < 12 * count + 100)
    #expect(try await kept() == process.copy.keptTrash())
    // The id of a file whose move waits for another one is the copy's at first.
    #expect(Set(try kept().map(\.origin)) == Set(old.files.map(\.origin)))
  }

  @Test func `a trash that could not be written is written whole the next time, and never has a file twice`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["a", "b", "c"] { try await world.put(name, at: "\(name).md") }
    let (process, other) = (try world.start(), try world.start())
    for each in [process, other] { _ = try await each.names() }
    func kept() throws -> [String] {
      try other.copy.database.keptTrash(account: "ann", club: "https://club").map { "\($0.origin)" }
    }
    try other.copy.database.file.write {
      try $0.run("CREATE TRIGGER full BEFORE INSERT ON copied_trash BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
    _ = try await process.notes.trash(path("a.md"))
    #expect(try kept() == [] && !world.failures.all.isEmpty)
    try other.copy.database.file.write { try $0.run("DROP TRIGGER full") }
    _ = try await process.notes.trash(path("b.md"))
    #expect(try kept() == ["b.md", "a.md"])
    let trash = try #require(other.store.capabilities.trash)
    _ = try await trash.contents()
    let file = try await process.notes.trash(path("c.md"))
    await process.copy.forgetTrashed(file.id)
    await other.copy.keepTrash([file])
    await process.copy.remember(file)
    #expect(try kept() == ["c.md"])
  }

  @Test func `the kept trash has the files of all processes, and stays when the account becomes known`() async throws {
    let world = try CopyWorld()
    for name in ["a", "b", "c"] { try await world.put(name, at: "\(name).md") }
    let (process, other) = (try world.start(), try world.start())
    func kept(_ account: String?) throws -> [String] {
      try other.copy.database.keptTrash(account: account, club: "https://club").map { "\($0.origin)" }
    }
    let trash = try #require(world.memory.capabilities.trash)
    let first = try await trash.discard(path("a.md"), ifRevision: nil)
    // The copy has no list, and no account, yet.
    _ = try await process.notes.trashed()
    #expect(try kept(nil) == ["a.md"])
    for each in [process, other] { _ = try await each.names() }
    _ = try await process.notes.trash(path("b.md"))
    #expect(try kept("ann") == ["b.md", "a.md"])
    _ = try await other.notes.trash(path("c.md"))
    try await other.notes.delete(trashed: first.id)
    #expect(try kept("ann") == ["c.md", "b.md"])
    // The other process has listed neither.
    func listed() async -> [String] { await process.copy.keptTrash().map { "\($0.origin)" } }
    #expect(await listed() == ["b.md", "a.md"])
    _ = try await process.notes.trashed()
    #expect(await listed() == ["c.md", "b.md"])
  }

  @Test func `a kept trash has its newest files up to the limit, each once, of one account`() throws {
    let database = try CopyWorld().start().copy.database
    func put(_ id: String, _ account: String = "ann", isGone: Bool = false) throws {
      let file = TrashedFile(id: id, origin: try path("\(id).md"), discarded: Timestamp(seconds: 0), size: 1)
      try database.changeTrash(of: id, to: isGone ? nil : file, account: account, club: "c", most: 3)
    }
    func kept(_ account: String = "ann") throws -> [String] {
      try database.keptTrash(account: account, club: "c").map(\.id)
    }
    for id in ["1", "2", "3", "4", "2", "5"] { try put(id) }
    #expect(try kept() == ["5", "2", "4"])
    try put("2", isGone: true)
    #expect(try kept() == ["5", "4"])
    try put("6", "bob")
    #expect(try kept() == [])
    #expect(try kept("bob") == ["6"])
  }

  @Test(arguments: [
    ("d", false, "The one file of \"a\" is in the trash."), ("dd", true, "All 2 files of \"a\" are back."),
    ("w", false, "The one file of \"a\" waits to be sent."), ("f", true, "The one file of \"a\" stays in the trash."),
    ("dw", false, "1 of 2 files of \"a\" are in the trash, and 1 file waits to be sent."),
    ("dwff", false, "1 of 4 files of \"a\" are in the trash, 1 file waits to be sent, and 2 files stay."),
    ("ddwwf", true, "2 of 5 files of \"a\" are back, 2 files wait to be sent, and 1 file stays in the trash."),
    ("df", true, "1 of 2 files of \"a\" are back, and 1 file stays in the trash."),
    ("wf", false, "1 of 2 files of \"a\" wait to be sent, and 1 file stays."),
  ])
  func `each file of a folder that goes or comes back is done, waits or stays, and one sentence counts it once`(
    ends: String, isBack: Bool, sentence: String
  ) throws {
    let error = StoreError(.notPermitted, "You may not.", remedy: "Ask ann.")
    let files = try ends.enumerated().map { number, end -> Result<StorePath, StoreError> in
      end == "f" ? .failure(error) : .success(try path("a/\(end)\(number).md"))
    }
    // Changes of other files wait, too.
    let waiting = try Set((0..<5).map { try path("a/w\($0).md") })
    let progress = try FolderProgress(path("a"), isBack: isBack, files, waiting: waiting)
    #expect(progress.done.count + progress.waiting.count + progress.failed == ends.count)
    #expect(progress.done.isDisjoint(with: progress.waiting))
    #expect(progress.sentence == sentence)
    #expect(progress.reason == (ends.contains("f") ? error : nil))
    #expect(progress.failure(error).message == "\(sentence) You may not.")
  }

  @Test func `a return that waits counts as that when it is tried again, and empty folders wait for the member`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["x", "y"] { try await world.put(name, at: "a/\(name).md") }
    try await world.memory.createFolder(path("a/empty"))
    let process = try world.start()
    _ = try await process.names()
    let trashed = try await process.notes.trashFolder(path("a"))
    #expect(trashed.progress.done.count == 2 && trashed.progress.waiting.isEmpty)
    world.server.isAway = true
    await process.copy.probe()
    for _ in 0..<2 {
      let back = try await process.notes.restore(trashed)
      #expect(back.progress.waiting == Set(trashed.files.map(\.origin)) && back.progress.done.isEmpty)
      let start = "All 2 files of \"a\" wait to be sent. The empty folder \"a/empty\" is not back."
      #expect(back.failure?.kind == .offline && back.failure?.message.hasPrefix(start) == true)
    }
  }

  @Test(arguments: [40, 160])
  func `a folder that waits to go into the trash comes back in two readings of what waits`(count: Int) async throws {
    let world = try CopyWorld()
    for number in 0..<count { try await world.put("one\n", at: "a/n\(number).md") }
    let process = try await world.away()
    let trashed = try await process.notes.trashFolder(path("a"))
    let (reading, dropping) = (Door(), Door())
    let rows = try await process.outboxRows {
      _ = process.copy.lines.add("names") { await reading.pass() }
      async let restored = process.notes.restore(trashed)
      while process.copy.readings.count < count { await Task.yield() }
      _ = process.copy.lines.add("names") { await dropping.pass() }
      reading.open()
      while process.copy.dropped.count < count { await Task.yield() }
      dropping.open()
      let files = try await restored.files
      #expect(files.count == count)
    }
    #expect(rows < 3 * count)
    #expect(await process.copy.waitingChanges().isEmpty)
  }

  @Test func `a folder whose name another member takes meanwhile keeps its own, and so do the texts in it`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["a/x.md", "b.md"] { try await world.put("one\n", at: name) }
    let process = try await world.away()
    _ = try await process.notes.moveFolder(path("a"), to: path("c"))
    let entry = try await process.store.entry(at: path("c/x.md"))
    _ = try await process.notes.save(
      path("c/x.md"), base: entry.revision, text: Array("one\nmine\n".utf8), draft: nil)
    try await world.put("Ann's\n", at: "c/x.md")
    await world.back(process)
    let refusals = await process.notes.sendNames()
    #expect(refusals.map(\.message) == ["\"a\" keeps its name: someone else has made \"c\" meanwhile."])
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await world.text("a/x.md") == "one\nmine\n")
    #expect(try await world.text("c/x.md") == "Ann's\n")
    #expect(try await process.notes.waiting().isEmpty)
  }

  @Test func `a folder that moves back before it is sent is never sent`() async throws {
    let world = try CopyWorld()
    try await world.put("one\n", at: "a/x.md")
    let process = try await world.away()
    _ = try await process.notes.moveFolder(path("a"), to: path("c"))
    _ = try await process.notes.moveFolder(path("c"), to: path("a"))
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await process.text("a/x.md") == "one\n")
  }

  @Test(arguments: [true, false])
  func `a text that is kept just after its note has another path is sent there`(isFolder: Bool) async throws {
    let world = try NotesWorld()
    let server = SwitchedStore(world.memory)
    let notes = try world.service(store: server)
    let entry = try await world.put("one\n", at: "a/x.md")
    let old = entry.path
    let new = try path(isFolder ? "b/x.md" : "a/y.md")
    let (moved, kept) = (Door(), Door())
    server.hold(.move, at: moved)
    let move = Task {
      if isFolder {
        _ = try await notes.moveFolder(old.parent, to: new.parent)
      } else {
        _ = try await notes.rename(old, to: "y.md")
      }
    }
    await moved.arrivals(1)
    // The text is on its way into the outbox until the move has ended there, too.
    let before = notes.keeping.add(old) { await kept.pass() }
    let saving = notes.save(
      old, base: entry.revision, baseHash: bytes("one\n").hashed, text: bytes("two\n"), draft: nil)
    moved.open()
    try await move.value
    kept.open()
    await before.value
    #expect(try await saving.value.get().saved?.path == new)
    #expect(try await tree(world.memory) == ["\(new.parent)/": "", "\(new)": "two\n"])
    #expect(try await notes.waiting().isEmpty)
    // A new text at the old path is another note.
    _ = try await notes.save(old, base: nil, text: bytes("new\n"), draft: nil)
    #expect(try await world.text("a/x.md") == "new\n")
  }

  @Test func `work across lines comes after the earlier work of its keys and before the later`() async {
    let pool = BlockingPool(threads: 2)
    let lines = SerialLines<Int>(on: pool.tasks)
    let order = WaitableState<[Int]>([])
    @Sendable func note(_ number: Int) { order.change { $0.append(number) } }
    let first = lines.add(1) { note(1) }
    async let across: Void = lines.runAcross({ $0 < 3 }, { note(2) })
    await across
    await first.value
    let later = lines.add(2) { note(3) }
    await later.value
    #expect(order.value == [1, 2, 3])
  }
}
