import Backends
import Database
import FileStores
import Foundation
import TestKit
import Testing

@testable import ClubServices

/// The history of a note after each way to write, at every kind of store, with and without versions of its own.
@Suite struct WrittenVersionsTests {
  /// `copied` has a local copy in front. `dropbox` and `dropboxV1` are folders of byteclub's own server.
  enum Place {
    case memory, memoryWithVersions, folder, folderWithVersions, webDAV, bucket, bucketWithVersions, copied
    case dropbox, dropboxV1
  }

  enum Way: CaseIterable {
    case put, append, appendNew, caption, checkBox, merge, mine, chosen, both, undone, restore, sentLater, addedLater
    case mergedLater, overtakenAddition, lostAddition, lostPut, renamed
  }

  private static let begin = "one\n- [ ] two\nthree\n"

  private let world: NotesWorld
  private let catalogue: CatalogueDatabase

  init() throws {
    world = try NotesWorld()
    catalogue = try CatalogueDatabase(path: ":memory:")
  }

  private func store(_ place: Place) async throws -> LoggedStore {
    let keepsVersions = [.memoryWithVersions, .folderWithVersions, .bucketWithVersions, .dropbox, .dropboxV1]
      .contains(place)
    return LoggedStore(try await Self.store(place, world), keepsVersions: keepsVersions)
  }

  static func store(_ place: Place, _ world: NotesWorld) async throws -> any FileStore {
    func folder(keepsVersions: Bool) throws -> FolderStore {
      let root = "\(world.folder)/club"
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
      return try FolderStore(root: root, pool: world.pool, keepsVersions: keepsVersions)
    }
    return switch place {
    case .memory, .copied, .memoryWithVersions: world.memory
    case .folder: try folder(keepsVersions: false)
    case .folderWithVersions: try folder(keepsVersions: true)
    case .webDAV: try ServedPlaces.webDAV(world.pool)
    case .bucket: try ServedPlaces.bucket(keepsVersions: false, world.pool)
    case .bucketWithVersions: try ServedPlaces.bucket(keepsVersions: true, world.pool)
    case .dropbox: try await ServedProgram.store("dropbox", world.pool)
    case .dropboxV1: try await ServedProgram.store("dropbox-v1", world.pool)
    }
  }

  private func service(_ place: Place, _ store: LoggedStore, _ journal: DraftJournal, _ past: NotePast) throws
    -> NotesService
  {
    guard place == .copied else { return try world.service(journal, store: store, past: past) }
    let (connection, clock) = (StoreConnection(now: { 0 }), ManualClock(advancesOnSleep: true))
    let copy = LocalCopy(
      club: "~/Club", photosFolder: try StorePath("photos"),
      store: RetryingStore(
        store, policy: RetryPolicy(attempts: 1), clock: clock, observer: { connection.observe($0) }),
      direct: store, database: LocalCopyDatabase(openingLater: "\(world.folder)/copies.sqlite"), outbox: world.outbox,
      connection: connection, pool: world.pool, freshness: .checked, onFailure: { Issue.record("\($0)") })
    let club = Club(
      name: "home", place: "~/Club", memberName: { "ann" }, store: LocalCopyStore(copy),
      photosFolder: try StorePath("photos"), copy: copy)
    let pool = world.pool
    return NotesService(
      club: club, outbox: world.outbox, drafts: journal,
      folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: pool) }, editsDirectory: world.edits,
      past: past, now: { Timestamp(seconds: 1_925_726_400) })
  }

  @Test(
    arguments: Way.allCases,
    [Place.memory, .memoryWithVersions, .folder, .folderWithVersions, .webDAV, .bucket, .bucketWithVersions, .copied])
  func `every kept version is a text that the note once had, and a restore gives its bytes`(
    way: Way, place: Place
  ) async throws {
    try await write(way, place)
  }

  @Test(
    .enabled(if: ServedProgram.path != nil, "byteclub-serve is not built"), .servedByProgram, arguments: Way.allCases,
    [Place.dropbox, .dropboxV1])
  func `every version that the server keeps is a text that the note once had, and a restore gives its bytes`(
    way: Way, place: Place
  ) async throws {
    try await write(way, place)
  }

  private func write(_ way: Way, _ place: Place) async throws {
    let store = try await store(place)
    let journal = try world.journal()
    let past = NotePast(
      catalogue, club: "~/Club", pool: world.pool, now: { Timestamp(seconds: 1_925_726_400) },
      onFailure: { Issue.record("\($0)") })
    let service = try service(place, store, journal, past)
    let writer = Writer(store: store, journal: journal, service: service, begin: Self.begin)
    for path in try await writer.write(way) { try await check(path, store, service) }
  }

  private func check(_ path: StorePath, _ store: LoggedStore, _ service: NotesService) async throws {
    await service.past?.finish()
    let kept = try catalogue.past(of: path, club: "~/Club")
    for version in kept {
      let revision = try #require(version.revision)
      let text = try catalogue.pastText(of: path, revision: revision, club: "~/Club")
      #expect(
        text == store.text(of: revision), "\(revision): \(text.map { String(decoding: $0, as: UTF8.self) } ?? "")")
    }
    let history = try await service.history(of: path)
    var found: [[UInt8]] = []
    for version in history {
      let revision = try #require(version.revision)
      let text = try await service.version(revision, of: path).bytes
      found.append(text)
      let now = try await store.entry(at: path).revision
      _ = try await service.restore(revision, of: path, over: now)
      #expect(try await store.readAll(path).bytes == text)
      #expect(store.allTexts(of: path).contains(text))
    }
    // Each text of the note was read or written here, or the store keeps it.
    for text in store.texts(of: path) {
      #expect(found.contains(text), "\(String(decoding: text, as: UTF8.self)) is nowhere")
    }
  }

  @Test func `a restore keeps the text that another member wrote, and this machine never read`() async throws {
    let store = try await store(.memory)
    let past = NotePast(catalogue, club: "~/Club", pool: world.pool, onFailure: { Issue.record("\($0)") })
    let service = try world.service(store: store, past: past)
    let path = try StorePath("a.md")
    let first = try #require(try await service.save(path, base: nil, text: bytes("mine\n"), draft: nil).saved)
    let theirs = try await store.put(DataSource("theirs\n".utf8), at: path, mode: .overwrite)
    _ = try await service.restore(try #require(first.revision), of: path, over: theirs.revision)
    #expect(try await service.version(try #require(theirs.revision), of: path).bytes == bytes("theirs\n"))
  }

  /// Rows of earlier versions, which kept the added line alone.
  @Test func `a kept text of another length than the note had gives way to the whole one`() throws {
    let path = try StorePath("a.md")
    let entry = FileEntry(path: path, kind: .file, size: 8, revision: Revision("r"))
    for text in ["two\n", "one\ntwo\n", "x\n"] {
      try catalogue.keepPast(bytes(text), hash: text, of: entry, club: "c", now: Timestamp(seconds: 1))
    }
    #expect(try catalogue.pastText(of: path, revision: Revision("r"), club: "c") == bytes("one\ntwo\n"))
  }
}

/// A member who writes, beside another program.
private struct Writer {
  let store: LoggedStore
  let journal: DraftJournal
  let service: NotesService
  let begin: String

  private static let away = StoreError(.offline, "Away.")

  /// - Returns: the notes that were written.
  func write(_ way: WrittenVersionsTests.Way) async throws -> [StorePath] {
    let path = try StorePath("a.md")
    switch way {
    case .caption:
      let caption = try StorePath("photos/pier.jpg.md")
      _ = try await service.append(bytes("At the pier.\n"), to: caption)
      _ = try await service.append(bytes("In May.\n"), to: caption)
      return [caption]
    case .appendNew:
      let new = try StorePath("new.md")
      for line in ["one\n", "two"] { _ = try await service.append(bytes(line), to: new) }
      return [new]
    default: break
    }
    try await other(begin, path)
    _ = try await service.open(path)
    switch way {
    case .put: try await save("one\n", path)
    case .append:
      for line in ["four", "five\n"] { _ = try await service.append(bytes(line), to: path) }
    case .checkBox: _ = try await type(DraftEdit(offset: 7, removed: 1, inserted: bytes("x")), path)
    case .restore:
      let first = try await store.entry(at: path).revision
      try await other("theirs\n", path)
      let now = try await store.entry(at: path).revision
      _ = try await service.restore(try #require(first), of: path, over: now)
    case .merge, .undone:
      let merged = try #require(try await merge(path).merged)
      if way == .undone { _ = try await service.undo(merged) }
    case .mine: _ = try await service.resolve(try await conflict(path), .mine)
    case .chosen: _ = try await service.resolve(try await conflict(path), .text(bytes("chosen\n")))
    case .both:
      guard let copy = try await service.resolve(try await conflict(path), .both).saved else { break }
      return [path, copy.path]
    case .sentLater, .addedLater, .mergedLater, .lostPut, .lostAddition: try await later(way, path)
    case .overtakenAddition:
      store.beforePut { [self] () throws(StoreError) in
        _ = try await store.put(DataSource("theirs\n".utf8), at: path, mode: .overwrite)
      }
      _ = try await service.append(bytes("four\n"), to: path)
    case .renamed:
      try await save("one\n", path)
      let target = try await service.rename(path, to: "b").path
      try await save("two\n", target)
      return [target]
    case .caption, .appendNew: break
    }
    return [path]
  }

  /// Writes while the store is away, or loses the answer, and sends what waits.
  private func later(_ way: WrittenVersionsTests.Way, _ path: StorePath) async throws {
    let lose: LoggedStore.Step = { () throws(StoreError) in throw Writer.away }
    if way == .lostPut || way == .lostAddition { store.afterPut(lose) } else { store.beforePut(lose) }
    switch way {
    case .sentLater, .lostPut: try await save("one\nlater\n", path)
    case .mergedLater: _ = try await type(DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE")), path)
    default: _ = try await service.append(bytes("later\n"), to: path)
    }
    #expect(try await service.unsent().count == 1)
    if way == .addedLater || way == .mergedLater { try await other(begin + "theirs\n", path) }
    for save in try await service.unsent() { _ = try await service.sendUnsent(save.id) }
    #expect(try await service.unsent().isEmpty)
  }

  private func other(_ text: String, _ path: StorePath) async throws {
    _ = try await store.put(DataSource(text.utf8), at: path, mode: .overwrite)
  }

  private func save(_ text: String, _ path: StorePath) async throws {
    let base = try await store.entry(at: path).revision
    _ = try await service.save(path, base: base, text: bytes(text), draft: nil)
  }

  private func type(_ edit: DraftEdit, _ path: StorePath) async throws -> SaveOutcome {
    let base = try await store.entry(at: path).revision
    let (draft, text) = try await draft(edit, path, base)
    return try await service.save(path, base: base, text: text, draft: draft)
  }

  private func draft(_ edit: DraftEdit, _ path: StorePath, _ base: Revision?) async throws -> (Draft.ID, [UInt8]) {
    let draft = journal.begin(path, title: "", base: base, text: bytes(begin))
    journal.record([edit], in: draft)
    await journal.flush()
    var text = bytes(begin)
    text.replaceSubrange(edit.offset..<(edit.offset + edit.removed), with: edit.inserted)
    return (draft, text)
  }

  /// Types in the first line while another program changes the last one.
  private func merge(_ path: StorePath) async throws -> SaveOutcome {
    let base = try await store.entry(at: path).revision
    let (draft, text) = try await draft(DraftEdit(offset: 0, removed: 3, inserted: bytes("ONE")), path, base)
    try await other(begin + "theirs\n", path)
    return try await service.save(path, base: base, text: text, draft: draft)
  }

  private func conflict(_ path: StorePath) async throws -> SaveConflict {
    let base = try await store.entry(at: path).revision
    try await other("theirs\n", path)
    return try #require(try await service.save(path, base: base, text: bytes("mine\n"), draft: nil).conflict)
  }
}
