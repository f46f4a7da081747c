public import Database
public import FileStores
import Synchronization

/// Typed text, durable within a second.
///
/// - `begin`, `record` and `retitle` return at once, from any thread, and keep their order. A worker writes what has
///   come in one commit after the other, so that many edits share a flush of the disk; it sleeps when nothing comes.
/// - An edit costs one row of the size of the edit, however long the note is. The text that the edits start from is
///   written once, under its hash.
/// - What could not be written is kept and tried again with the next edit or `flush`; `onFailure` is told once, from
///   any thread.
/// - A draft belongs to the process that began or adopted it, until that process ends, in whatever way.
public final class DraftJournal: Sendable {
  enum Item: Sendable {
    case begin(Draft.ID, path: StorePath?, title: String, base: Revision?, text: [UInt8])
    case edits(Draft.ID, [DraftEdit])
    case title(Draft.ID, String)
    case base(Draft.ID, Revision?)
    case moved(StorePath, to: StorePath)
  }

  struct State {
    /// What is not durable yet, in order.
    var waiting: [(item: Item, at: Timestamp)] = []
    /// How many items ever came, and how many of them are durable.
    var recorded = 0
    var durable = 0
    var isWorking = false
    /// Why the last writing failed; nil when it went well.
    var failure: StoreError?
    /// Who wants to know of failures.
    var watchers: [Int: AsyncStream<StoreError?>.Continuation] = [:]
    var watched = 0
    /// The drafts of this process as the outbox has them.
    var heads: [Draft.ID: DraftRecord] = [:]
    /// How much was ever recorded in each draft of this process.
    var marks: [Draft.ID: Int] = [:]
    /// Drafts that went on after a save: what their base revision holds is not what their log starts from.
    var saved: Set<Draft.ID> = []
    var waiters: [(target: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  let club: Club
  let outbox: OutboxDatabase
  /// Where a damaged outbox was put when it was opened; nil while there was none. The member should know.
  public var damagedOutbox: String? { outbox.setAside }
  let basesDirectory: String
  let pool: BlockingPool
  let owner: OwnerLock
  let onFailure: @Sendable (StoreError) -> Void
  let now: @Sendable () -> Timestamp
  let state = Mutex(State())

  /// A journal of one club's drafts. Nothing is touched before the first draft.
  public init(
    club: Club, outbox: OutboxDatabase, basesDirectory: String, pool: BlockingPool,
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) {
    (self.club, self.outbox, self.basesDirectory, self.pool) = (club, outbox, basesDirectory, pool)
    (self.now, self.onFailure) = (now, onFailure)
    owner = OwnerLock(directory: basesDirectory)
  }

  /// Starts a draft of a note, or of a new one (`path` and `base` nil, `title` its name as typed). Returns at once.
  /// It is offered to later sessions from its first edit on.
  public func begin(_ path: StorePath?, title: String, base: Revision?, text: [UInt8]) -> Draft.ID {
    let id = DraftJournal.newID()
    add(.begin(id, path: path, title: title, base: base, text: text), to: id)
    return id
  }

  /// Takes edits, in the order of the calls. Returns at once.
  public func record(_ edits: [DraftEdit], in id: Draft.ID) {
    guard !edits.isEmpty else { return }
    add(.edits(id, edits), to: id)
  }

  /// Takes the name of a new note as typed. Returns at once.
  public func retitle(_ id: Draft.ID, _ title: String) {
    add(.title(id, title), to: id)
  }

  /// Returns when all that was recorded before is durable, or when writing it has been tried and has failed (which
  /// `onFailure` was told).
  public func flush() async {
    await withUnsafeContinuation { continuation in
      let (isDone, start) = state.withLock { state in
        guard state.durable < state.recorded else { return (true, false) }
        state.waiters.append((state.recorded, continuation))
        return (false, DraftJournal.startsWork(&state))
      }
      if isDone { continuation.resume() }
      if start { pool.submit { self.work() } }
    }
  }

  static func newID() -> Draft.ID {
    let digits = Array("0123456789abcdef")
    return String((0..<24).map { _ in digits[Int.random(in: 0..<16)] })
  }

  /// How much was recorded in a draft of this process so far: what a save of its text covers.
  func mark(of id: Draft.ID) -> Int? { state.withLock { $0.marks[id] } }

  /// SHA-256 of the text that a draft's base revision holds; nil where that is not known (yet).
  func baseHash(of id: Draft.ID) -> String? {
    state.withLock { $0.saved.contains(id) ? nil : $0.heads[id]?.baseHash }
  }

  /// A save holds the text that the draft had at `mark`. The draft goes, unless more was typed since.
  func saved(_ id: Draft.ID, at mark: Int?) async throws(StoreError) {
    guard let newest = state.withLock({ $0.marks[id] }), newest == mark else { return }
    try await discard(id)
  }

  /// A store has the text that the draft had at `mark`, with this hash. The draft goes, unless it has another text by
  /// now: then it goes on from the new revision. Without a mark its text decides.
  func acknowledged(
    _ id: Draft.ID, at mark: Int?, hash: String, as revision: Revision?
  ) async throws(StoreError) {
    let newest = state.withLock { $0.marks[id] }
    if let mark, let newest {
      guard newest > mark else { return try await discard(id) }
    } else {
      await flush()
      let goesOn = try await pool.run { () throws(StoreError) in
        guard let head = try self.outbox.draft(id) else { return false }
        if try self.replay(head).text.hashed == hash { return false }
        guard newest == nil else { return true }
        var next = head
        next.base = revision
        try self.outbox.commit(heads: [next], edits: [])
        return true
      }
      guard goesOn else { return try await discard(id) }
    }
    state.withLock { if $0.marks[id] != nil { _ = $0.saved.insert(id) } }
    add(.base(id, revision), to: id)
  }

  /// A note has a new path: this process's drafts of it follow.
  func moved(_ path: StorePath, to target: StorePath) {
    add(.moved(path, to: target), to: nil)
  }

  private func add(_ item: Item, to id: Draft.ID?) {
    let time = now()
    let start = state.withLock { state in
      if let id {
        if case .begin = item { state.marks[id] = 0 }
        // A draft that was discarded, or never was this process's.
        guard let mark = state.marks[id] else { return false }
        state.marks[id] = mark + 1
      }
      state.waiting.append((item, time))
      state.recorded += 1
      return DraftJournal.startsWork(&state)
    }
    if start { pool.submit { self.work() } }
  }

  private static func startsWork(_ state: inout State) -> Bool {
    guard !state.isWorking else { return false }
    state.isWorking = true
    return true
  }
}
