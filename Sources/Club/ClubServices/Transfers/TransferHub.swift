public import Basics
public import FileStores
public import Transfers

/// The transfers of all processes that use one journal. Exactly one of them, the owner, carries out transfers. It holds
/// a lock, which a crash releases, and listens on a socket; the others are its clients.
///
/// - Nothing is opened before a call needs it, or an `attach` when the journal has transfers.
/// - When the owner goes away, a client becomes the owner. Unanswered calls are repeated, no order is taken twice, and
///   delegates get the events that they missed.
/// - Errors are those of `TransferControl`, `server` if the owner does not answer, and `unsupported` if its version
///   differs.
public actor TransferHub: TransferControl {
  public enum Role: Sendable, Hashable {
    /// The process has not needed a role yet, or has given it up.
    case none
    case owner
    case client
  }

  private enum State {
    case none
    case owner(any TransferCarrier, TransferServer?, TransferLock)
    case client(TransferClient)
  }

  private let directory: String
  private let journal: String
  private let listens: Bool
  private let patience: Duration
  private let pool: BlockingPool
  private let hasTransfers: @Sendable () async throws(StoreError) -> Bool
  private let makeCarrier: @Sendable () async throws(StoreError) -> any TransferCarrier
  private let onFailure: @Sendable (StoreError) -> Void
  private let broadcast = TransferBroadcast()

  private var state = State.none
  private var changing: Task<StoreError?, Never>?
  private var isStopped = false

  /// - Parameters:
  ///   - directory: for lock and socket; made (0700) if missing.
  ///   - journal: the file of the journal. Processes with another journal are ignored.
  ///   - listens: false for a process that ends after a single command.
  ///   - patience: the longest time that a process may hold the lock without listening, while it starts or ends. An
  ///     owner may take twice as long for an answer.
  ///   - hasTransfers: true if the journal has any; must be cheap.
  ///   - makeCarrier: called each time that this process becomes the owner.
  ///   - onFailure: gets errors of work that no caller waits for.
  public init(
    directory: String, journal: String, listens: Bool = true, patience: Duration = .seconds(10), pool: BlockingPool,
    hasTransfers: @escaping @Sendable () async throws(StoreError) -> Bool,
    onFailure: @escaping @Sendable (StoreError) -> Void = { _ in },
    makeCarrier: @escaping @Sendable () async throws(StoreError) -> any TransferCarrier
  ) {
    (self.directory, self.journal, self.listens, self.patience, self.pool) = (
      directory, journal, listens, patience, pool
    )
    (self.hasTransfers, self.onFailure, self.makeCarrier) = (hasTransfers, onFailure, makeCarrier)
  }

  public var role: Role {
    switch state {
    case .none: .none
    case .owner: .owner
    case .client: .client
    }
  }

  /// The transfers that would stop if this process ended now: it is the owner, and they are neither paused nor over.
  public var goingOn: [Transfer] {
    guard case .owner = state else { return [] }
    return broadcast.transfers.filter { !$0.state.isOver && $0.state != .paused }
  }

  // MARK: - TransferControl

  public func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    var ids: [Transfer.ID] = []
    var rest = orders[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(TransferMessage.ordersAtOnce))
      ids += try await addOnce(some)
      rest = rest.dropFirst(some.count)
    }
    return ids
  }

  public func perform(_ command: TransferCommand) async throws(StoreError) {
    try await asked(
      { (carrier) throws(StoreError) in try await carrier.perform(command) }, { .perform($0, command) },
      { if case .done = $0 { () } else { nil } })
  }

  public func transfers() async throws(StoreError) -> [Transfer] {
    try await asked(
      { (carrier) throws(StoreError) in try await carrier.transfers() }, { .list($0, ofLocal: nil) },
      { if case .listed(_, let transfers) = $0 { transfers } else { nil } })
  }

  public func transfers(ofLocal file: String) async throws(StoreError) -> [Transfer] {
    try await asked(
      { (carrier) throws(StoreError) in try await carrier.transfers(ofLocal: file) }, { .list($0, ofLocal: file) },
      { if case .listed(_, let transfers) = $0 { transfers.filter { $0.local == file } } else { nil } })
  }

  public func limit() async throws(StoreError) -> UInt64? {
    try await asked(
      { (carrier) throws(StoreError) in try await carrier.limit() }, { .askLimit($0) },
      { if case .limit(_, let rate) = $0 { .some(rate) } else { nil } })
  }

  /// Transfers of the journal and of the owner are reported before this returns; see `TransferControl`.
  public func attach(_ delegate: any TransferDelegate) async { await attach([delegate]) }

  /// Attaches several delegates before this process takes its role: all of them get the same events. Known transfers
  /// are reported before this returns.
  public func attach(_ delegates: [any TransferDelegate]) async {
    for delegate in delegates { await broadcast.attach(delegate) }
    guard case .none = state, !isStopped else { return }
    do throws(StoreError) {
      let (pool, directory) = (pool, directory)
      if await pool.run({ TransferLock.isTaken(in: directory) }) {
        _ = try await taken()
      } else if try await hasTransfers() {
        _ = try await taken()
      }
    } catch {
      onFailure(error)
    }
    await broadcast.delivered()
  }

  public func detach(_ delegate: any TransferDelegate) async { await broadcast.detach(delegate) }

  /// Waits until a transfer is over, or until no process carries it on.
  public func ended(_ id: Transfer.ID) async -> Transfer? {
    do throws(StoreError) {
      _ = try await taken()
    } catch {
      if error.kind != .cancelled { onFailure(error) }
      return nil
    }
    return await broadcast.ended(id)
  }

  // MARK: - Leaving

  /// Keeps durable progress, and gives up lock and socket. Another process may then own the transfers; this hub refuses
  /// further calls.
  public func stop() async {
    isStopped = true
    _ = await changing?.value
    await leave()
    broadcast.giveUp()
  }

  /// Pauses all transfers if this process owns them, and stops.
  public func pauseAllAndStop() async throws(StoreError) {
    if case .owner(let carrier, _, _) = state { try await carrier.perform(.pauseAll) }
    await stop()
  }

  /// Keeps durable progress, gives up lock and socket, and calls `successor`, which makes another process the owner.
  /// Calls wait meanwhile. Does nothing if this process is not the owner.
  /// - Throws: errors of `successor`; the next call opens the hub again.
  public func handOver(_ successor: @escaping @Sendable () async throws(StoreError) -> Void) async throws(StoreError) {
    _ = await changing?.value
    guard case .owner = state else { return }
    let task = Task.detached(executorPreference: pool.tasks) { () async -> StoreError? in
      await self.leave()
      do throws(StoreError) {
        try await successor()
        return nil
      } catch {
        return error
      }
    }
    changing = task
    let failure = await task.value
    changing = nil
    if let failure { throw failure }
  }

  private func leave() async {
    let last = state
    state = .none
    switch last {
    case .none: break
    case .client(let client): client.close()
    case .owner(let carrier, let server, let lock):
      await server?.close()
      await carrier.stop()
      withExtendedLifetime(lock) {}
    }
  }

  // MARK: - Becoming the owner or a client

  private func taken() async throws(StoreError) -> State {
    while true {
      if isStopped { throw StoreError(.cancelled, "The transfers were stopped.", remedy: "Start byteclub again.") }
      if case .none = state {} else { return state }
      if let changing {
        _ = try await result(of: changing)
        continue
      }
      let task = Task.detached(executorPreference: pool.tasks) { await self.joined() }
      changing = task
      if let failure = try await result(of: task) { throw failure }
    }
  }

  /// A change's result. The change goes on when the task that waits for it is cancelled.
  private func result(of change: Task<StoreError?, Never>) async throws(StoreError) -> StoreError? {
    guard let result = await change.valueUnlessCancelled(on: pool.tasks) else { throw .cancelled("The request") }
    return result
  }

  private func joined() async -> StoreError? {
    let failure = await join()
    changing = nil
    return failure
  }

  private func join() async -> StoreError? {
    let start = ContinuousClock.now
    do throws(StoreError) {
      while true {
        if try await becomeOwner() { return nil }
        if try await becomeClient() { return nil }
        guard ContinuousClock.now - start < patience, !isStopped else { break }
        try? await TimerClock().sleep(for: .milliseconds(40))
      }
      throw StoreError(
        .server, "Another byteclub runs the transfers and does not answer.",
        remedy: "When it is stopped, continue it (fg); otherwise end it, and try again.")
    } catch {
      return error
    }
  }

  private func becomeOwner() async throws(StoreError) -> Bool {
    let (pool, directory) = (pool, directory)
    guard let lock = try await pool.run({ () throws(StoreError) in try TransferLock.take(in: directory) }) else {
      return false
    }
    let carrier = try await makeCarrier()
    let source = broadcast.newSource()
    // A transfer may fail as soon as the carrier starts: delegates get that as an event, too.
    await carrier.attach(source)
    try await carrier.start()
    broadcast.isThrough(source)
    guard listens else {
      state = .owner(carrier, nil, lock)
      return true
    }
    let server = TransferServer(carrier, journal: journal, executor: pool.tasks)
    do throws(StoreError) {
      try server.open(in: directory)
    } catch {
      // The transfers go on, but other processes cannot see them.
      onFailure(error)
    }
    state = .owner(carrier, server, lock)
    return true
  }

  private func becomeClient() async throws(StoreError) -> Bool {
    let (pool, directory, patience) = (pool, directory, patience)
    let found = try await pool.run { () throws(StoreError) in
      try TransferClient.connect(in: directory, executor: pool.tasks, patience: patience * 2)
    }
    guard let client = found else { return false }
    let source = broadcast.newSource()
    let isOpen = try await client.open(journal: journal, telling: source) { [weak self, weak client] in
      Task.detached(executorPreference: pool.tasks) {
        if let client { await self?.lost(client) }
      }
    }
    guard isOpen else { return false }
    broadcast.isThrough(source)
    state = .client(client)
    return true
  }

  private func lost(_ client: TransferClient) async {
    // The owner may be gone before this process is its client.
    _ = await changing?.value
    client.close()
    guard case .client(let last) = state, last === client else { return }
    state = .none
    guard broadcast.isListening, !isStopped else { return }
    do throws(StoreError) {
      _ = try await taken()
    } catch {
      onFailure(error)
      broadcast.giveUp()
    }
  }

  /// Lets the carrier do it if this process is the owner, otherwise asks the owner, and the next one if it went away.
  private func asked<Value: Sendable>(
    _ own: (any TransferCarrier) async throws(StoreError) -> Value, _ make: @Sendable (Int) -> TransferMessage,
    _ read: (TransferMessage) -> Value?
  ) async throws(StoreError) -> Value {
    while true {
      switch try await taken() {
      case .owner(let carrier, _, _): return try await own(carrier)
      case .client(let client):
        if let answer = try await ask(client, make), let value = read(answer) { return value }
      case .none: break
      }
    }
  }

  /// Sends a request to the owner. Returns nil if it went away; the caller then asks the next owner.
  private func ask(
    _ client: TransferClient, _ make: @Sendable (Int) -> TransferMessage
  ) async throws(StoreError) -> TransferMessage? {
    switch await client.call(make) {
    case .answer(.failed(_, let error)):
      if error.kind != .cancelled { throw error }
    case .answer(let answer): return answer
    case .silent: throw client.silence
    case .cancelled: throw .cancelled("The request")
    case .lost: break
    }
    await lost(client)
    return nil
  }

  private func addOnce(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    var known: Set<Transfer.ID>?
    while true {
      let state = try await taken()
      // The previous owner may have taken the orders before it went away.
      if let known, let ids = arrived(orders, since: known) { return ids }
      known = nil
      switch state {
      case .owner(let carrier, _, _): return try await carrier.add(orders)
      case .client(let client):
        let before = broadcast.ids
        if case .added(_, let ids) = try await ask(client, { .add($0, orders) }) { return ids }
        known = before
      case .none: break
      }
    }
  }

  /// The ids of new transfers, one for each order; nil if an order has none: the journal takes all orders or none.
  private func arrived(_ orders: [TransferOrder], since known: Set<Transfer.ID>) -> [Transfer.ID]? {
    var new = broadcast.transfers.filter { !known.contains($0.id) }
    var ids: [Transfer.ID] = []
    for order in orders {
      guard let at = new.firstIndex(where: { $0.isMade(of: order) }) else { return nil }
      ids.append(new.remove(at: at).id)
    }
    return ids
  }
}

extension Transfer {
  fileprivate func isMade(of order: TransferOrder) -> Bool {
    guard direction == order.direction, name == order.name, club == order.club else { return false }
    switch order.work {
    case .upload(let file, _, _, _, _): return local == file
    case .download(let folder): return local == folder && path == order.path
    }
  }
}
