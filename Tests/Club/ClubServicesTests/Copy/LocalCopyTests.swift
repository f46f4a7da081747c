import Backends
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Reading a club behind a network from its local copy.
@Suite struct LocalCopyTests {
  @Test func `a later start lists and reads without a request, also while the server is away`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.put("two", at: "b.md")
    try await world.visit()
    _ = world.server.takeCalls()
    world.server.isAway = true
    let next = try world.start()
    #expect(try await next.names() == ["a.md", "b.md"])
    #expect(try await next.text("a.md") == "one")
    #expect(world.server.takeCalls().isEmpty)
    #expect(world.failures.all.isEmpty)
  }

  @Test func `a refresh after one change is one request, and one for that note`() async throws {
    let world = try CopyWorld()
    for number in 0..<50 { try await world.put("text \(number)", at: "n\(number).md") }
    try await world.visit()
    try await world.put("Ann's", at: "n7.md")
    _ = world.server.takeCalls()
    let next = try world.start()
    #expect(try await next.names().count == 50)
    try await next.copy.refresh()
    try await next.copy.keepTexts()
    #expect(world.server.takeCalls() == [.poll: 1, .read: 1])
    #expect(try await next.text("n7.md") == "Ann's")
    #expect(world.server.takeCalls().isEmpty)
  }

  @Test
  func `a copy with the top alone is no whole list: the folders come with the next listing, and nothing is removed`()
    async throws
  {
    let world = try CopyWorld()
    for number in 0..<30 { try await world.put("text", at: "trips/n\(number).md") }
    try await world.put("one", at: "a.md")
    try await world.visit(hasNoteFolders: false)
    let offline = try world.start()
    world.server.isAway = true
    #expect(try await offline.names() == ["a.md"])
    world.server.isAway = false
    let next = try world.start()
    #expect(!next.copy.has(.tree))
    #expect(try await next.names().count == 31)
    #expect(next.copy.has(.tree) && next.copy.heldPaths.isEmpty)
    await next.copy.lines.wait(for: "persist")
    world.server.isAway = true
    let later = try world.start()
    let first = try #require(await later.copy.firstNames())
    #expect(first.count { $0.kind == .file } == 31)
    #expect(try await later.names().count == 31)
    // Back to the view of the top, and nothing of the folders is news or lost.
    #expect(try await world.start(hasNoteFolders: false).names() == ["a.md"])
    #expect(world.failures.all.isEmpty)
  }

  @Test func `many notes that vanish from folders stay until the member agrees, and other files there are listed`()
    async throws
  {
    let world = try CopyWorld()
    for number in 0..<30 { try await world.put("text", at: "trips/n\(number).md") }
    try await world.put("png", at: "trips/map.png")
    try await world.put("jpg", at: "photos/p.jpg")
    try await world.visit()
    try await world.memory.delete(try StorePath("trips"), ifRevision: nil)
    let next = try world.start()
    #expect(try await next.names().count == 30)
    try await next.copy.refresh()
    #expect(next.copy.heldPaths.count == 31)
    #expect(await next.copy.acceptRemoval() == 31)
    #expect(try await next.names() == [])
  }

  @Test func `one listing that has the photos, too, fills both lists`() async throws {
    let world = try CopyWorld(WholeLists(base: MemoryStore()))
    for path in ["a.md", "trips/b.md", "photos/p.jpg"] {
      _ = try await world.server.put(DataSource("x".utf8), at: try StorePath(path), mode: .create)
    }
    let process = try world.start()
    _ = world.server.takeCalls()
    #expect(try await process.names() == ["a.md", "trips/b.md"])
    #expect(process.copy.has(.photos) && process.copy.has(.tree))
    let photos = try await process.store.list(try StorePath("photos"), ListOptions(.full, recursive: true), after: nil)
    #expect(photos.entries.map { "\($0.path)" } == ["photos/p.jpg"])
    #expect(world.server.takeCalls()[.list] == 1)
  }

  @Test func `a reader of changes follows from the list that it had`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    try await world.put("more", at: "b.md")
    try await world.memory.delete(try StorePath("a.md"), ifRevision: nil)
    let next = try world.start()
    let page = try await next.store.list(.root, ListOptions(.names), after: nil)
    #expect(page.entries.map { "\($0.path)" } == ["a.md"])
    let feed = try #require(next.store.capabilities.changes)
    let set = try await feed.wait(since: try #require(page.changes))
    var present: [String] = []
    var absent: [String] = []
    for change in set.changes {
      switch change {
      case .present(let entry): present.append("\(entry.path)")
      case .absent(let path): absent.append("\(path)")
      }
    }
    #expect(present == ["b.md"] && absent == ["a.md"])
  }

  @Test func `two readers of changes share one request`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    let next = try world.start()
    let cursor = try #require(try await next.store.list(.root, ListOptions(.names), after: nil).changes)
    let feed = try #require(next.store.capabilities.changes)
    _ = world.server.takeCalls()
    async let first = feed.wait(since: cursor)
    async let second = feed.wait(since: cursor)
    while next.copy.following.withLock({ $0.waiters.count }) < 2 { await Task.yield() }
    try await world.put("two", at: "b.md")
    let counts = try await [first.changes.count, second.changes.count]
    #expect(counts == [1, 1])
    let calls = world.server.takeCalls()
    #expect((calls[.poll] ?? 0) + (calls[.wait] ?? 0) <= 2)
  }

  @Test func `a command asks for changes first, and says when it could not`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    try await world.put("two", at: "b.md")
    let command = try world.start(.checked)
    #expect(try await command.names() == ["a.md", "b.md"])
    #expect(command.copy.servedFrom == nil)
    world.server.isAway = true
    let offline = try world.start(.checked)
    await command.copy.lines.wait(for: "persist")
    #expect(try await offline.names() == ["a.md", "b.md"])
    #expect(offline.copy.servedFrom != nil)
  }

  @Test func `a command that starts while the server is away has the templates of the copy`() async throws {
    let world = try CopyWorld()
    try await world.put("# {title}", at: "templates/m.md")
    try await world.visit()
    world.server.isAway = true
    let command = try world.start(.checked)
    let path = try await command.notes.template(named: "m")
    let text = try await command.notes.template(at: path) { _ in 0 }.filled(title: "T").text
    #expect("\(path)" == "templates/m.md" && text == Array("# T".utf8))
  }

  @Test func `a text of an older revision is read while the server is away, and not otherwise`() async throws {
    let world = try CopyWorld()
    try await world.put("old", at: "a.md")
    try await world.visit()
    try await world.put("new", at: "a.md")
    let next = try world.start()
    _ = try await next.names()
    try await next.copy.refresh()
    world.server.isAway = true
    #expect(try await next.text("a.md") == "old")
    world.server.isAway = false
    await next.copy.probe()
    #expect(try await next.text("a.md") == "new")
  }

  @Test(arguments: [false, true])
  func `a text that the list lacks does not exist while the server is away, and waits when it is written`(
    isKnown: Bool
  ) async throws {
    let world = try CopyWorld()
    try await world.put("a picture", at: "photos/pier.jpg")
    let first = try world.start()
    _ = try await first.names()
    _ = try await first.store.list(StorePath("photos"), ListOptions(.full, recursive: true), after: nil)
    await first.copy.lines.wait(for: "persist")
    world.server.isAway = true
    let next = try world.start()
    _ = try await next.names()
    if isKnown { await next.copy.probe() }
    let caption = try StorePath("photos/pier.jpg.md")
    for path in [caption, try StorePath("none.md")] {
      do throws(StoreError) {
        _ = try await next.store.readAll(path, limit: 100)
        Issue.record("\(path) was read")
      } catch {
        #expect(error.kind == .notFound, "\(path)")
      }
    }
    guard
      case .kept = try await next.notes.save(caption, base: nil, text: Array("Ann on the pier".utf8), draft: nil)
    else { return #expect(Bool(false), "the caption waits") }
    world.server.isAway = false
    await next.copy.probe()
    try await next.notes.sendAll(conflicts: false) { _, _ in }
    #expect(try await world.text("photos/pier.jpg.md") == "Ann on the pier")
  }

  @Test func `a search reads no note again, and finds what others changed`() async throws {
    let world = try CopyWorld()
    try await world.put("The café at the pier", at: "a.md")
    try await world.put("A lighthouse\nStraße", at: "b.md")
    try await world.put("nothing", at: "pier.md")
    try await world.visit()
    let next = try world.start()
    _ = try await next.names()
    _ = world.server.takeCalls()
    func found(_ words: String) async throws -> [String] {
      try await next.notes.search(for: words).found.map { "\($0.entry.path)" }
    }
    #expect(try await found("CAFE") == ["a.md"])
    #expect(try await found("strasse") == ["b.md"])
    #expect(try await found("pier") == ["a.md", "pier.md"])
    #expect(try await found("at pier") == ["a.md"])
    #expect(try await found("ho") == ["b.md"])
    #expect(try await found("absent").isEmpty)
    #expect(world.server.takeCalls().isEmpty)
    try await world.put("Now a lighthouse", at: "a.md")
    try await next.copy.refresh()
    #expect(try await found("lighthouse") == ["a.md", "b.md"])
    #expect(try await found("cafe").isEmpty)
  }

  @Test func `a removal of many files waits for the member`() async throws {
    let world = try CopyWorld()
    for number in 0..<30 { try await world.put("text \(number)", at: "n\(number).md") }
    try await world.visit()
    for number in 0..<25 { try await world.memory.delete(try StorePath("n\(number).md"), ifRevision: nil) }
    let next = try world.start()
    _ = try await next.names()
    try await next.copy.refresh()
    #expect(try await next.names().count == 30)
    #expect(await next.copy.facts()?.held == 25)
    #expect(try await next.text("n3.md") == "text 3")
    // Also for the next process.
    await next.copy.lines.wait(for: "persist")
    let later = try world.start()
    #expect(try await later.names().count == 30)
    #expect(await later.copy.acceptRemoval() == 25)
    #expect(try await later.names().count == 5)
    world.server.isAway = true
    let last = try world.start()
    #expect(try await last.names().count == 5)
    #expect(await last.copy.facts()?.held == 0)
  }

  @Test func `a file that comes back while a removal is written down is there at the next start`() async throws {
    let world = try CopyWorld()
    for number in 0..<30 { try await world.put("text \(number)", at: "n\(number).md") }
    try await world.visit()
    for number in 0..<25 { try await world.memory.delete(try StorePath("n\(number).md"), ifRevision: nil) }
    let process = try world.start()
    _ = try await process.names()
    try await process.copy.refresh()
    // Both writes are ordered before the first of them begins.
    let door = Door()
    _ = process.copy.lines.add("persist") { await door.pass() }
    async let accepted = process.copy.acceptRemoval()
    while !process.copy.heldPaths.isEmpty { await Task.yield() }
    try await world.put("back", at: "n3.md")
    try await process.copy.refresh()
    door.open()
    #expect(await accepted == 25)
    await process.copy.lines.wait(for: "persist")
    world.server.isAway = true
    #expect(try await world.start().names() == ["n25.md", "n26.md", "n27.md", "n28.md", "n29.md", "n3.md"])
  }

  @Test func `a server that looks empty removes nothing`() async throws {
    let world = try CopyWorld()
    for number in 0..<6 { try await world.put("text \(number)", at: "n\(number).md") }
    try await world.visit()
    for number in 0..<6 { try await world.memory.delete(try StorePath("n\(number).md"), ifRevision: nil) }
    world.memory.forgetChanges()
    let next = try world.start()
    _ = try await next.names()
    for _ in 0..<3 {
      try await next.copy.refresh()
      #expect(try await next.names().count == 6)
      #expect(await next.copy.facts()?.held == 6)
      world.memory.forgetChanges()
    }
    try await world.put("text 2", at: "n2.md")
    try await next.copy.refresh()
    #expect(next.copy.heldPaths.map { "\($0)" } == ["n0.md", "n1.md", "n3.md", "n4.md", "n5.md"])
  }

  @Test func `a slow listing that ends after a refresh takes nothing away that the refresh has brought`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try world.start()
    let door = Door()
    world.server.hold(.list, at: door)
    async let slow = process.names()
    await door.arrivals(1)
    #expect(try await process.names() == ["a.md"])
    try await world.put("two", at: "b.md")
    try await process.copy.refresh()
    #expect(try await process.names() == ["a.md", "b.md"])
    door.open()
    #expect(try await slow == ["a.md"])
    try await process.copy.refresh()
    #expect(try await process.names() == ["a.md", "b.md"])
  }

  @Test func `another account's club is listed anew`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    _ = world.server.takeCalls()
    let other = try world.start(account: "bob")
    #expect(try await other.names() == ["a.md"])
    #expect(world.server.takeCalls()[.list] == 1)
  }

  @Test func `a damaged copy is built anew, and the outbox is as it was`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    world.server.isAway = true
    do {
      let offline = try world.start()
      _ = try await offline.names()
      await offline.copy.probe()
      _ = try await offline.notes.save(try StorePath("a.md"), base: nil, text: Array("mine".utf8), draft: nil)
      await offline.copy.lines.wait(for: "persist")
    }
    try Data(repeating: 0x55, count: 20_000).write(to: URL(filePath: world.copiesPath))
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: world.copiesPath + suffix) }
    world.server.isAway = false
    let next = try world.start()
    #expect(try await next.names() == ["a.md"])
    #expect(try await next.notes.waiting().count == 1)
  }

  @Test func `an addition whose answer was lost is there once, though the copy has the text before it`() async throws {
    let world = try CopyWorld()
    try await world.put("one\n", at: "a.md")
    try await world.visit()
    let next = try world.start()
    #expect(try await next.names() == ["a.md"])
    world.server.breakAfter(.put)
    _ = try await next.notes.append(Array("two\n".utf8), to: try StorePath("a.md"))
    world.server.isAway = false
    for save in try await next.notes.unsent() { _ = try await next.notes.sendUnsent(save.id) }
    #expect(try await world.text("a.md") == "one\ntwo\n")
    #expect(try await next.notes.unsent().isEmpty)
  }

  @Test func `an addition whose answer was lost is there once, though others have changed the note since`() async throws
  {
    let world = try CopyWorld()
    try await world.put("one\n", at: "a.md")
    let next = try world.start()
    #expect(try await next.names() == ["a.md"])
    world.server.breakAfter(.put)
    _ = try await next.notes.append(Array("two\n".utf8), to: try StorePath("a.md"))
    try await world.put("zero\none\ntwo\n", at: "a.md")
    world.server.isAway = false
    for save in try await next.notes.unsent() { _ = try await next.notes.sendUnsent(save.id) }
    #expect(try await world.text("a.md") == "zero\none\ntwo\n")
    #expect(try await next.notes.unsent().isEmpty)
  }

  @Test func `the answer of a repeated save that someone has replaced since does not bring the old text back`()
    async throws
  {
    let world = try CopyWorld()
    let path = try StorePath("a.md")
    let base = try await world.put("one", at: "a.md").revision
    let process = try world.start(.checked)
    #expect(try await process.names() == ["a.md"])
    let mine = try await world.put("mine", at: "a.md")
    let newest = try await world.put("mine and theirs", at: "a.md")
    try await process.copy.refresh()
    world.server.answerPut(with: mine)
    let mode = try WriteMode.replace(#require(base))
    #expect(try await process.store.put(DataSource("mine".utf8), at: path, mode: mode) == mine)
    #expect(process.copy.entry(at: path)?.revision == newest.revision)
    #expect(try await process.text("a.md") == "mine and theirs")
    let later = try world.start(.checked)
    #expect(try await later.text("a.md") == "mine and theirs")
  }

  @Test(arguments: [false, true], [false, true])
  func `the late answer of a write brings no file back that another member has moved on since`(
    isRename: Bool, isSeenByLater: Bool
  ) async throws {
    let world = try CopyWorld()
    let (path, old) = (try StorePath("f/a.md"), try StorePath("x.md"))
    if isRename { try await world.put("mine", at: "x.md") }
    let process = try world.start()
    _ = try await process.names()
    let door = Door()
    world.server.hold(isRename ? .move : .put, at: door)
    async let answer =
      isRename
      ? process.store.move(old, to: path, ifRevision: nil)
      : process.store.put(DataSource("mine".utf8), at: path, mode: .create)
    await door.arrivals(1)
    _ = try await world.memory.move(path.parent, to: try StorePath("g"), ifRevision: nil)
    try await process.copy.refresh()
    door.open()
    #expect(try await answer.path == path)
    await process.copy.lines.wait(for: "persist")
    // A crash before the next refresh changes nothing.
    let later = try isSeenByLater ? world.start(.checked) : process
    await later.copy.load()
    try await later.copy.refresh()
    #expect(later.copy.entries(of: .tree)?.map { "\($0.path)" } == ["g", "g/a.md"])
    #expect(try await later.text("g/a.md") == "mine")
  }

  @Test func `a file of a late answer stays in the list when the changes under way at that moment have told of it`()
    async throws
  {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try world.start()
    _ = try await process.names()
    let copy = process.copy
    let before = copy.storePlace
    try await world.put("two", at: "b.md")
    try await copy.refresh()
    let place = try #require(copy.storePlace)
    #expect(place.cursor != before?.cursor)
    // The write arrives; the changes that name it and its own answer come in this order.
    let mine = try await world.put("mine", at: "mine.md")
    let set = try #require(try await copy.store.capabilities.changes?.poll(since: place.cursor))
    await copy.learn(mine, since: before)
    try await copy.take(answer: set, since: place.cursor, [:])
    try await world.put("three", at: "c.md")
    try await copy.refresh()
    #expect(copy.entries(of: .tree)?.map { "\($0.path)" } == ["a.md", "b.md", "c.md", "mine.md"])
  }

  @Test func `a folder of which all files came late goes with the last of them, in whatever order they came`()
    async throws
  {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try world.start()
    _ = try await process.names()
    let copy = process.copy
    let before = copy.storePlace
    let first = try await world.put("mine", at: "f/g/a.md")
    let second = try await world.put("mine", at: "f/g/b.md")
    _ = try await world.memory.move(try StorePath("f"), to: try StorePath("x"), ifRevision: nil)
    try await copy.refresh()
    let place = try #require(copy.storePlace)
    // The second answer comes while the changes are asked for that tell of the first.
    await copy.learn(first, since: before)
    await copy.learnFolder(above: first.path, since: before)
    let asked = copy.state.withLock(\.unsure)
    let set = try #require(try await copy.store.capabilities.changes?.poll(since: place.cursor))
    await copy.learn(second, since: before)
    try await copy.take(answer: set, since: place.cursor, asked)
    func names() -> [String]? { copy.entries(of: .tree)?.map { "\($0.path)" } }
    let others = ["x", "x/g", "x/g/a.md", "x/g/b.md"]
    #expect(names() == ["a.md", "f", "f/g", "f/g/b.md"] + others)
    try await copy.refresh()
    #expect(names() == ["a.md"] + others)
  }

  @Test(arguments: [false, true])
  func `the late answer of a new folder or a written file brings nothing back that another member has removed since`(
    isFolder: Bool
  ) async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    let process = try world.start()
    _ = try await process.names()
    let (path, door) = (try StorePath("f"), Door())
    world.server.hold(isFolder ? .createFolder : .put, at: door)
    async let made: Void =
      isFolder
      ? process.store.createFolder(path)
      : { _ = try await process.store.put(DataSource("mine".utf8), at: path, mode: .overwrite) }()
    await door.arrivals(1)
    try await world.memory.delete(path, ifRevision: nil)
    try await process.copy.refresh()
    door.open()
    try await made
    try await process.copy.refresh()
    #expect(process.copy.entries(of: .tree)?.map { "\($0.path)" } == ["a.md"])
  }

  private func photos(_ process: CopyWorld.Process) async throws -> ListPage {
    try await process.store.list(try StorePath("photos"), ListOptions(.full, recursive: true), after: nil)
  }

  @Test func `lists that are read anew and not to their end miss no change of a photo`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.put("a picture", at: "photos/pier.jpg")
    let first = try world.start()
    _ = try await first.names()
    _ = try await photos(first)
    await first.copy.lines.wait(for: "persist")
    try await world.memory.delete(try StorePath("photos/pier.jpg"), ifRevision: nil)
    try await world.put("another", at: "photos/boat.jpg")
    world.memory.forgetChanges()
    world.server.breakAfter(.list, passing: 1)
    let broken = try world.start()
    _ = try await broken.names()
    #expect(await kind { try await broken.copy.refresh() } == .offline)
    await broken.copy.lines.wait(for: "persist")
    world.server.isAway = false
    let later = try world.start()
    _ = try await later.names()
    try await later.copy.refresh()
    #expect(later.copy.entries(of: .photos)?.map { "\($0.path)" } == ["photos/boat.jpg"])
  }

  @Test func `lists that are read for the first time at the same moment miss no change between them`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.put("a picture", at: "photos/pier.jpg")
    let process = try world.start()
    let (notesDoor, photosDoor) = (Door(), Door())
    world.server.hold(.list, at: notesDoor)
    async let notes = process.names()
    await notesDoor.arrivals(1)
    try await world.put("two", at: "b.md")
    world.server.hold(.list, at: photosDoor)
    async let pictures = photos(process)
    await photosDoor.arrivals(1)
    notesDoor.open()
    #expect(try await notes == ["a.md"])
    photosDoor.open()
    #expect(try await pictures.entries.count == 1)
    try await process.copy.refresh()
    #expect(try await process.names() == ["a.md", "b.md"])
    #expect(process.copy.entries(of: .photos)?.map { "\($0.path)" } == ["photos/pier.jpg"])
  }

  @Test func `the bytes of the kept texts are those of the present ones, however often a note is saved`() async throws {
    let world = try CopyWorld()
    try await world.put("one", at: "a.md")
    try await world.visit()
    let process = try world.start()
    _ = try await process.names()
    #expect(await process.copy.facts()?.textBytes == 3)
    for number in 1...5 {
      _ = try await process.store.put(DataSource("text \(number)".utf8), at: try StorePath("a.md"), mode: .overwrite)
    }
    await process.copy.lines.wait(for: "persist")
    #expect(await process.copy.facts()?.textBytes == 6)
    try await world.memory.delete(try StorePath("a.md"), ifRevision: nil)
    try await process.copy.refresh()
    await process.copy.lines.wait(for: "persist")
    #expect(await process.copy.facts()?.texts == 0)
    #expect(await process.copy.facts()?.textBytes == 0)
  }

  @Test func `a full copy keeps no further text, and the newest of those that it has`() async throws {
    let world = try CopyWorld()
    try await world.put("older", at: "a.md")
    try await world.put("newer", at: "b.md")
    let process = try world.start(mostBytes: 8)
    _ = try await process.names()
    try await process.copy.keepTexts()
    #expect(await process.copy.facts()?.textBytes == 5)
    _ = try await process.store.put(DataSource("newest".utf8), at: try StorePath("b.md"), mode: .overwrite)
    #expect(try await process.text("a.md") == "older")
    await process.copy.lines.wait(for: "persist")
    #expect(await process.copy.facts()?.texts == 1)
    #expect(await process.copy.facts()?.textBytes == 6)
    world.server.isAway = true
    await process.copy.probe()
    #expect(try await process.text("b.md") == "newest")
  }

  @Test func `the names come from the disk before the other columns, with the renames that wait, without a request`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["a.md", "b.md", "c.md"] { try await world.put("text", at: name) }
    try await world.put("picture", at: "photos/pier.jpg")
    let away = try await world.away()
    _ = try await away.notes.rename(try StorePath("b.md"), to: "z.md")
    await away.copy.lines.wait(for: "persist")
    _ = world.server.takeCalls()
    let next = try world.start()
    let names = await next.notes.firstNames()
    #expect(names?.map { "\($0.path)" } == ["a.md", "c.md", "z.md"])
    #expect(names?.allSatisfy { $0.size == nil && $0.kind == .file } == true)
    #expect(world.server.takeCalls().isEmpty)
    #expect(try await next.names() == ["a.md", "c.md", "z.md"])
    // All columns are in memory now.
    #expect(await next.notes.firstNames() == nil)
    // A command lists what is there now; another account may see another club; a new club has no names.
    let empty = try CopyWorld()
    for process in [try world.start(.checked), try world.start(account: "bob"), try empty.start()] {
      #expect(await process.notes.firstNames() == nil)
    }
  }
}

/// A store that leaves nothing out of its listings.
private struct WholeLists: StoreAround {
  let base: any FileStore
  var capabilities: Capabilities { base.capabilities }

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await base.list(folder, ListOptions(options.detail, recursive: options.recursive), after: cursor)
  }
}
