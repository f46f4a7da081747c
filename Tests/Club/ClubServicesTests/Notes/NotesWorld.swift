import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// A club in memory with everything that a service needs on a disk, in a folder that goes with it.
final class NotesWorld: Sendable {
  let folder: String
  let memory: MemoryStore
  let store: ScriptedNotesStore
  let outbox: OutboxDatabase
  let pool = BlockingPool(threads: 4)
  let failures = FailureLog()

  init(outbox: String? = nil) throws {
    let place = URL(filePath: TemporaryFolder.newPath())
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    folder = place.path
    memory = MemoryStore()
    store = ScriptedNotesStore(memory)
    self.outbox = try OutboxDatabase(path: outbox ?? "\(folder)/outbox.sqlite", patience: .seconds(600))
  }

  deinit { removeFolder(folder) }

  var edits: String { "\(folder)/edits" }
  var bases: String { "\(folder)/bases" }
  var told: [StoreError] { failures.all }

  func club(
    place: String = "~/Club", store: (any FileStore)? = nil, hasNoteFolders: Bool = true,
    photosFolder: String = "photos"
  ) throws -> Club {
    Club(
      name: "home", place: place, memberName: { "ann" }, ownName: { "ann" }, store: store ?? self.store,
      photosFolder: try StorePath(photosFolder), hasNoteFolders: hasNoteFolders)
  }

  /// Lets go of a journal or service as the end of its process would, and waits until its threads have done so, too.
  static func end<Object: AnyObject>(_ object: inout Object?) async {
    weak let last = object
    object = nil
    while last != nil { await Task.yield() }
  }

  /// Also waits for the service's own journal, which holds the lock of its process a moment longer.
  static func end(_ service: inout NotesService?) async {
    weak let owner = service?.drafts.owner
    weak let last = service
    service = nil
    while last != nil || owner != nil { await Task.yield() }
  }

  /// As another process has it: an owner of its own, on the same outbox.
  func journal(place: String = "~/Club", outbox: OutboxDatabase? = nil) throws -> DraftJournal {
    DraftJournal(
      club: try club(place: place), outbox: outbox ?? self.outbox, basesDirectory: bases, pool: pool,
      onFailure: { [failures] error in failures.add(error) })
  }

  func service(
    _ journal: DraftJournal? = nil, store: (any FileStore)? = nil, outbox: OutboxDatabase? = nil, past: NotePast? = nil,
    hasNoteFolders: Bool = true, photosFolder: String = "photos", clock: any Clock<Duration> = TimerClock()
  ) throws -> NotesService {
    let pool = pool
    return NotesService(
      club: try club(store: store, hasNoteFolders: hasNoteFolders, photosFolder: photosFolder),
      outbox: outbox ?? self.outbox,
      drafts: try journal ?? self.journal(outbox: outbox),
      folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: pool) }, editsDirectory: edits,
      past: past,
      // 2031-01-09, noon.
      now: { Timestamp(seconds: 1_925_726_400) }, clock: clock)
  }

  /// Writes as another program does.
  @discardableResult
  func put(_ text: String, at path: String) async throws -> FileEntry {
    try await memory.put(DataSource(text.utf8), at: try StorePath(path), mode: .overwrite)
  }

  func text(_ path: String) async throws -> String {
    String(decoding: try await memory.readAll(try StorePath(path)).bytes, as: UTF8.self)
  }

  var names: [String] {
    get async throws {
      var names: [String] = []
      var cursor: ListCursor?
      repeat {
        let page = try await memory.list(.root, ListOptions(.names), after: cursor)
        names += page.entries.map { "\($0.path)" }
        cursor = page.next
      } while cursor != nil
      return names.sorted()
    }
  }
}

/// What a journal tells of its failures.
final class FailureLog: Sendable {
  private let errors = Mutex<[StoreError]>([])
  func add(_ error: StoreError) { errors.withLock { $0.append(error) } }
  var all: [StoreError] { errors.withLock { $0 } }
}

extension SaveOutcome {
  /// The entry of a save that went well.
  var saved: FileEntry? { if case .saved(let entry) = self { entry } else { nil } }
  var merged: MergedNote? { if case .merged(let merged) = self { merged } else { nil } }
  var conflict: SaveConflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
  var kept: (id: UnsentSave.ID, error: StoreError)? {
    if case .kept(let id, let error) = self { (id, error) } else { nil }
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension DraftJournal {
  /// This club's drafts without a live owner, left by a crash or by "later", newest first. Removes those without edits.
  func orphans() async throws(StoreError) -> [Draft] {
    await flush()
    return try await pool.run { () throws(StoreError) in
      try self.clear()
      return try self.heads()
        .filter { $0.touched && $0.dropped == nil && !self.owner.isLive($0.owner) }.map { Draft($0) }
    }
  }
}

/// Searches for words alone, as they are.
extension NotesService {
  func search(
    for words: String, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> NoteSearch {
    try await search(for: NoteQuery(plain: words), progress: progress)
  }
}

extension PhotosService {
  func search(for words: String) async throws(StoreError) -> PhotoSearch {
    try await search(for: NoteQuery(plain: words))
  }
}
