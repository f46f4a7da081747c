public import Basics
public import Database
public import FileStores
import Synchronization

/// Typed text, durable within a second.
///
/// - `begin`, `record` and `retitle` return at once, from any thread, and keep their order. A worker commits all
///   waiting items in one batch after the other, so many edits share a flush of the disk.
/// - An edit costs one row of its own size. The base text is written once, under its hash.
/// - Failed writes are kept and retried with the next edit or `flush`. `onFailure` is called for the first failure
///   only, until a write succeeds, from any thread.
/// - A draft belongs to the process that began or adopted it, until that process ends or lets go.
///
/// `State` has all fields that change: a queue, its counters and the heads of this process. `commit` makes rows of a batch beside
/// the files of its bases, because a base must be on the disk before the row that names it.
public final class DraftJournal: Sendable {
  enum Item: Sendable {
    case begin(Draft.ID, path: StorePath?, title: String, base: Revision?, text: [UInt8])
    case edits(Draft.ID, [DraftEdit])
    case title(Draft.ID, String)
    case base(Draft.ID, Revision?)
    case moved(MovedNames)
  }

  struct State {
    /// Items that are not durable yet, in order.
    var waiting: [(item: Item, at: Timestamp)] = []
    /// The number of all items so far, and of the durable ones.
    var recorded = 0
    var durable = 0
    var isWorking = false
    var heads: [Draft.ID: DraftRecord] = [:]
    /// The number of items so far in each draft of this process.
    var marks: [Draft.ID: Int] = [:]
    /// Drafts that continued after a save: their log does not start from the text of their base revision.
    var saved: Set<Draft.ID> = []
    var waiters: [(target: Int, end: PendingAnswer<Void>)] = []
  }

  let club: Club
  let outbox: OutboxDatabase
  /// The new path of a damaged outbox that was set aside at opening; nil if the outbox was good.
  public var damagedOutbox: String? { outbox.setAside }
  /// The newest damaged outbox that still exists, from this start or an earlier one.
  public var damagedFile: String? { outbox.damagedFile }
  let basesDirectory: String
  let pool: BlockingPool
  let owner: OwnerLock
  let onFailure: @Sendable (StoreError) -> Void
  let now: @Sendable () -> Timestamp
  let state = Mutex(State())
  /// The error of the last write; nil if it succeeded.
  let failure = WaitableState<StoreError?>(nil)

  public init(
    club: Club, outbox: OutboxDatabase, basesDirectory: String, pool: BlockingPool,
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) {
    (self.club, self.outbox, self.basesDirectory, self.pool) = (club, outbox, basesDirectory, pool)
    (self.now, self.onFailure) = (now, onFailure)
    owner = OwnerLock(directory: basesDirectory)
  }

  /// Starts a draft of a note, or of a new note (`path` and `base` nil, `title` as typed). Returns at once. Later
  /// processes can recover it from its first edit on.
  public func begin(_ path: StorePath?, title: String, base: Revision?, text: [UInt8]) -> Draft.ID {
    let id = DraftJournal.newID()
    add(.begin(id, path: path, title: title, base: base, text: text), to: id)
    return id
  }

  public func record(_ edits: [DraftEdit], in id: Draft.ID) {
    guard !edits.isEmpty else { return }
    add(.edits(id, edits), to: id)
  }

  public func retitle(_ id: Draft.ID, _ title: String) {
    add(.title(id, title), to: id)
  }

  /// Returns when all items so far are durable, or writing them has failed and `onFailure` was called. The waiters are part
  /// of the state, and not in a `WaitableState`, because only those go on that waited when a try failed.
  public func flush() async {
    let end = PendingAnswer<Void>()
    let (waits, start) = state.withLock { state in
      guard state.durable < state.recorded else { return (false, false) }
      state.waiters.append((state.recorded, end))
      return (true, DraftJournal.startsWork(&state))
    }
    if start { pool.submit { self.work() } }
    if waits { await end.valueThoughCancelled() }
  }

  /// Gives up all drafts and saves, so that another journal can have them, of this process too. Does nothing while an item
  /// is not durable. Blocks briefly.
  public func letGo() {
    let isWhole = state.withLock { state in
      guard state.durable == state.recorded else { return false }
      (state.marks, state.heads) = ([:], [:])
      return true
    }
    if isWhole { owner.release() }
  }

  static func newID() -> Draft.ID {
    let digits = Array("0123456789abcdef")
    return String((0..<24).map { _ in digits[Int.random(in: 0..<16)] })
  }

  /// The number of items so far in a draft of this process. A save of its text covers these.
  func mark(of id: Draft.ID) -> Int? { state.withLock { $0.marks[id] } }

  /// SHA-256 of the text of a draft's base revision; nil if unknown.
  func baseHash(of id: Draft.ID) -> String? {
    state.withLock { $0.saved.contains(id) ? nil : $0.heads[id]?.baseHash }
  }

  /// As `baseHash`, after the beginning of the draft was written. nil if it could not be.
  func writtenBaseHash(of id: Draft.ID) async -> String? {
    if state.withLock({ $0.marks[id] != nil && $0.heads[id] == nil }) { await flush() }
    return baseHash(of: id)
  }

  /// Removes a draft whose text at `mark` is now in a save, unless more was typed since.
  func saved(_ id: Draft.ID, at mark: Int?) async throws(StoreError) {
    guard let newest = state.withLock({ $0.marks[id] }), newest == mark else { return }
    try await discard(id)
  }

  /// Called when a store has the text that the draft had at `mark`, as this save. Removes the draft; if its text has
  /// changed since, it continues from the new revision, or from its own if the save was merged. Without marks the texts
  /// are compared.
  func acknowledged(
    _ id: Draft.ID, at mark: Int?, in save: SaveRecord, as revision: Revision?
  ) async throws(StoreError) {
    let newest = state.withLock { $0.marks[id] }
    if let mark, let newest {
      guard newest > mark else { return try await discard(id) }
    } else {
      await flush()
      let (goesOn, isMerged) = try await pool.run { () throws(StoreError) in
        guard let head = try self.outbox.draft(id) else { return (false, false) }
        let (hash, isMerged) = (try self.replay(head).text.hashed, head.base != save.base)
        if hash == save.textHash || isMerged && save.knows(hash) { return (false, isMerged) }
        // The draft lacks the other change of a merge.
        guard newest == nil, !isMerged else { return (true, isMerged) }
        var next = head
        next.base = revision
        try self.outbox.commit(heads: [next], edits: [])
        return (true, false)
      }
      guard goesOn else { return try await discard(id) }
      guard !isMerged else { return }
    }
    state.withLock { if $0.marks[id] != nil { _ = $0.saved.insert(id) } }
    add(.base(id, revision), to: id)
  }

  func moved(_ path: StorePath, to target: StorePath) { moved([path: target]) }

  /// The drafts of each path belong to another one from now on, all at once.
  func moved(_ names: MovedNames) { add(.moved(names), to: nil) }

  private func add(_ item: Item, to id: Draft.ID?) {
    let time = now()
    let start = state.withLock { state in
      if let id {
        if case .begin = item { state.marks[id] = 0 }
        // The draft was discarded, or belongs to another process.
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
