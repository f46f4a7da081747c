import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ClubServices

@Suite struct NotesSearchTests {
  private let world: NotesWorld
  init() throws { world = try NotesWorld() }

  private func found(_ words: String) async throws -> [String] {
    try await world.service().search(for: words).found.map { "\($0.entry.path):\($0.lines.map(\.number))" }
  }

  @Test func `names and texts are searched together`() async throws {
    try await world.put("a red door\n\nand a bicycle", at: "a.md")
    try await world.put("bicycle", at: "red.md")
    try await world.put("a red door", at: "b.md")
    try await world.put("x", at: "photos/red bicycle.md")
    #expect(try await found("red bicycle") == ["a.md:[1, 3]", "red.md:[1]"])
    #expect(try await found("RED") == ["a.md:[1]", "b.md:[1]", "red.md:[]"])
    #expect(try await found("window") == [])
  }

  @Test func `large notes and files that are not text are found by their names alone, and reported`() async throws {
    let limit = Int(NotesService.mostSearchedBytes)
    let large = Array(repeating: UInt8(ascii: "a"), count: limit + 1)
    _ = try await world.memory.put(DataSource(large), at: try StorePath("large pier.md"), mode: .create)
    _ = try await world.memory.put(DataSource(Array("pier".utf8) + [0]), at: try StorePath("data"), mode: .create)
    try await world.put("pier", at: "a.md")
    let search = try await world.service().search(for: "pier")
    #expect(search.found.map { "\($0.entry.path)" } == ["a.md", "large pier.md"])
    #expect(search.tooLarge.map { "\($0)" } == ["large pier.md"])
    #expect(search.notText.map { "\($0)" } == ["data"])
    #expect(search.total == 3)
  }

  @Test func `no more than the beginning of a film is read`() async throws {
    let film = try StorePath("film.mp4")
    _ = try await world.memory.put(
      DataSource([0] + Array(repeating: 1, count: 9 << 20)), at: film, mode: .create)
    let search = try await world.service().search(for: "film")
    #expect(search.notText == [film])
    #expect(search.found.map(\.entry.path) == [film])
    let searched = world.store.bytesRead
    #expect(searched > 0)
    #expect(searched <= 1 << 20)
    let error = await #expect(throws: StoreError.self) { _ = try await world.service().open(film) }
    #expect(error?.kind == .unsupported)
    #expect(error?.message == "\"film.mp4\" is not text.")
    #expect(world.store.bytesRead - searched <= 3 << 20)
    await #expect(throws: StoreError.self) { _ = try await world.service().beginEdit(film) }
    #expect(world.store.bytesRead - searched <= 6 << 20)
  }

  @Test func `a small file that is not text is opened as it is`() async throws {
    let data = try StorePath("data")
    _ = try await world.memory.put(DataSource([0, 1, 2]), at: data, mode: .create)
    #expect(try await world.service().open(data).content == .binary)
  }

  /// Of a folder, notes whose bytes are in memory are searched many at a time.
  @Test func `a folder gives the same hits as a store that is asked for each note`() async throws {
    let folder = "\(world.folder)/notes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var notes = (0..<300).map { ("note \($0).md", Array("A caf\u{E9} at \($0), and the CAFE of \($0 % 7).\n".utf8)) }
    notes.append(("utf16.md", [0xFF, 0xFE] + "the caf\u{E9}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
    notes.append(("latin.md", Array("the caf".utf8) + [0xE9]))
    notes.append(("film", [0] + Array("cafe".utf8)))
    notes.append(("long.md", Array(repeating: 0x61, count: 1 << 20) + Array(" cafe".utf8)))
    for (name, bytes) in notes {
      _ = try await world.memory.put(DataSource(bytes), at: try StorePath(name), mode: .create)
      let path = "\(folder)/\(name)"
      try Data(bytes).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
    }
    let store = try FolderStore(root: folder, pool: world.pool)
    for words in ["cafe", "cafe 299", "of 3", "nowhere"] {
      let there = try await world.service(store: store).search(for: words)
      let asked = try await world.service().search(for: words)
      #expect(there.found.map(\.entry.path) == asked.found.map(\.entry.path), "\(words)")
      #expect(there.found.map(\.lines) == asked.found.map(\.lines), "\(words)")
      #expect(there.notText == asked.notText && there.total == asked.total && there.failures.isEmpty)
    }
  }

  @Test func `a note of a folder is searched as another program wrote it a moment ago`() async throws {
    let folder = "\(world.folder)/notes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let service = try world.service(store: try FolderStore(root: folder, pool: world.pool))
    // The second text is as long as the first one.
    for (text, places) in [("a pier", ["a.md"]), ("a quay", []), ("a pier and a quay", ["a.md"])] {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/a.md"))
      #expect(try await service.search(for: "pier").found.map { "\($0.entry.path)" } == places)
    }
  }

  /// The texts are in memory; of the list only the first page comes.
  private struct BrokenList: StoreAround, ReadyReading {
    let base: any FileStore
    var capabilities: Capabilities { Capabilities(ready: self) }

    func readAtHand(_ path: StorePath, ifRevision: Revision, limit: Int) -> [UInt8]? { Array("pier".utf8) }

    func list(
      _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
    ) async throws(StoreError) -> ListPage {
      guard cursor == nil else { throw StoreError(.offline, "The server is gone.") }
      return try await base.list(folder, options, after: cursor)
    }
  }

  @Test func `hits are found while the other notes are listed`() async throws {
    let memory = MemoryStore(pageEntries: 2)
    for number in 0..<5 {
      _ = try await memory.put(DataSource("pier".utf8), at: try StorePath("\(number).md"), mode: .create)
    }
    let found = Mutex<[StorePath]>([])
    let service = try world.service(store: BrokenList(base: memory))
    let error = await #expect(throws: StoreError.self) {
      _ = try await service.search(
        for: NoteQuery(plain: "pier"),
        found: { note in
          found.withLock { $0.append(note.entry.path) }
        })
    }
    #expect(error?.kind == .offline && found.withLock { $0.count } == 2)
  }

  @Test func `progress tells the total first, and counts each note once`() async throws {
    for number in 0..<40 { try await world.put("x", at: "\(number).md") }
    let told = Mutex<[Int]>([])
    _ = try await world.service().search(for: "x") { done, total in
      told.withLock { $0.append(done) }
      #expect(total == 40)
    }
    #expect(told.withLock { $0.sorted() } == Array(0...40) && told.withLock { $0.first } == 0)
  }

  @Test func `a search that is cancelled ends so`() async throws {
    try await world.put("x", at: "a.md")
    let service = try world.service()
    let search = Task { () async -> StoreError.Kind? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await kind { _ = try await service.search(for: "x") }
    }
    #expect(await search.value == .cancelled)
  }
}
