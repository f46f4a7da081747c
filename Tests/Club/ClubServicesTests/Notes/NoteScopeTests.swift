import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct NoteScopeTests {
  private func scope(_ photos: String = "photos", hasFolders: Bool = true, ignoresCase: Bool = false) throws
    -> NoteScope
  {
    NoteScope(photosFolder: try StorePath(photos), hasFolders: hasFolders, ignoresCase: ignoresCase)
  }

  @Test(arguments: [
    "a.md", "a.csv", "p.jpg", "photos", "photos.md", "trips/oslo.md", "trips/oslo.MD", "trips/oslo.Markdown",
    "trips/a.txt", "trips/README", "trips/v1.2", "trips/Mr. Smith", "photos2/a.md", "trips/photos/a.md", "a/b/c/d.md",
    "e\u{301}/a.md", "trips/a.md.talk.md",
  ])
  func `names at the top, and in folders those of texts, are notes`(path: String) throws {
    #expect(try scope().isNote(try StorePath(path)))
  }

  @Test(arguments: [
    "", ".hidden", ".git/a.md", "trips/.obsidian/a.md", "trips/.a.md", "photos/pier.jpg", "photos/pier.jpg.md",
    "photos/2026/a.md", "trips/list.csv", "trips/pier.jpg", ".club-trash/a.md", ".byteclub-trash/a.md",
  ])
  func `hidden names, the photos folder and other files are none`(path: String) throws {
    #expect(try !scope().isNote(try StorePath(path)))
  }

  @Test func `without folders the notes are at the top alone`() throws {
    let scope = try scope(hasFolders: false)
    #expect(try scope.isNote(StorePath("a.md")) && !scope.isNote(StorePath("a/b.md")))
    #expect(try scope.isFolder(.root) && !scope.isFolder(StorePath("a")))
    #expect(scope.listing(.names) == ListOptions(.names))
  }

  @Test func `where letter case does not tell names apart, it does not hide a photos folder either`() throws {
    let path = try StorePath("Photos/pier.jpg.md")
    #expect(try scope(ignoresCase: true).isNote(path) == false)
    #expect(try scope().isNote(path))
  }

  @Test func `a page counts the other files of a folder, and names the pictures among them`() throws {
    let entries = try ["a/b.md", "a/pier.PNG", "a/list.csv", ".obsidian/x.png", "photos/p.jpg"].map {
      FileEntry(path: try StorePath($0), kind: .file)
    }
    var talks: [FileEntry] = []
    let page = NotePage(ListPage(entries: entries, isWhole: true), try scope(), talks: &talks)
    let (folder, picture) = (try StorePath("a"), try StorePath("a/pier.PNG"))
    #expect(page.others == [folder: 2] && page.pictures == [picture])
  }

  @Test func `below sixty-four folders there are notes, below more there are none, and the page says so`() throws {
    let scope = try scope()
    func path(_ depth: Int, _ name: String) throws -> StorePath {
      try StorePath(String(repeating: "d/", count: depth) + name)
    }
    #expect(try scope.isNote(path(64, "a.md")) && !scope.isNote(path(65, "a.md")))
    #expect(try scope.isFolder(path(63, "d")) && !scope.isFolder(path(64, "d")))
    let deep = [
      FileEntry(path: try path(64, "d"), kind: .folder), FileEntry(path: try path(65, "a.md"), kind: .file),
      FileEntry(path: try path(9999, "d"), kind: .folder), FileEntry(path: try path(10_000, "a.md"), kind: .file),
    ]
    var talks: [FileEntry] = []
    let page = NotePage(ListPage(entries: deep, isWhole: true), scope, talks: &talks)
    #expect(try page.notes.isEmpty && page.folders.isEmpty && page.tooDeep == [path(64, "d")])
  }

  @Test func `a page has notes, their folders, and the numbers of other files in them`() throws {
    let files = [
      "a.md", "trips/oslo.md", "trips/oslo.md.talk.md", "trips/a.png", "trips/b.png", "photos/p.jpg", ".x/a.md",
    ]
    var entries = try files.map { FileEntry(path: try StorePath($0), kind: .file) }
    entries += try ["trips", "photos", ".x", "empty"].map { FileEntry(path: try StorePath($0), kind: .folder) }
    entries.append(FileEntry(path: try StorePath("trips/pipe"), kind: .other))
    var talks: [FileEntry] = []
    let page = NotePage(ListPage(entries: entries, isWhole: false), try scope(), talks: &talks)
    #expect(page.notes.map { "\($0.path)" } == ["a.md", "trips/oslo.md"])
    #expect(page.folders.map { "\($0)" } == ["trips", "empty"])
    #expect(page.others == [try StorePath("trips"): 2] && !page.isWhole)
    #expect(talks.map { "\($0.path)" } == ["trips/oslo.md.talk.md"])
  }

  @Test(arguments: [
    ("photos/a", "photos folder"), ("trips/list.csv", "end in .md"), (String(repeating: "d/", count: 65) + "a", "64"),
    ("trips/.x/a", "begins with a dot"), ("trips//a", "needs a name"), ("trips/", "needs a name"), ("..", "dot"),
    ("trips/../../a", "dot"), ("trips/a\u{1B}[31m", "control"),
  ])
  func `a path that no list would show is refused in a sentence`(typed: String, words: String) async throws {
    let service = try NotesWorld().service()
    let error = #expect(throws: StoreError.self) { try service.newPath(typed) }
    #expect(error?.kind == .badName && error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }

  @Test(arguments: [
    ("oslo", "trips/oslo.md"), ("2026/oslo", "trips/2026/oslo.md"), ("/oslo", "oslo.md"), ("/a/b.txt", "a/b.txt"),
    (" oslo ", "trips/oslo.md"), ("2026 / oslo", "trips/2026/oslo.md"),
  ])
  func `a typed name is below the folder, or with a slash in front below the top`(typed: String, path: String) throws {
    let service = try NotesWorld().service()
    #expect(try service.newPath(typed, in: StorePath("trips")) == StorePath(path))
  }
}

/// Notes that move between folders, at stores of several kinds.
@Suite struct NoteMoveTests {
  private let world: NotesWorld
  init() throws { world = try NotesWorld() }

  @Test(arguments: [WrittenVersionsTests.Place.memory, .folder, .webDAV, .bucket], RemarkStoresTests.Front.allCases)
  func `a note moves between folders with its remarks and its waiting texts, also while the server is away`(
    place: WrittenVersionsTests.Place, front: RemarkStoresTests.Front
  ) async throws {
    let store = try await WrittenVersionsTests.store(place, world)
    for path in ["trips/oslo.md", "plans/a.md", "photos/pier.jpg"] {
      _ = try await store.put(DataSource("of \(path)".utf8), at: try StorePath(path), mode: .create)
    }
    let machine = try CopyWorld(store)
    let process = front == .nothing ? nil : try machine.start()
    let notes = try process?.notes ?? world.service(store: store)
    defer { withExtendedLifetime(machine) {} }
    try await notes.names { _ in }
    let (oslo, plans) = (try StorePath("trips/oslo.md"), try StorePath("plans"))
    _ = try await notes.say("Low tide only.", .whole, about: oslo)
    machine.server.isAway = front == .awayCopy
    let moved = try await notes.move(oslo, to: plans, seen: nil).path
    #expect(moved == (try StorePath("plans/oslo.md")))
    if machine.server.isAway {
      machine.server.isAway = false
      process?.connection.observe(.answered)
      #expect(await notes.sendNames().isEmpty)
    }
    #expect(try await notes.bytes(of: moved).bytes == bytes("of trips/oslo.md"))
    #expect(try await notes.talk(about: moved).remarks.map(\.text) == ["Low tide only."])
    var names: [String] = []
    try await notes.names { names += $0.notes.map { "\($0.path)" } }
    #expect(names.sorted() == ["plans/a.md", "plans/oslo.md"])
    let error = await #expect(throws: StoreError.self) {
      try await notes.move(moved, to: plans, named: "a", seen: nil)
    }
    #expect(error?.kind == .exists)
    let top = try await notes.move(moved, to: .root, named: "oslo 2", seen: nil).path
    #expect(top == (try StorePath("oslo 2.md")))
  }

  @Test func `a note does not move where no list would show it`() async throws {
    try await world.put("a", at: "list.csv")
    let service = try world.service()
    for folder in ["photos", "trips/.x", "trips"] {
      let error = await #expect(throws: StoreError.self) {
        try await service.move(try StorePath("list.csv"), to: try StorePath(folder), seen: nil)
      }
      #expect(error?.kind == .badName)
    }
    #expect(try await world.text("list.csv") == "a")
  }

  @Test func `a save that waits goes with its note, and a text in conflict stays in its folder`() async throws {
    let path = try StorePath("trips/oslo.md")
    let entry = try await world.put("base", at: "trips/oslo.md")
    let service = try world.service()
    let other = try NoteName.conflict(
      of: path, member: "ann", at: Timestamp(seconds: 1_925_726_400), number: 1, service.store.limits)
    #expect(other.parent == path.parent)
    _ = try await service.save(path, base: entry.revision, text: bytes("mine"), draft: nil)
    let moved = try await service.move(path, to: try StorePath("plans/2026"), seen: nil)
    #expect(try await world.text("plans/2026/oslo.md") == "mine")
    #expect(try await service.open(moved.path).bytes == bytes("mine"))
  }
}
