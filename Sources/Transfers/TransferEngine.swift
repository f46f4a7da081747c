public import FileStores
import Glibc

/// Carries out transfers: some at once, the others wait in the order in which they came. What they are and how far they
/// have come is in a journal, so that another engine, in this process or the next, goes on where this one stopped.
///
/// - Nothing is begun that is not in the journal, and the journal never says more than is durable.
/// - An upload goes through the store's `resumableUploads`, piece by piece; a small one, or one to a store without them,
///   through `put`. Nothing that is in the store is replaced: a name that is taken is numbered.
/// - A download keeps to one revision, and gets its name when it is whole, compared and on the disk.
/// - What the network or a busy store hinders is tried again by itself (`TransferRetry`).
/// - A transfer that was cancelled leaves nothing behind; one that has failed leaves what a retry goes on from.
/// - One engine at a time may have a journal. Stores are best given without their own retries: this engine has them.
///
/// `TransferMachine` draws the states. The engine's methods return soon: the work is done by tasks of their own.
public actor TransferEngine: TransferControl {
  /// At most ten progress calls a second.
  static let progressInterval = Duration.milliseconds(100)
  /// So long an offset may wait to be written down.
  static let noteInterval = Duration.milliseconds(500)

  let journal: any TransferJournal
  let stores: any TransferStores
  let pool: BlockingPool
  let executor: (any TaskExecutor)?
  let elapsed: @Sendable () -> Duration
  /// Until a time of `elapsed`.
  let sleep: @Sendable (Duration) async throws -> Void
  /// Until about then: what waits so may come a little later.
  let doze: @Sendable (Duration) async throws -> Void
  let now: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64
  var settings: TransferSettings

  var items: [Transfer.ID: TransferItem] = [:]
  /// Those that are not over, by position.
  var order: [Transfer.ID] = []
  /// Those that are over, the oldest first.
  var over: [Transfer.ID] = []
  var queue = TransferQueue()
  var lastPosition: Int64 = 0
  var running: [String: Int] = [:]
  var runningCount = 0
  /// Stores that are left alone for a while, until when.
  var holds: [String: (until: Duration, timer: Task<Void, Never>)] = [:]
  var bucket: TokenBucket
  var parts: Set<[UInt8]> = []
  var delegates: [any TransferDelegate] = []

  var dirty: Set<Transfer.ID> = []
  var doomed: Set<Transfer.ID> = []
  var batchWaiters: [UnsafeContinuation<StoreError?, Never>] = []
  var isWriting = false
  var isNoteDue = false
  var lastNote: Duration?

  private var starting: Task<StoreError?, Never>?
  private(set) var isStarted = false
  private(set) var isStopping = false
  /// Rows of the journal that could not be read when it was started.
  public private(set) var damaged = 0

  /// An engine that does nothing until it is started.
  ///
  /// - Parameters:
  ///   - pool: for the calls that block.
  ///   - executor: where its tasks run; Swift's own pool without one.
  ///   - clock: for pauses, rates and the limit; the machine's without one.
  ///   - now: the time of day, which the journal keeps.
  ///   - random: for the spreading of pauses and for names.
  public init(
    journal: any TransferJournal, stores: any TransferStores, settings: TransferSettings = TransferSettings(),
    pool: BlockingPool, executor: (any TaskExecutor)? = nil, clock: (any Clock<Duration>)? = nil,
    now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    (self.journal, self.stores, self.settings, self.pool) = (journal, stores, settings, pool)
    (self.executor, self.now, self.random) = (executor, now, random)
    (elapsed, sleep, doze) = clock.map { Self.stopwatch($0) } ?? Self.stopwatch()
    bucket = TokenBucket(rate: nil, at: .zero)
  }

  /// Reads the journal, tells the delegates of what is in it, and begins. Once is enough.
  /// - Throws: what the journal throws; then nothing has begun, and it may be called again.
  public func start() async throws(StoreError) {
    if isStarted { return }
    let task = starting ?? Task(executorPreference: executor) { await self.readJournal() }
    starting = task
    if let failure = await task.value {
      starting = nil
      throw failure
    }
  }

  /// Stops what runs at what is durable, and writes down how far that is; nothing is removed. Afterwards the journal is
  /// complete and may go to another engine, and this one does nothing any more.
  public func stop() async {
    isStopping = true
    for hold in holds.values { hold.timer.cancel() }
    holds = [:]
    for (id, item) in items {
      item.timer?.cancel()
      forgetTelling(id)
    }
    while case let tasks = items.values.compactMap(\.task), !tasks.isEmpty {
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }
    // What fails here is known to be less far than it is: nothing is lost but work.
    if !dirty.isEmpty || !doomed.isEmpty || isWriting { try? await commit() }
    for (id, item) in items where !item.listeners.isEmpty {
      items[id]?.listeners = []
      for listener in item.listeners { listener.resume(returning: item.shown(at: elapsed())) }
    }
  }

  private func readJournal() async -> StoreError? {
    do throws(StoreError) {
      let (records, damaged) = try await journal.records()
      let limit = try await journal.limit()
      self.damaged = damaged
      bucket.setRate(limit, at: elapsed())
      begin(records)
      return nil
    } catch {
      return error
    }
  }

  private func begin(_ records: [TransferRecord]) {
    isStarted = true
    var ended: [TransferRecord] = []
    for record in records {
      items[record.id] = TransferItem(record)
      lastPosition = max(lastPosition, record.position)
      if let part = record.part { parts.insert(part) }
      if items[record.id]?.toldState.isOver == true { ended.append(record) } else { order.append(record.id) }
    }
    order.sort { place(of: $0) < place(of: $1) }
    over = ended.sorted { ($0.ended ?? $0.created, $0.position) < ($1.ended ?? $1.created, $1.position) }.map(\.id)
    for id in order { takeUp(id) }
    for delegate in delegates { tellAll(delegate) }
    for id in order where items[id].map({ [.cleaning, .discarding].contains($0.machine.state) }) ?? false { clean(id) }
    schedule()
  }

  /// Puts what a journal held where it belongs.
  private func takeUp(_ id: Transfer.ID) {
    guard var item = items[id], item.machine.state == .queued else { return }
    let wait = item.record.notBefore.map { $0.nanoseconds.subtractingReportingOverflow(now().nanoseconds) }
    // A network that was away may be back: that is found out at once.
    if let wait, !wait.overflow, wait.partialValue > 0, item.record.error?.kind != .offline {
      item.machine = TransferMachine(.waiting)
      item.toldState = .waiting
      items[id] = item
      setTimer(id, .nanoseconds(wait.partialValue))
    } else {
      queue.add(item.record)
    }
  }

  func place(of id: Transfer.ID) -> TransferQueue.Place {
    TransferQueue.Place(position: items[id]?.record.position ?? 0, id: id)
  }

  private typealias Stopwatch = (
    elapsed: @Sendable () -> Duration, sleep: @Sendable (Duration) async throws -> Void,
    doze: @Sendable (Duration) async throws -> Void
  )

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> Stopwatch {
    let start = clock.now
    return (
      { start.duration(to: clock.now) },
      { time in try await clock.sleep(until: start.advanced(by: time), tolerance: nil) },
      { time in try await clock.sleep(until: start.advanced(by: time), tolerance: .milliseconds(20)) }
    )
  }

  /// The machine's clock. Sleeping by it wakes libdispatch's threads, which then look after themselves once a second for
  /// ever. Every transfer dozes, so that is done on a thread of its own: one is enough, as nobody dozes for long.
  private static func stopwatch() -> Stopwatch {
    var watch = stopwatch(ContinuousClock())
    let (elapsed, bed) = (watch.elapsed, BlockingPool(threads: 1))
    watch.doze = { time in
      await bed.run {
        while case let rest = time - elapsed(), rest > .zero {
          let (seconds, atto) = rest.components
          var pause = timespec(tv_sec: Int(seconds), tv_nsec: Int(atto / 1_000_000_000))
          nanosleep(&pause, nil)
        }
      }
    }
    return watch
  }
}
