import Backends
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices
@testable import Database

/// A folder that a member moves while another member acts at its path.
@Suite struct FolderSightTests {
  private let world: CopyWorld
  private let a, c: StorePath

  init() throws { (world, a, c) = (try CopyWorld(), try StorePath("a"), try StorePath("c")) }

  enum Front: CaseIterable { case online, away, nothing }

  private func fill(_ names: [String] = ["x", "y"]) async throws {
    for name in names { try await world.put("of \(name)", at: "a/\(name).md") }
  }

  private func names() async throws -> [String] {
    try await world.memory.contents(of: .root).filter { $0.kind == .file }.map { "\($0.path)" }
  }

  /// Another member moves the folder away and makes another one of its name.
  private func replace() async throws {
    _ = try await world.memory.move(a, to: try StorePath("old"), ifRevision: nil)
    try await world.put("Ann's", at: "a/ann.md")
  }

  private static let sentence =
    "\"a\" was not moved to \"c\": someone else has put another folder in its place, or changed all files that you saw in "
    + "it."

  /// Moves the folder after another member has acted.
  /// - Returns: the refusals.
  private func move(_ front: Front, after act: () async throws -> Void) async throws -> [StoreError] {
    if front == .nothing {
      let notes = try NotesWorld()
      defer { withExtendedLifetime(notes) {} }
      let service = try notes.service(store: world.memory)
      let seen = try await world.memory.contents(of: a).map {
        // As the list of the app has them.
        FileEntry(path: $0.path, kind: .file)
      }
      try await act()
      return await refusals { () throws(StoreError) in _ = try await service.moveFolder(a, to: c, seen: seen) }
    }
    let process = front == .away ? try await world.away() : try world.start()
    _ = try await process.names()
    guard front == .away else {
      try await act()
      return await refusals { () throws(StoreError) in _ = try await process.notes.moveFolder(a, to: c) }
    }
    _ = try await process.notes.moveFolder(a, to: c)
    try await act()
    await world.back(process)
    return await process.notes.sendNames()
  }

  private func refusals(_ body: () async throws(StoreError) -> Void) async -> [StoreError] {
    do throws(StoreError) {
      try await body()
      return []
    } catch {
      return [error]
    }
  }

  @Test(arguments: Front.allCases)
  func `another folder that lies at the path by then does not move`(front: Front) async throws {
    try await fill()
    let refusals = try await move(front) { try await replace() }
    #expect(refusals.map(\.message) == [Self.sentence])
    #expect(refusals.map(\.kind) == [.conflict])
    #expect(refusals.map(\.remedy) == ["Look at it, then move it again."])
    #expect(try await names() == ["a/ann.md", "old/x.md", "old/y.md"])
  }

  @Test(arguments: Front.allCases)
  func `a folder of which one file is as the member saw it moves with all that others have done in it`(
    front: Front
  ) async throws {
    try await fill(["x", "y", "z"])
    let refusals = try await move(front) {
      try await world.put("Ann's", at: "a/x.md")
      try await world.memory.delete(try StorePath("a/y.md"), ifRevision: nil)
      try await world.put("Ann's", at: "a/s/ann.md")
    }
    #expect(refusals.isEmpty)
    #expect(try await names() == ["c/s/ann.md", "c/x.md", "c/z.md"])
  }

  @Test(arguments: Front.allCases)
  func `a folder that is there no more, or whose new name is taken by then, overwrites nothing`(
    front: Front
  ) async throws {
    try await fill()
    let kinds = try await move(front) { try await world.put("Ann's", at: "c/x.md") }.map(\.kind)
    #expect(kinds == [.exists])
    #expect(try await names() == ["a/x.md", "a/y.md", "c/x.md"])
    #expect(try await world.text("c/x.md") == "Ann's")
  }

  @Test(arguments: [Front.online, .away])
  func `a folder in which others have written on in every note moves`(front: Front) async throws {
    try await fill()
    let refusals = try await move(front) {
      for name in ["x", "y"] { try await world.put("of \(name), and more", at: "a/\(name).md") }
    }
    #expect(refusals.isEmpty)
    #expect(try await names() == ["c/x.md", "c/y.md"])
  }

  @Test(arguments: [Front.online, .away], [false, true])
  func `an empty folder moves with new files, and not if another folder has its name by then`(
    front: Front, isOther: Bool
  ) async throws {
    try await world.memory.createFolder(a)
    try await world.put("one", at: "z/x.md")
    let refusals = try await move(front) {
      guard isOther else {
        try await world.put("new", at: "a/new.md")
        return
      }
      try await world.memory.delete(a, ifRevision: nil)
      _ = try await world.memory.move(try StorePath("z"), to: a, ifRevision: nil)
    }
    #expect(refusals.map(\.message) == (isOther ? [Self.sentence] : []))
    #expect(try await names() == (isOther ? ["a/x.md"] : ["c/new.md", "z/x.md"]))
  }

  @Test(arguments: [false, true])
  func `a later process with a newer list still knows the folder that the member saw`(isOther: Bool) async throws {
    try await fill()
    let process = try await world.away()
    _ = try await process.notes.moveFolder(a, to: c)
    if isOther { try await replace() } else { try await world.put("Ann's", at: "a/x.md") }
    await world.back(process)
    try await process.copy.refresh()
    await process.copy.lines.wait(for: "persist")
    let later = try world.start()
    _ = try await later.names()
    #expect(await later.notes.sendNames().map(\.message) == (isOther ? [Self.sentence] : []))
    #expect(try await names() == (isOther ? ["a/ann.md", "old/x.md", "old/y.md"] : ["c/x.md", "c/y.md"]))
  }

  @Test func `a folder that has moved although the answer was lost has moved, whatever its old name is by then`()
    async throws
  {
    try await fill()
    let process = try await world.away()
    _ = try await process.notes.moveFolder(a, to: c)
    await world.back(process)
    world.server.breakAfter(.move)
    #expect(await process.notes.sendNames().isEmpty)
    try await world.put("Ann's", at: "a/ann.md")
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await names() == ["a/ann.md", "c/x.md", "c/y.md"])
  }

  @Test func `what waits in a folder that did not move is about its notes at their old places`() async throws {
    try await fill()
    let process = try await world.away()
    _ = try await process.notes.moveFolder(a, to: c)
    let entry = try await process.store.entry(at: c.appending("x.md"))
    _ = try await process.notes.save(entry.path, base: entry.revision, text: bytes("of x, mine"), draft: nil)
    try await replace()
    await world.back(process)
    #expect(await process.notes.sendNames().map(\.message) == [Self.sentence])
    #expect(try await process.notes.waiting().map(\.path) == [a.appending("x.md")])
    #expect(try await names() == ["a/ann.md", "old/x.md", "old/y.md"])
  }

  // MARK: A request that went out before

  /// More files than a sight has: it has each second one.
  private static let many = 300

  /// A folder of many files waits to be moved, and its first request has ended in the middle.
  private func begin(
    moving isMoved: @escaping @Sendable (Int) -> Bool
  ) async throws -> (CopyWorld, MemoryStore, CopyWorld.Process) {
    let memory = MemoryStore()
    let store = PiecewiseStore(memory)
    let world = try CopyWorld(store)
    for number in 0..<Self.many {
      let path = try StorePath("a/n\(number + 100).md")
      _ = try await memory.put(DataSource("text \(number)".utf8), at: path, mode: .create)
    }
    let process = try await world.away()
    _ = try await process.notes.moveFolder(a, to: c)
    store.breaks(leaving: { !isMoved($0) })
    await world.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    #expect(await process.copy.waitingChanges().map(\.path) == [a])
    store.breaks(leaving: nil)
    await world.back(process)
    return (world, memory, process)
  }

  private func names(in memory: MemoryStore) async throws -> [String: Int] {
    let files = try await memory.contents(of: .root).filter { $0.kind == .file }
    return Dictionary(grouping: files) { "\($0.path.parent)" }.mapValues(\.count)
  }

  @Test func `a folder of which a part has moved before follows, if no file that is left was seen`() async throws {
    // The files that the change knows are at the new place.
    let (world, memory, process) = try await begin { $0.isMultiple(of: 2) }
    defer { withExtendedLifetime(world) {} }
    #expect(try await names(in: memory) == ["a": Self.many / 2, "c": Self.many / 2])
    #expect(await process.notes.sendNames().isEmpty)
    #expect(await process.copy.waitingChanges().isEmpty)
    #expect(try await names(in: memory) == ["c": Self.many])
  }

  @Test func `a folder of which nothing has moved does not take along another one that has come to its path`()
    async throws
  {
    let (world, memory, process) = try await begin { _ in false }
    defer { withExtendedLifetime(world) {} }
    _ = try await memory.move(a, to: try StorePath("old"), ifRevision: nil)
    for path in ["a/ann.md", "c/ann.md"] {
      _ = try await memory.put(DataSource("Ann's".utf8), at: try StorePath(path), mode: .create)
    }
    #expect(await process.notes.sendNames().map(\.message) == [Self.sentence])
    #expect(try await names(in: memory) == ["a": 1, "c": 1, "old": Self.many])
  }

  // MARK: As the outbox has it

  @Test(arguments: ["x'ff'", "7", "'text'", "NULL", "x'01'", "substr(sight, 1, length(sight) - 1)"])
  func `a move whose row is damaged where the sight is waits until the member drops it`(value: String) async throws {
    try await fill()
    let process = try await world.away()
    _ = try await process.notes.moveFolder(a, to: c)
    try process.copy.outbox.file.write { try $0.run("UPDATE changes SET sight = \(value)") }
    world.server.isAway = false
    let later = try world.start()
    _ = try await later.names()
    #expect(await later.notes.sendNames().isEmpty)
    let waiting = await later.copy.waitingChanges()
    #expect(waiting.map(\.words) == ["damaged on the disk; it is not sent"])
    #expect(try await names() == ["a/x.md", "a/y.md"])
    try await later.copy.drop(try #require(waiting.first).id)
    #expect(await later.copy.waitingChanges().isEmpty)
  }

  private func files(_ count: Int) throws -> [FileEntry] {
    try (0..<count).map {
      FileEntry(path: try StorePath("a/n\($0).md"), kind: .file, size: UInt64($0), revision: Revision("r\($0)"))
    }
  }

  @Test(arguments: [0, 1, 255, 256, 257, 10_000])
  func `a few of many files stand for a folder, and a row brings them back`(count: Int) throws {
    let all = try files(count)
    let sight = FolderSight(a, all)
    #expect(sight.isEmpty == all.isEmpty)
    #expect(FolderSight(sight.bytes) == sight)
    #expect(sight.bytes.count <= 256 * 24)
    #expect(sight.knows(a, all) == !all.isEmpty)
    #expect(!sight.knows(a, try files(2 * count).suffix(count)))
  }

  @Test func `a cut row is none`() throws {
    let bytes = FolderSight(a, try files(3)).bytes
    let read = (0..<bytes.count).compactMap { FolderSight(Array(bytes[..<$0])) }
    // A row that is cut behind a file reads as one of fewer files. The checksum of the change finds that.
    #expect(read.count == 3)
  }
}

/// A store that moves a folder file by file, and may break off.
private final class PiecewiseStore: StoreWrapper {
  let base: any FileStore
  private let left = Mutex<(@Sendable (Int) -> Bool)?>(nil)

  init(_ base: any FileStore) { self.base = base }

  /// The next moves of folders leave the files of these numbers, and end without an answer.
  func breaks(leaving isLeft: (@Sendable (Int) -> Bool)?) { left.withLock { $0 = isLeft } }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    guard try await base.entry(at: path).kind == .folder else {
      return try await base.move(path, to: target, ifRevision: ifRevision)
    }
    let left = left.withLock { $0 }
    for (number, file) in try await base.contents(of: path).filter({ $0.kind == .file }).enumerated() {
      guard left?(number) != true, let place = file.path.moved(with: path, to: target) else { continue }
      _ = try await base.move(file.path, to: place, ifRevision: nil)
    }
    if left != nil { throw StoreError(.offline, "The connection broke.", path: path) }
    try await base.delete(path, ifRevision: nil)
    return try await base.entry(at: target)
  }
}
