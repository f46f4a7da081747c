import Backends
import Basics
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ClubServices
@testable import Database

/// A store that a test takes away and brings back, and whose calls it counts.
final class SwitchedStore: StoreWrapper {
  private struct State {
    var isAway = false
    var calls: [StoreCallName: Int] = [:]
    /// The call whose answer is lost, after so many that pass.
    var breaksAfter: (name: StoreCallName, passing: Int)?
    var held: (name: StoreCallName, door: Door)?
    var renewsRevisions = false
    var putAnswer: FileEntry?
    var refused: Set<StoreCallName> = []
  }

  let base: any FileStore
  private let state = Mutex(State())

  init(_ base: any FileStore) { self.base = base }

  var isAway: Bool {
    get { state.withLock(\.isAway) }
    set { state.withLock { $0.isAway = newValue } }
  }

  /// A call of this name reaches the store, and its answer is lost: the next one, or one after so many that pass.
  func breakAfter(_ name: StoreCallName, passing: Int = 0) { state.withLock { $0.breaksAfter = (name, passing) } }

  /// The answer of the next call of this name waits at a door.
  func hold(_ name: StoreCallName, at door: Door) { state.withLock { $0.held = (name, door) } }

  /// Calls of these names are not permitted.
  func refuse(_ names: some Sequence<StoreCallName>) { state.withLock { $0.refused = Set(names) } }

  /// The next put writes nothing and gets this answer, as one that is repeated after its answer was lost.
  func answerPut(with entry: FileEntry) { state.withLock { $0.putAnswer = entry } }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    let answer = state.withLock { state in
      defer { state.putAnswer = nil }
      return state.putAnswer
    }
    if let answer { return answer }
    let base = base
    return try await call(StoreCall(.put, path, "write")) { () async throws(StoreError) in
      try await base.put(source, at: path, mode: mode)
    }
  }

  /// True if a renamed file has a new revision, as on Dropbox.
  var renewsRevisions: Bool {
    get { state.withLock(\.renewsRevisions) }
    set { state.withLock { $0.renewsRevisions = newValue } }
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    let base = base
    let renews = renewsRevisions
    return try await call(StoreCall(.move, path, "rename")) { () async throws(StoreError) in
      let moved = try await base.move(path, to: target, ifRevision: ifRevision)
      guard renews else { return moved }
      return try await base.put(
        DataSource(try await base.readAll(target, limit: 1 << 20).bytes), at: target, mode: .overwrite)
    }
  }

  /// The number of calls by name since the last question.
  func takeCalls() -> [StoreCallName: Int] {
    state.withLock { state in
      defer { state.calls = [:] }
      return state.calls
    }
  }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    if state.withLock({ $0.refused.contains(call.name) }) {
      throw StoreError(.notPermitted, "You may not.", remedy: "Ask ann.", path: call.path)
    }
    let (isAway, breaks, door) = state.withLock { state in
      state.calls[call.name, default: 0] += 1
      let isMeant = state.breaksAfter?.name == call.name
      let breaks = isMeant && state.breaksAfter?.passing == 0
      if breaks { (state.breaksAfter, state.isAway) = (nil, true) } else if isMeant { state.breaksAfter?.passing -= 1 }
      let door = state.held?.name == call.name ? state.held?.door : nil
      if door != nil { state.held = nil }
      return (state.isAway && !breaks, breaks, door)
    }
    if isAway { throw StoreError(.offline, "The server does not answer.", path: call.path) }
    let answer = try await body()
    await door?.pass()
    if breaks { throw StoreError(.offline, "The connection broke.", path: call.path) }
    return answer
  }
}

/// A club behind a network, whose server is memory or a test's own store, on a machine with files of its own.
final class CopyWorld: Sendable {
  let folder: String
  let memory: MemoryStore
  let server: SwitchedStore
  let pool = BlockingPool(threads: 4)
  let failures = FailureLog()

  init(_ store: (any FileStore)? = nil) throws {
    folder = TemporaryFolder.newPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    memory = MemoryStore()
    server = SwitchedStore(store ?? memory)
  }

  deinit { removeFolder(folder) }

  var copiesPath: String { "\(folder)/copies.sqlite" }
  var outboxPath: String { "\(folder)/outbox.sqlite" }

  /// A process of the member's machine.
  struct Process {
    let copy: LocalCopy
    let store: LocalCopyStore
    let notes: NotesService
    let connection: StoreConnection
  }

  func start(
    _ freshness: LocalCopy.Freshness = .atOnce, account: String? = "ann", place: String = "https://club",
    strays: String? = nil, mostBytes: Int = LocalCopy.mostBytes, member: String = "ann",
    hasNoteFolders: Bool = true
  ) throws -> Process {
    let connection = StoreConnection(now: { 0 })
    let clock = ManualClock(advancesOnSleep: true)
    let outbox = OutboxDatabase(openingLater: outboxPath, patience: .seconds(600))
    let copy = LocalCopy(
      club: place, photosFolder: try StorePath("photos"),
      store: RetryingStore(
        server, policy: RetryPolicy(attempts: 2), clock: clock, observer: { connection.observe($0) }),
      direct: server, database: LocalCopyDatabase(openingLater: copiesPath, patience: .seconds(600)), outbox: outbox,
      connection: connection,
      pool: pool, freshness: freshness, mostBytes: mostBytes, account: { account },
      onFailure: { [failures] in failures.add($0) }, hasNoteFolders: hasNoteFolders)
    let store = LocalCopyStore(copy)
    let club = Club(
      name: "lab", place: place, strays: strays, memberName: { member }, store: store,
      photosFolder: try StorePath("photos"), copy: copy, hasNoteFolders: hasNoteFolders)
    let drafts = DraftJournal(
      club: club, outbox: outbox, basesDirectory: "\(folder)/bases", pool: pool,
      onFailure: { [failures] in failures.add($0) })
    let pool = pool
    let notes = NotesService(
      club: club, outbox: outbox, drafts: drafts,
      folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: pool) },
      editsDirectory: "\(folder)/edits")
    return Process(copy: copy, store: store, notes: notes, connection: connection)
  }

  /// Writes as another member does.
  @discardableResult
  func put(_ text: String, at path: String) async throws -> FileEntry {
    try await memory.put(DataSource(text.utf8), at: try StorePath(path), mode: .overwrite)
  }

  func text(_ path: String) async throws -> String? {
    do throws(StoreError) {
      return String(decoding: try await memory.readAll(try StorePath(path), limit: 1 << 20).bytes, as: UTF8.self)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// Lists the club once, with all texts, and ends: what a first start leaves on the machine.
  func visit(hasNoteFolders: Bool = true) async throws {
    let process = try start(hasNoteFolders: hasNoteFolders)
    _ = try await process.names()
    try await process.copy.keepTexts()
    await process.copy.lines.wait(for: "persist")
  }

  /// A process that knows the club and whose server is away.
  func away() async throws -> Process {
    try await visit()
    server.isAway = true
    let process = try start()
    _ = try await process.names()
    await process.copy.probe()
    return process
  }

  /// The server answers again, and the process knows it.
  func back(_ process: Process) async {
    server.isAway = false
    await process.copy.probe()
  }
}

extension CopyWorld.Process {
  func names() async throws -> [String] {
    var names: [String] = []
    try await notes.names { names += $0.notes.map { "\($0.path)" } }
    return names.sorted()
  }

  /// The rows of the outbox that this process reads meanwhile.
  func outboxRows(_ body: () async throws -> Void) async throws -> Int {
    let before = try copy.outbox.file.read { $0.rowsRead }
    try await body()
    return try copy.outbox.file.read { $0.rowsRead } - before
  }

  func text(_ path: String) async throws -> String {
    let (bytes, _) = try await notes.bytes(of: try StorePath(path))
    return String(decoding: bytes, as: UTF8.self)
  }
}
