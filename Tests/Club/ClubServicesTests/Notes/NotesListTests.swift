import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct NotesListTests {
  private let world: NotesWorld
  init() throws { world = try NotesWorld() }

  @Test func `notes are the files at the top and in folders that are not hidden and not of the photos`() async throws {
    for name in ["b.md", "a", ".hidden", "photos/x.jpg", "sub/c.md"] { try await world.put(name, at: name) }
    let service = try world.service()
    var names: [String] = []
    try await service.names { page in
      names += page.notes.map { "\($0.path)" }
      #expect(!page.isWhole)
    }
    #expect(names.sorted() == ["a", "b.md", "sub/c.md"])
    var full: [FileEntry] = []
    try await service.details { full += $0 }
    #expect(full.compactMap(\.size).sorted() == [1, 4, 8])
  }

  @Test func `the top is known before what is in its folders, if a page has all of it and it has folders`() async throws
  {
    try await world.put("a", at: "a.md")
    try await world.put("p", at: "photos/p.jpg")
    let service = try world.service()
    #expect(await service.topNames() == nil)
    for name in ["trips/x.md", "trips/oslo/y.md", "list.csv/z.md"] { try await world.put(name, at: name) }
    let top = try #require(await service.topNames())
    #expect(
      top.notes.map { "\($0.path)" } == ["a.md"] && top.folders.map { "\($0)" }.sorted() == ["list.csv", "trips"])
    let paged = try world.service(store: PagedStore(base: world.memory))
    #expect(await paged.topNames() == nil)
    try await service.names { _ in }
    #expect(await service.topNames() == nil, "All are known.")
  }

  @Test func `a folder of notes that comes or goes has all listed again, a known one does not`() async throws {
    try await world.put("one", at: "trips/a.md")
    let service = try world.service()
    try await service.names { _ in }
    let (stream, sink) = AsyncStream.makeStream(of: ChangeSet.self)
    let watching = Task { try await service.changes { sink.yield($0) } }
    defer { watching.cancel() }
    var sets = stream.makeAsyncIterator()
    try await world.put("two", at: "trips/b.md")
    var set = try #require(await sets.next())
    #expect(!set.mustRelist && set.changes.count == 1)
    try await world.put("x", at: "photos/p.jpg")
    try await world.put("three", at: "plans/c.md")
    repeat { set = try #require(await sets.next()) } while !set.mustRelist
    try await world.memory.delete(try StorePath("trips"), ifRevision: nil)
    while let next = await sets.next(), !next.mustRelist {}
  }

  @Test func `details come in the order that was asked for, without what is gone`() async throws {
    var paths: [StorePath] = []
    for number in 0..<30 {
      let path = "\(number).md"
      paths.append(try StorePath(path))
      if number % 7 != 0 { try await world.put(path, at: path) }
    }
    paths.reverse()
    let details = await (try world.service()).details(of: paths)
    #expect(details.map(\.path) == paths.filter { !["0.md", "7.md", "14.md", "21.md", "28.md"].contains("\($0)") })
    #expect(details.allSatisfy { $0.revision != nil })
  }

  @Test func `changes by other programs are reported from the listing on, and only those of notes`() async throws {
    let service = try world.service()
    try await world.put("old", at: "old.md")
    try await service.names { _ in }
    // Before anyone waits for changes.
    try await world.put("one", at: "one.md")
    try await world.put("x", at: "photos/p.jpg")
    try await world.put("x", at: ".hidden")
    try await world.memory.delete(try StorePath("old.md"), ifRevision: nil)
    let (stream, sink) = AsyncStream.makeStream(of: ChangeSet.Change.self)
    let watching = Task {
      try await service.changes { set in for change in set.changes { sink.yield(change) } }
    }
    var told: Set<String> = []
    for await change in stream {
      switch change {
      case .present(let entry): told.insert("+\(entry.path)")
      case .absent(let path): told.insert("-\(path)")
      }
      if told.isSuperset(of: ["+one.md", "-old.md"]) { break }
    }
    // "photos" is a folder that appeared where a note might have been: it is reported as no note.
    #expect(told.subtracting(["-photos"]) == ["+one.md", "-old.md"])
    watching.cancel()
    try await watching.value
  }

  @Test func `a store that cannot tell changes says so`() async throws {
    world.store.takeCapabilities()
    let service = try world.service()
    #expect(await kind { try await service.changes { _ in } } == .unsupported)
  }

  @Test(arguments: [
    ([], OpenNote.Content.text), (Array("Grüße 日本".utf8), .text), ([0x41, 0], .binary), ([0xFF, 0x41], .notUTF8),
    ([0xC0, 0x80], .notUTF8), ([0xED, 0xA0, 0x80], .notUTF8),
  ])
  func `a note opens byte for byte, but Latin-1 as UTF-8`(content: [UInt8], kind: OpenNote.Content) async throws {
    _ = try await world.memory.put(DataSource(content), at: try StorePath("n"), mode: .create)
    let note = try await world.service().open(try StorePath("n"))
    let latin1: [[UInt8]: String] = [[0xFF, 0x41]: "ÿA", [0xC0, 0x80]: "À€"]
    #expect(note.bytes == latin1[content].map { Array($0.utf8) } ?? content)
    #expect(note.content == kind)
    #expect(note.draft == nil && note.entry.revision != nil)
  }

  @Test func `a note opens with the draft that was left of it`() async throws {
    let entry = try await world.put("text", at: "n.md")
    var journal: DraftJournal? = try world.journal()
    let id = try #require(journal).begin(entry.path, title: "", base: entry.revision, text: bytes("text"))
    let service = try world.service()
    #expect(try await service.open(entry.path).draft == nil)
    journal?.record([DraftEdit(offset: 0, removed: 0, inserted: [65])], in: id)
    await journal?.flush()
    #expect(try await service.open(entry.path).draft == nil)
    await NotesWorld.end(&journal)
    #expect(try await service.open(entry.path).draft?.id == id)
  }

  @Test func `what is not there cannot be opened`() async throws {
    let service = try world.service()
    #expect(await kind { _ = try await service.open(try StorePath("n")) } == .notFound)
  }
}

/// A store whose listings have one more page each time.
private struct PagedStore: StoreAround {
  let base: any FileStore

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    let page = try await base.list(folder, options, after: cursor)
    return ListPage(entries: page.entries, isWhole: page.isWhole, next: ListCursor("more"))
  }
}
