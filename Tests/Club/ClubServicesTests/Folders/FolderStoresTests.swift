import Backends
import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Folders at stores that lack something which others have.
@Suite struct FolderStoresTests {
  private let a, c: StorePath
  private let memory = MemoryStore()

  init() throws { (a, c) = (try StorePath("a"), try StorePath("c")) }

  private func fill() async throws {
    for name in ["a/x.md", "a/s/y.md"] {
      _ = try await memory.put(DataSource("of \(name)".utf8), at: try StorePath(name), mode: .create)
    }
  }

  private func paths() async throws -> [String] { try await memory.contents(of: .root).map { "\($0.path)" } }

  @Test(arguments: [false, true])
  func `a folder gets another letter case at a store that takes both for one, and nothing is listed twice`(
    isAway: Bool
  ) async throws {
    try await fill()
    let world = try CopyWorld(CaselessStore(base: memory))
    let process = isAway ? try await world.away() : try world.start()
    _ = try await process.names()
    let target = try StorePath("A")
    #expect(try await process.notes.moveFolder(a, to: target).to == target)
    let names = ["A/s/y.md", "A/x.md"]
    #expect(try await process.names() == names)
    if isAway {
      await world.back(process)
      #expect(await process.notes.sendNames().isEmpty)
    }
    try await process.copy.refresh()
    #expect(try await process.names() == names)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(process.copy.heldPaths.isEmpty)
    #expect(try await paths() == ["A", "A/s", "A/s/y.md", "A/x.md"])
    await process.copy.lines.wait(for: "persist")
    #expect(try await world.start().names() == names)
  }

  /// The feed must tell of each note that left: it says of the name `a` itself that a folder is there.
  @Test(arguments: [false, true])
  func `a folder that takes the name of one that left does not show that one's notes`(isDeleted: Bool) async throws {
    try await fill()
    _ = try await memory.put(DataSource("of b/z.md".utf8), at: try StorePath("b/z.md"), mode: .create)
    let process = try CopyWorld(memory).start()
    _ = try await process.names()
    if isDeleted {
      try await memory.delete(a, ifRevision: nil)
    } else {
      _ = try await memory.move(a, to: c, ifRevision: nil)
    }
    _ = try await memory.move(try StorePath("b"), to: a, ifRevision: nil)
    try await process.copy.refresh()
    #expect(try await process.names() == (isDeleted ? ["a/z.md"] : ["a/z.md", "c/s/y.md", "c/x.md"]))
  }

  @Test func `a folder's move whose answer was lost is found by the sizes of its files at a store without hashes`()
    async throws
  {
    try await fill()
    let world = try CopyWorld(HashlessStore(base: memory))
    let process = try world.start()
    _ = try await process.names()
    world.server.breakAfter(.move)
    #expect(try await process.notes.moveFolder(a, to: c).to == c)
    #expect(await process.copy.waitingChanges().count == 1)
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await process.names() == ["c/s/y.md", "c/x.md"])
    #expect(try await paths() == ["c", "c/s", "c/s/y.md", "c/x.md"])
  }

  @Test func `a folder's move that broke off in a bucket goes on, and over anything else it does not`() async throws {
    let store = try ServedPlaces.bucket(keepsVersions: false, BlockingPool(threads: 2))
    func put(_ text: String, at path: String) async throws {
      _ = try await store.put(DataSource(text.utf8), at: try StorePath(path), mode: .overwrite)
    }
    func texts() async throws -> [String: String] {
      var texts: [String: String] = [:]
      for file in try await store.contents(of: .root) where file.kind == .file {
        texts["\(file.path)"] = String(decoding: try await store.readAll(file.path).bytes, as: UTF8.self)
      }
      return texts
    }
    for name in ["x.md", "y.md", "s/z.md"] { try await put(name, at: "a/\(name)") }
    let taken = [["c/x.md": "Ann's"], ["c/x.md": "x.md", "c/ann.md": "Ann's"], ["c/y.md": "x.md"]]
    for files in taken {
      for (path, text) in files { try await put(text, at: path) }
      let before = try await texts()
      let error = await #expect(throws: StoreError.self) { _ = try await store.move(a, to: c, ifRevision: nil) }
      #expect(error?.kind == .exists)
      #expect(try await texts() == before)
      for path in files.keys { try await store.delete(try StorePath(path), ifRevision: nil) }
    }
    // As a break after two copies leaves it.
    for name in ["x.md", "s/z.md"] { try await put(name, at: "c/\(name)") }
    #expect(try await store.move(a, to: c, ifRevision: nil).path == c)
    #expect(try await texts() == ["c/x.md": "x.md", "c/y.md": "y.md", "c/s/z.md": "s/z.md"])
  }

  @Test(arguments: [false, true])
  func `a note that comes into a folder while that goes is in a list, also if the store goes away then`(
    isAnswerLost: Bool
  ) async throws {
    try await fill()
    let store = SteppedStore(memory)
    let world = try CopyWorld(store)
    let process = try world.start()
    _ = try await process.names()
    store.beforeMove { [memory, server = world.server] () throws(StoreError) in
      _ = try await memory.put(DataSource("Ann's".utf8), at: try StorePath("a/ann.md"), mode: .create)
      if !isAnswerLost { server.isAway = true }
    }
    if isAnswerLost { world.server.breakAfter(.move) }
    let trashed = try await process.notes.trashFolder(a)
    #expect(trashed.files.count == 2 && trashed.isLeft)
    #expect((trashed.failure == nil) == isAnswerLost)
    await world.back(process)
    try await process.copy.refresh()
    let names = try await process.names()
    #expect(names.count == 1 && names[0].hasPrefix("going-") && names[0].hasSuffix("/ann.md"), "\(names)")
  }
}

/// A store that lets a test step in before each move.
private final class SteppedStore: StoreAround {
  let base: any FileStore
  private let step = Mutex<(@Sendable () async throws(StoreError) -> Void)?>(nil)

  init(_ base: any FileStore) { self.base = base }

  var capabilities: Capabilities {
    Capabilities(trash: base.capabilities.trash, changes: base.capabilities.changes)
  }

  func beforeMove(_ step: @escaping @Sendable () async throws(StoreError) -> Void) { self.step.withLock { $0 = step } }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    if let step = step.withLock({ $0 }) { try await step() }
    return try await base.move(path, to: target, ifRevision: ifRevision)
  }
}

/// A store that takes names which differ in letter case alone for one.
private struct CaselessStore: StoreAround {
  let base: any FileStore

  var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: false, unicodeNamesOnly: true)
  }
  var capabilities: Capabilities { Capabilities(changes: base.capabilities.changes) }

  /// A path as the store spells it.
  private func spelled(_ path: StorePath) async throws(StoreError) -> StorePath {
    let word = path.description.lowercased()
    return try await base.contents(of: .root).first { $0.path.description.lowercased() == word }?.path ?? path
  }

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await base.list(try await spelled(folder), options, after: cursor)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await base.entry(at: try await spelled(path))
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await base.read(try await spelled(path), options, receive)
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    let (from, taken) = (try await spelled(path), try await spelled(target))
    if taken != target, taken != from { throw StoreError(.exists, "\"\(taken)\" already exists.", path: taken) }
    return try await base.move(from, to: target, ifRevision: ifRevision)
  }
}

/// A store that knows no hashes of its files, and gives moved ones another revision.
private struct HashlessStore: StoreAround {
  let base: any FileStore

  var capabilities: Capabilities { Capabilities(changes: base.capabilities.changes.map { Feed(base: $0) }) }

  private static func bare(_ entry: FileEntry) -> FileEntry {
    FileEntry(
      path: entry.path, kind: entry.kind, size: entry.size, modified: entry.modified,
      revision: entry.revision.map { Revision("\($0.value) at \(entry.path)") })
  }

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    let page = try await base.list(folder, options, after: cursor)
    return ListPage(
      entries: page.entries.map(Self.bare), isWhole: page.isWhole, next: page.next, changes: page.changes)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry { Self.bare(try await base.entry(at: path)) }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    Self.bare(try await base.read(path, options, receive))
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    Self.bare(try await base.move(path, to: target, ifRevision: ifRevision))
  }

  private struct Feed: ChangeFeed {
    let base: any ChangeFeed

    func start() async throws(StoreError) -> ChangeCursor { try await base.start() }
    func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
      bare(try await base.wait(since: cursor))
    }
    func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
      bare(try await base.poll(since: cursor))
    }

    private func bare(_ set: ChangeSet) -> ChangeSet {
      let changes = set.changes.map { change in
        if case .present(let entry) = change { ChangeSet.Change.present(HashlessStore.bare(entry)) } else { change }
      }
      return ChangeSet(changes: changes, cursor: set.cursor, mustRelist: set.mustRelist, lateness: set.lateness)
    }
  }
}
