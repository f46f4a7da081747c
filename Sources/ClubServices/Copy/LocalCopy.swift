internal import Basics
public import Database
public import FileStores
internal import Synchronization

/// The local copy of a club behind a network: its list, its texts, and the changes of names that wait to be sent.
///
/// The copy answers at once, and also while the store is away; a set of changes by cursor keeps it up to date. What
/// others remove in bulk stays until the member agrees. Any thread may use it. A failure of its file costs the copy,
/// never an action: `onFailure` gets the reason, and the store is asked.
public final class LocalCopy: Sendable {
  /// How fresh a list has to be.
  public enum Freshness: Sendable {
    /// The first list comes from the copy at once, and changes follow.
    case atOnce
    /// Each list follows a request for changes, unless the store is away.
    case checked
  }

  struct State {
    var loading: Task<Void, Never>?
    var head: CopyHead?
    /// The store's files as this machine last knew them.
    var base = CopiedFiles()
    /// Files that the store no longer lists, until the member agrees to the removal.
    var held: Set<StorePath> = []
    /// Changes of names that wait to be sent.
    var waiting = WaitingNames([])
    /// Waiting changes with damaged rows, which are shown and not sent.
    var damaged: [ChangeRecord] = []
    /// Pages of listings that are being read, by list, and the copy's cursor before the first request.
    var gathered: [String: (entries: [FileEntry], since: ChangeCursor?)] = [:]
    /// Lists that this process has had.
    var given: Set<CopiedList> = []
    /// True after the first answer of the store to this process.
    var isRefreshed = false
    /// True if this process got something from the copy because the store was away.
    var hasServedOld = false
    /// Files whose present revision is unknown, because a write met another one.
    var doubtful: Set<StorePath> = []
    /// The files in the trash as the store last listed them, newest first; nil until they are needed.
    var trashed: [TrashedFile]?
    /// The ids that moves to the trash got when they were sent, by the number of the change.
    var sentTrash: [Int64: TrashedFile.ID] = [:]
    /// Reasons of changes that could not be sent.
    var refusals: [StoreError] = []
    var log = CopyLog()
    var lateness: String?
    /// The revisions of the kept texts and the sum of their bytes; nil until they are needed.
    var texts: (revisions: [StorePath: Revision], bytes: Int)?

    /// Takes the changes that wait now.
    mutating func take(_ changes: [ChangeRecord]) {
      waiting = WaitingNames(changes)
      damaged = changes.filter(\.isDamaged)
    }
  }

  let club: String
  let photosFolder: StorePath
  /// Retries.
  let store: any FileStore
  /// The same store without retries, for calls that have the copy to fall back on.
  let direct: any FileStore
  let database: LocalCopyDatabase
  let outbox: OutboxDatabase
  let connection: StoreConnection
  let pool: BlockingPool
  let freshness: Freshness
  let account: @Sendable () async -> String?
  let now: @Sendable () -> Timestamp
  let onFailure: @Sendable (StoreError) -> Void
  let state = Mutex(State())
  let lines: SerialLines<String>
  let following = Mutex(Following())
  /// Counts the changes of the copy, for the work in the background.
  let rounds = Followed(0)
  let heldCount = Followed(0)

  /// - Parameters:
  ///   - club: the club's place, as in `Club`.
  ///   - store: retries temporary failures and reports them to `connection`; `direct` is the same without retries.
  ///   - account: the id of the account of this club's sign-in, if known without a request.
  ///   - onFailure: gets the reason when the copy could not be read or written, on any thread.
  public init(
    club: String, photosFolder: StorePath, store: any FileStore, direct: any FileStore, database: LocalCopyDatabase,
    outbox: OutboxDatabase, connection: StoreConnection, pool: BlockingPool, freshness: Freshness,
    account: @escaping @Sendable () async -> String? = { nil },
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) {
    (self.club, self.photosFolder, self.store) = (club, photosFolder, store)
    self.direct = ReportedStore(direct, connection: connection)
    (self.database, self.outbox, self.connection, self.pool) = (database, outbox, connection, pool)
    (self.freshness, self.account, self.now, self.onFailure) = (freshness, account, now, onFailure)
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
  public func heldCounts() -> AsyncStream<Int> { heldCount.values(.bufferingNewest(1)) }

  /// The files that the store no longer lists, until the member agrees to their removal.
  public var heldPaths: [StorePath] { state.withLock { $0.held.sorted() } }

  /// True if the copy has this list.
  func has(_ list: CopiedList) -> Bool { state.withLock { $0.head?.lists.contains(list.rawValue) ?? false } }

  /// True if words are found in the copy without a request.
  public var canSearch: Bool { has(.notes) }

  /// Reads the copy's list into memory, once.
  public func load() async {
    let loading = state.withLock { state in
      if let loading = state.loading { return loading }
      let task = Task.detached(executorPreference: pool.tasks) { await self.read() }
      state.loading = task
      return task
    }
    await loading.value
  }

  private func read() async {
    // Opening either file takes some milliseconds.
    async let copied = readCopy()
    await reloadWaiting()
    let account = await account()
    do throws(StoreError) {
      let (head, files) = try await copied.get()
      guard var head else { return }
      if let account, let before = head.account, account != before {
        // Another account may see another club: its lists are read anew, and compared before anything is removed.
        (head.lists, head.cursor) = ([], nil)
      }
      head.account = account ?? head.account
      state.withLock { [head] state in
        state.head = head
        state.base = CopiedFiles(ordered: files.entries)
        state.held = files.held
      }
      tellHeld()
    } catch {
      onFailure(error)
    }
  }

  private func readCopy() async -> Result<(CopyHead?, (entries: [FileEntry], held: Set<StorePath>)), StoreError> {
    await pool.run { [club, database] in
      do throws(StoreError) {
        return .success((try database.copy(of: club), try database.copiedEntries(of: club)))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Reads the waiting changes of names again: another byteclub may have added or sent some.
  func reloadWaiting() async {
    do throws(StoreError) {
      let changes = try await pool.run { [club, outbox] () throws(StoreError) in try outbox.changes(club: club) }
      state.withLock { state in
        let touched = WaitingNames.touched(from: state.waiting.changes, to: changes)
        state.take(changes)
        if !touched.isEmpty { state.log.add(touched: touched) }
      }
      wake()
    } catch {
      onFailure(error)
    }
  }

  func tellHeld() {
    let count = state.withLock { $0.held.count }
    heldCount.change { $0 == count ? nil : count }
  }

  /// Agrees to the removal of files that the store no longer lists. Returns their number.
  @discardableResult
  public func acceptRemoval() async -> Int {
    await load()
    let (head, gone) = state.withLock { state in
      let gone = state.held.sorted()
      state.base.change(present: [], lost: gone)
      state.held = []
      state.log.add(touched: gone)
      return (state.head, gone)
    }
    guard let head, !gone.isEmpty else { return 0 }
    tellHeld()
    wake()
    _ = await persist(head, present: [], lost: gone).value
    return gone.count
  }

  /// Writes a change of the copy behind the caller, in the order of the calls: an older list must not come over a newer.
  @discardableResult
  func persist(
    _ head: CopyHead, present: [(entry: FileEntry, isHeld: Bool)], lost: [StorePath]
  ) -> Task<Bool, Never> {
    lines.add("persist") { [self] in
      await pool.run { [self] in
        do throws(StoreError) {
          if present.isEmpty, lost.isEmpty {
            try database.noteCopy(of: club, head)
          } else {
            try database.changeCopy(of: club, head, present: present, lost: lost)
          }
          return true
        } catch {
          onFailure(error)
          return false
        }
      }
    }
  }
}

/// The lists that a copy holds.
public enum CopiedList: String, Sendable, Hashable, CaseIterable {
  /// Everything at the top of the club.
  case notes
  /// Everything below the photos folder.
  case photos
}

/// The changes of the copy, for readers with their own cursors. Readers with an old cursor must list again.
struct CopyLog: Sendable {
  enum Item: Sendable {
    /// Look at the path again.
    case touched(StorePath)
    /// A change outside of the copy's lists.
    case other(ChangeSet.Change)
    /// Changes arrive late from now on, or no longer.
    case lateness
  }

  private static let most = 50_000

  private(set) var items: [Item] = []
  /// The number of the first item.
  private(set) var first = 0
  /// Readers before this number must list again.
  private(set) var floor = 0
  var end: Int { first + items.count }

  mutating func add(_ new: [Item]) {
    items += new
    guard items.count > CopyLog.most else { return }
    first = end
    floor = first
    items = []
  }

  mutating func add(touched paths: [StorePath]) { add(paths.map { .touched($0) }) }
}

extension WaitingNames {
  /// The paths whose look differs between two lists of waiting changes.
  static func touched(from old: [ChangeRecord], to new: [ChangeRecord]) -> [StorePath] {
    let (before, after) = (Set(old.map(\.id)), Set(new.map(\.id)))
    let differing = old.filter { !after.contains($0.id) } + new.filter { !before.contains($0.id) }
    return differing.flatMap { change in [change.path] + (change.target.map { [$0] } ?? []) }
  }
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
