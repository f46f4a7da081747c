public import Basics
public import FileStores
import POSIX

/// Carries out transfers: some at once, the others in the order of a queue. Orders and progress are in a journal, so
/// another engine, in this process or the next, continues them.
///
/// - The journal has an order before it begins, and never claims more than is durable.
/// - An upload goes through the store's `uploads`, piece by piece; a small one, or one to a store without them, through
///   `put`. It replaces nothing: a taken name gets a number.
/// - A download keeps to one revision. It gets its name once it is complete, compared with the checksum and durable.
/// - After a fault of the network or of a busy store it tries again by itself (`RetryPolicy.transfers`).
/// - A cancelled transfer leaves nothing behind; a failed one keeps its bytes for a retry.
/// - Only one engine at a time may have a journal. Give it stores without their own retries.
///
/// `TransferMachine` defines the states. The engine's methods return soon; its own tasks do the work.
public actor TransferEngine: TransferCarrier {
  static let progressInterval = Duration.milliseconds(100)
  /// The longest wait of an offset for its write, unless ten times the last write took longer.
  static let noteInterval = Duration.milliseconds(150)

  let journal: any TransferJournal
  let stores: (any TransferStores)?
  let pool: BlockingPool
  let elapsed: @Sendable () -> Duration
  /// Sleeps until a time of `elapsed`, at most about the tolerance late.
  let sleep: @Sendable (_ until: Duration, _ tolerance: Duration?) async throws -> Void
  let now: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64
  var settings: TransferSettings

  var items: [Transfer.ID: TransferItem] = [:]
  /// The keys of `items`, by their files of this machine.
  var ofLocal: [String: Set<Transfer.ID>] = [:]
  var order: [Transfer.ID] = []
  var over: [Transfer.ID] = []
  var queue = TransferQueue()
  var lastPosition: Int64 = 0
  var running: [String: Int] = [:]
  var holds: [String: (until: Duration, timer: Task<Void, Never>)] = [:]
  var bucket = TokenBucket(rate: nil, at: .zero)
  var parts: Set<[UInt8]> = []
  var delegates: [any TransferDelegate] = []

  var dirty: Set<Transfer.ID> = []
  var doomed: Set<Transfer.ID> = []
  private var batchWaiters: [PendingAnswer<StoreError?>] = []
  private var isWriting = false
  private var isNoteDue = false
  private var lastNote: Duration?
  private var writeTime = Duration.zero

  private var starting: Task<StoreError?, Never>?
  private var late: Task<Void, Never>?
  private(set) var isStarted = false
  private(set) var isStopping = false

  /// An engine that does nothing until it is started.
  ///
  /// - Parameters:
  ///   - stores: nil for an engine that only writes commands to the journal for the next engine.
  ///   - pool: for blocking calls; its threads also run the engine's tasks.
  ///   - clock: for pauses, rates and the limit.
  ///   - now: the time of day, for the journal.
  ///   - random: for the spread of pauses and for names.
  public init(
    journal: any TransferJournal, stores: (any TransferStores)?, settings: TransferSettings = TransferSettings(),
    pool: BlockingPool, clock: any Clock<Duration> = TimerClock(), now: @escaping @Sendable () -> Timestamp,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    (self.journal, self.stores, self.settings, self.pool) = (journal, stores, settings, pool)
    (self.now, self.random) = (now, random)
    (elapsed, sleep) = clock.sleepingStopwatch()
  }

  /// Reads the journal, reports its transfers to the delegates, and begins. Later calls do nothing.
  /// - Throws: errors of the journal; then nothing has begun, and the caller may try again.
  public func start() async throws(StoreError) {
    if isStarted { return }
    let task = starting ?? Task(executorPreference: pool.tasks) { await self.readJournal() }
    starting = task
    guard let result = await task.valueUnlessCancelled(on: pool.tasks) else { throw .cancelled("The request") }
    if let failure = result {
      starting = nil
      throw failure
    }
  }

  /// Stops all jobs and writes their durable progress to the journal; removes nothing. Afterwards the journal is
  /// complete and may go to another engine.
  public func stop() async {
    isStopping = true
    late?.cancel()
    for store in holds.keys { release(store) }
    for (id, item) in items {
      item.timer?.cancel()
      forgetTelling(id)
    }
    while case let tasks = items.values.compactMap(\.task), !tasks.isEmpty {
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }
    // If this write fails, the journal is behind and some work is repeated.
    if !dirty.isEmpty || !doomed.isEmpty || isWriting { try? await commit() }
    for id in items.keys { answerListeners(id) }
  }

  private func readJournal() async -> StoreError? {
    do throws(StoreError) {
      let records = try await journal.records().records
      bucket.setRate(try await journal.limit(), at: elapsed())
      begin(records)
      if stores != nil { late = Task(executorPreference: pool.tasks) { await self.takeLateRecords() } }
      return nil
    } catch {
      return error
    }
  }

  private func begin(_ records: [TransferRecord]) {
    isStarted = true
    enter(records)
    for delegate in delegates { reportAll(to: delegate) }
    carryOn(records)
  }

  /// They appear as new ones do.
  private func takeLateRecords() async {
    while let records = await journal.lateRecords(), !isStopping {
      let new = records.filter { items[$0.id] == nil }
      enter(new)
      for record in new { report(record.id, TransferEvent.appeared) }
      carryOn(new)
    }
  }

  private func enter(_ records: [TransferRecord]) {
    for record in records {
      let item = keep(record)
      lastPosition = max(lastPosition, record.position)
      if let part = record.part { parts.insert(part) }
      if !item.reportedState.isOver { order.append(record.id) }
    }
    order.sort { place(of: $0) < place(of: $1) }
    over = (over.compactMap { items[$0]?.record } + records.filter { items[$0.id]?.reportedState.isOver == true })
      .sorted { ($0.ended ?? $0.created, $0.position) < ($1.ended ?? $1.created, $1.position) }.map(\.id)
    for record in records.sorted(by: { place(of: $0.id) < place(of: $1.id) }) { takeUp(record.id) }
  }

  @discardableResult func keep(_ record: TransferRecord) -> TransferItem {
    let item = TransferItem(record)
    items[record.id] = item
    ofLocal[record.order.local, default: []].insert(record.id)
    return item
  }

  private func carryOn(_ records: [TransferRecord]) {
    for record in records where stores != nil && [.cleaning, .discarding].contains(items[record.id]?.machine.state) {
      clean(record.id)
    }
    schedule()
  }

  private func takeUp(_ id: Transfer.ID) {
    guard var item = items[id], item.machine.state == .queued else { return }
    let wait = item.record.notBefore.map { $0.nanoseconds.subtractingReportingOverflow(now().nanoseconds) }
    // A network that was away may be back, so an engine tries at once.
    let waits = stores == nil || item.record.error?.kind != .offline
    if waits, let wait, !wait.overflow, wait.partialValue > 0 {
      item.machine = TransferMachine(.waiting)
      item.reportedState = .waiting
      items[id] = item
      setTimer(id, .nanoseconds(wait.partialValue))
    } else {
      queue.add(item.record)
    }
  }

  func place(of id: Transfer.ID) -> TransferQueue.Place {
    TransferQueue.Place(position: items[id]?.record.position ?? 0, id: id)
  }
}

/// The journal has one write at a time; changes meanwhile go into the next.
extension TransferEngine {
  /// All changes so far are durable when this returns, also in a cancelled task.
  func commit() async throws(StoreError) {
    let answer = PendingAnswer<StoreError?>()
    batchWaiters.append(answer)
    startWriting()
    if let failure = await answer.valueThoughCancelled() ?? nil { throw failure }
  }

  func writeSoon(isUrgent: Bool) {
    let time = elapsed()
    if !isUrgent, let lastNote, time - lastNote < max(Self.noteInterval, writeTime * 10) { return }
    lastNote = time
    isNoteDue = true
    startWriting()
  }

  private func startWriting() {
    guard !isWriting else { return }
    isWriting = true
    Task(executorPreference: pool.tasks) { await self.writeBatches() }
  }

  private func writeBatches() async {
    while !batchWaiters.isEmpty || isNoteDue {
      let waiters = batchWaiters
      (batchWaiters, isNoteDue) = ([], false)
      let failure = await writeBatch()
      for waiter in waiters { waiter.give(failure) }
    }
    isWriting = false
  }

  private func writeBatch() async -> StoreError? {
    let (changed, removed) = (dirty, doomed)
    (dirty, doomed) = ([], [])
    let records = changed.compactMap { items[$0]?.record }.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    let start = elapsed()
    defer { writeTime = elapsed() - start }
    do throws(StoreError) {
      if !records.isEmpty { try await journal.write(records) }
      if !removed.isEmpty { try await journal.remove(removed.sorted()) }
      return nil
    } catch {
      // The next batch includes them.
      dirty.formUnion(changed.filter { items[$0] != nil })
      doomed.formUnion(removed)
      return error
    }
  }
}
