public import Basics
public import Database
public import FileStores
internal import Synchronization

/// The local copy of a club behind a network: its list, its texts, and the changes of names that wait to be sent.
///
/// The copy answers at once, and also while the store is away; a set of changes by cursor keeps it up to date. What
/// others remove in bulk stays until the member agrees. Any thread may use it. A failure of its file costs the copy,
/// never an action: `onFailure` gets the reason, and the store is asked.
///
/// `CopyState` has all fields that change, and `SyncPlanner` computes the changes; both are pure. The other fields are fixed,
/// or pass a change on to others.
public final class LocalCopy: Sendable {
  /// How fresh a list has to be.
  public enum Freshness: Sendable {
    /// The first list comes from the copy at once, and changes follow.
    case atOnce
    /// Each list follows a request for changes, unless the store is away.
    case checked
  }

  let club: String
  let photosFolder: StorePath
  let notes: NoteScope
  /// Retries.
  let store: any FileStore
  /// The same store without retries, for calls that have the copy to fall back on.
  let direct: any FileStore
  let database: LocalCopyDatabase
  let outbox: OutboxDatabase
  let connection: StoreConnection
  let pool: BlockingPool
  let freshness: Freshness
  let mostBytes: Int
  let account: @Sendable () async -> String?
  let now: @Sendable () -> Timestamp
  let onFailure: @Sendable (StoreError) -> Void
  let state = Mutex(CopyState())
  /// New changes of names: each write reads all that wait.
  let added = GatheredWork<ChangeRecord, Result<[Int64], StoreError>>()
  let dropped = GatheredWork<Int64, Result<Void, StoreError>>()
  let readings = GatheredWork<Void, Void>()
  let lines: SerialLines<String>
  let following = Mutex(Following())
  /// Counts the changes of the copy, for the work in the background.
  let rounds = ChangeCount()
  let heldCount = WaitableState(0)
  let movedTexts = Mutex<(@Sendable (MovedNames) -> Void)?>(nil)

  /// - Parameters:
  ///   - club: the club's place, as in `Club`.
  ///   - store: retries temporary failures and reports them to `connection`; `direct` is the same without retries.
  ///   - mostBytes: the limit of the kept texts.
  ///   - account: the id of the account of this club's sign-in, if known without a request.
  ///   - onFailure: gets the reason when the copy could not be read or written, on any thread.
  public init(
    club: String, photosFolder: StorePath, store: any FileStore, direct: any FileStore, database: LocalCopyDatabase,
    outbox: OutboxDatabase, connection: StoreConnection, pool: BlockingPool, freshness: Freshness,
    mostBytes: Int = LocalCopy.mostBytes,
    account: @escaping @Sendable () async -> String? = { nil },
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }, hasNoteFolders: Bool = true
  ) {
    (self.club, self.photosFolder, self.store) = (club, photosFolder, store)
    notes = NoteScope(
      photosFolder: photosFolder, hasFolders: hasNoteFolders, ignoresCase: !store.limits.caseSensitive)
    self.direct = ReportedStore(direct, connection: connection)
    (self.database, self.outbox, self.connection, self.pool) = (database, outbox, connection, pool)
    (self.freshness, self.mostBytes) = (freshness, mostBytes)
    (self.account, self.now, self.onFailure) = (account, now, onFailure)
    lines = SerialLines(on: pool.tasks)
  }

  /// True while the store does not answer, or asks for a pause.
  public var isAway: Bool {
    switch connection.state {
    case .offline, .waiting: true
    case .unknown, .online: false
    }
  }

  /// The time of the store's last answer; nil without a copy.
  public var refreshed: Timestamp? { state.withLock { $0.head?.refreshed } }

  /// That time, if this process got something from the copy because the store was away.
  public var servedFrom: Timestamp? { state.withLock { $0.hasServedOld ? $0.head?.refreshed : nil } }

  /// The number of files that the store no longer lists and that stay until the member agrees, as it changes.
  public func heldCounts() -> AsyncStream<Int> { heldCount.values() }

  /// The files that the store no longer lists, until the member agrees to their removal.
  public var heldPaths: [StorePath] { state.withLock { $0.held.sorted() } }

  /// True if the copy has this list.
  func has(_ list: CopiedList) -> Bool { state.withLock { $0.head?.lists.contains(list.rawValue) ?? false } }

  /// True if the member sees only the notes at the top: an earlier version wrote the copy, and the store is away.
  public var lacksFolders: Bool { isAway && needsTree }

  /// True if this process had the notes at the top alone, and the copy still has no more.
  var needsTree: Bool { state.withLock { $0.hasServedTop } && !has(.tree) }

  /// The list that has all notes.
  var noteList: CopiedList { notes.hasFolders ? .tree : .notes }

  /// True if words are found in the copy without a request.
  public var canSearch: Bool { has(noteList) }

  /// Reads the copy's list into memory, once.
  public func load() async { await begin().loading.value }

  /// The files where notes are as the member last knew them, with path and kind alone: the app's first list does
  /// not wait for the other columns. nil without such a list, once it is all in memory, and for commands.
  func firstNames() async -> [FileEntry]? { await begin().naming?.value }

  private func begin() -> (naming: Task<[FileEntry]?, Never>?, loading: Task<Void, Never>) {
    state.withLock { state in
      if let loading = state.loading { return (state.naming, loading) }
      let tasks = pool.tasks
      let naming =
        freshness == .atOnce ? Task.detached(executorPreference: tasks) { await self.readNames() } : nil
      let loading = Task.detached(executorPreference: tasks) {
        _ = await naming?.value
        await self.read()
        self.state.withLock { $0.naming = nil }
      }
      (state.naming, state.loading) = (naming, loading)
      return (naming, loading)
    }
  }

  private func readNames() async -> [FileEntry]? {
    async let copied = pool.run { [club, database, notes] in
      Result { () throws(StoreError) in
        (
          try database.copy(of: club),
          try database.copiedNames(of: club, besides: notes.hasFolders ? notes.photosFolder : nil)
        )
      }
    }
    await reloadWaiting()
    let account = await account()
    let (head, names): (CopyHead?, [FileEntry])
    do throws(StoreError) {
      (head, names) = try await copied.get()
    } catch {
      // A damaged file is built anew at once. Any other error meets the reading of all columns, too.
      if error.kind == .corrupt { onFailure(error) }
      return nil
    }
    guard let head, head.lists.contains(CopiedList.notes.rawValue),
      account == nil || head.account == nil || account == head.account
    else { return nil }
    return state.withLock { $0.waiting.local(CopiedFiles(ordered: names)) { isPart($0, of: noteList) } }
  }

  private func read() async {
    // Opening either file takes some milliseconds. The names came with the waiting changes.
    async let copied = readCopy()
    if freshness == .checked { await reloadWaiting() }
    let account = await account()
    do throws(StoreError) {
      let (head, files) = try await copied.get()
      guard var head else { return }
      if let account, let before = head.account, account != before {
        // Another account may see another club: its lists are read anew, and compared before anything is removed.
        (head.lists, head.cursor) = ([], nil)
      }
      head.account = account ?? head.account
      state.withLock { [head] in $0.begin(head, files) }
      tellHeld()
    } catch {
      onFailure(error)
    }
  }

  private func readCopy() async -> Result<(CopyHead?, (entries: [FileEntry], held: Set<StorePath>)), StoreError> {
    await pool.run { [club, database] in
      Result { () throws(StoreError) in (try database.copy(of: club), try database.copiedEntries(of: club)) }
    }
  }

  /// Carries out a plan: in memory and the log under one lock, then on the disk. Nothing else changes the copy. The plan
  /// is decided under the same lock and gets its place in the line of writes there, so the order on the disk is that of
  /// memory.
  /// - Returns: the end of the log after it, and the write; nil if there was nothing to do.
  @discardableResult
  func apply(_ decide: (CopyState) -> CopyPlan?) -> (end: Int, write: Task<Bool, Never>?)? {
    let done = state.withLock { state -> (end: Int, write: Task<Bool, Never>?, isAnswer: Bool)? in
      guard let plan = decide(state), !plan.isEmpty else { return nil }
      state.apply(plan)
      return (state.log.end, persist(plan, state), plan.isAnswer)
    }
    guard let (end, write, isAnswer) = done else { return nil }
    tellHeld()
    wake()
    if isAnswer { rounds.fire() }
    return (end, write)
  }

  /// Writes the files as a plan has left them, behind the caller and in the order of the calls.
  private func persist(_ plan: CopyPlan, _ state: CopyState) -> Task<Bool, Never>? {
    let files = plan.files
    guard let head = state.kept, plan.head != nil || files != SyncPlanner.Plan() else { return nil }
    let held = files.held.compactMap { path in state.base[path].map { (entry: $0, isHeld: true) } }
    let present = files.present.map { (entry: $0, isHeld: false) } + held
    let lost = files.lost
    return lines.add("persist") { [self] in
      await pool.run { [self] in
        do throws(StoreError) {
          if present.isEmpty, lost.isEmpty {
            try database.noteCopy(of: club, head)
          } else {
            try database.changeCopy(of: club, head, present: present, lost: lost)
          }
          self.state.withLock { state in for path in lost { state.texts?.forget(path) } }
          return true
        } catch {
          onFailure(error)
          return false
        }
      }
    }
  }

  func tellHeld() {
    let count = state.withLock { $0.held.count }
    heldCount.change { $0 = count }
  }

  /// Agrees to the removal of files that the store no longer lists. Returns their number.
  @discardableResult
  public func acceptRemoval() async -> Int {
    await load()
    var count = 0
    let done = apply { state in
      count = state.held.count
      return CopyPlan(files: SyncPlanner.Plan(lost: state.held.sorted()))
    }
    _ = await done?.write?.value
    return count
  }
}

/// The lists that a copy holds.
public enum CopiedList: String, Sendable, Hashable, CaseIterable {
  /// Everything at the top of the club.
  case notes
  /// That, with all notes in folders, the folders, and other files there: a copy of an earlier version does not have it.
  case tree
  /// Everything below the photos folder.
  case photos
}

/// Reports the outcome of each call, for a store without retries.
struct ReportedStore: StoreWrapper {
  let base: any FileStore
  private let connection: StoreConnection

  init(_ base: any FileStore, connection: StoreConnection) { (self.base, self.connection) = (base, connection) }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    do throws(StoreError) {
      let answer = try await body()
      connection.observe(.answered)
      return answer
    } catch {
      switch error.kind {
      case .offline, .rateLimited: connection.observe(.failed(error))
      case .notFound, .conflict, .exists, .quota: connection.observe(.answered)
      default: break
      }
      throw error
    }
  }
}
