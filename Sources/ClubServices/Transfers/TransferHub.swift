public import FileStores
import Synchronization
public import Transfers

/// Transfers, whichever process carries them out. Of all that use one journal exactly one does: the owner, which holds a
/// lock that a crash releases, and listens on a socket beside it. The others talk to it.
///
/// - Nothing is opened before it is needed: by a call, or by an `attach` when there is something to be told.
/// - When the owner goes away, one of the others becomes the owner; calls that it did not answer are made again, an
///   order is not taken twice, and delegates are told what happened meanwhile.
/// - Errors are those of `TransferControl`; besides, `server` when the owner does not answer, and `unsupported` when it
///   is a byteclub of another version.
public actor TransferHub: TransferControl {
  /// What this process is to the transfers.
  public enum Role: Sendable, Hashable {
    /// Nothing yet, or no more.
    case none
    /// It carries them out.
    case owner
    /// Another process does.
    case guest
  }

  private enum Seat {
    case none
    case owner(any TransferCarrier, OwnerDesk?, TransferLock)
    case guest(OwnerLine)
  }

  /// How long a lock may be held by a process that does not listen: it is just beginning, or ending.
  private static let patience = Duration.seconds(10)

  private let directory: String
  private let journal: String
  private let listens: Bool
  private let pool: BlockingPool
  private let hasTransfers: @Sendable () async throws(StoreError) -> Bool
  private let makeCarrier: @Sendable () async throws(StoreError) -> any TransferCarrier
  private let onFailure: @Sendable (StoreError) -> Void
  private let audience = TransferAudience()

  private var seat = Seat.none
  private var changing: Task<StoreError?, Never>?
  private var isStopped = false

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - directory: where lock and socket are; made (0700) when it is not there.
  ///   - journal: the file of the journal: who has another one is not talked to.
  ///   - listens: false for one that is there for a single command and ends at once.
  ///   - hasTransfers: whether the journal has any; cheap.
  ///   - makeCarrier: called each time that this process becomes the owner.
  ///   - onFailure: is told what nobody waits for.
  public init(
    directory: String, journal: String, listens: Bool = true, pool: BlockingPool,
    hasTransfers: @escaping @Sendable () async throws(StoreError) -> Bool,
    onFailure: @escaping @Sendable (StoreError) -> Void = { _ in },
    makeCarrier: @escaping @Sendable () async throws(StoreError) -> any TransferCarrier
  ) {
    (self.directory, self.journal, self.listens, self.pool) = (directory, journal, listens, pool)
    (self.hasTransfers, self.onFailure, self.makeCarrier) = (hasTransfers, onFailure, makeCarrier)
  }

  /// What this process is at the moment.
  public var role: Role {
    switch seat {
    case .none: .none
    case .owner: .owner
    case .guest: .guest
    }
  }

  /// Those that this process carries out, and that would not go on by themselves if it ended now: neither paused nor
  /// over. None while another process is the owner.
  public var goingOn: [Transfer] {
    guard case .owner = seat else { return [] }
    return audience.transfers.filter { !$0.state.isOver && $0.state != .paused }
  }

  // MARK: - TransferControl

  /// Takes orders; see `TransferControl`.
  public func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    var ids: [Transfer.ID] = []
    var rest = orders[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(TransferRequest.ordersAtOnce))
      ids += try await addOnce(some)
      rest = rest.dropFirst(some.count)
    }
    return ids
  }

  /// Says something to transfers; see `TransferControl`.
  public func perform(_ command: TransferCommand) async throws(StoreError) {
    while true {
      switch try await taken() {
      case .owner(let carrier, _, _): return try await carrier.perform(command)
      case .guest(let line):
        let answer = try await ask(line) { .perform(number: $0, command: CommandForm(command)) }
        if answer != nil { return }
      case .none: break
      }
    }
  }

  /// All transfers; see `TransferControl`.
  public func transfers() async throws(StoreError) -> [Transfer] {
    while true {
      switch try await taken() {
      case .owner(let carrier, _, _): return try await carrier.transfers()
      case .guest(let line):
        guard case .transfers(_, let forms) = try await ask(line, { .transfers(number: $0) }) else { continue }
        var transfers: [Transfer] = []
        for form in forms { transfers.append(try form.transfer) }
        return transfers
      case .none: break
      }
    }
  }

  /// Bytes a second that all transfers together may take.
  public func limit() async throws(StoreError) -> UInt64? {
    while true {
      switch try await taken() {
      case .owner(let carrier, _, _): return try await carrier.limit()
      case .guest(let line):
        if case .limit(_, let rate) = try await ask(line, { .limit(number: $0) }) { return rate }
      case .none: break
      }
    }
  }

  /// Tells a delegate of everything from now on; see `TransferControl`. When the journal has transfers, or another
  /// process carries some out, they are told before this returns.
  public func attach(_ delegate: any TransferDelegate) async {
    audience.attach(delegate)
    guard case .none = seat, !isStopped else { return }
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
  }

  /// Tells a delegate nothing more.
  public func detach(_ delegate: any TransferDelegate) async { audience.detach(delegate) }

  /// Waits until a transfer is over, whichever process ends it; see `TransferControl`. Also ends, with the transfer as
  /// it then stands, when nobody carries it on.
  public func ended(_ id: Transfer.ID) async -> Transfer? {
    do throws(StoreError) {
      _ = try await taken()
    } catch {
      onFailure(error)
      return nil
    }
    return await audience.ended(id)
  }

  // MARK: - Leaving

  /// Stops at what is durable, and lets go of everything: the transfers go on when a process owns them again. Nothing
  /// can be done with the hub afterwards.
  public func stop() async {
    isStopped = true
    _ = await changing?.value
    await leave()
    audience.giveUp()
  }

  /// Pauses all transfers, when this process owns them, and stops.
  public func pauseAllAndStop() async throws(StoreError) {
    if case .owner(let carrier, _, _) = seat { try await carrier.perform(.pauseAll) }
    await stop()
  }

  /// Stops at what is durable, lets go of lock and socket, and has `successor` see to it that another process takes
  /// them. Calls wait meanwhile. Does nothing when this process is not the owner.
  /// - Throws: what `successor` throws; the hub is as good as new then, and the next call opens it again.
  public func handOver(_ successor: @escaping @Sendable () async throws(StoreError) -> Void) async throws(StoreError) {
    _ = await changing?.value
    guard case .owner = seat else { return }
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
    let last = seat
    seat = .none
    switch last {
    case .none: break
    case .guest(let line): line.close()
    case .owner(let carrier, let desk, let lock):
      // First of all nobody is let in any more: who asks now asks the next owner.
      await desk?.close()
      await carrier.stop()
      withExtendedLifetime(lock) {}
    }
  }

  // MARK: - Taking a seat

  /// The seat of this process, which it takes when it has none.
  private func taken() async throws(StoreError) -> Seat {
    while true {
      if isStopped { throw StoreError(.cancelled, "The transfers were stopped.", remedy: "Start byteclub again.") }
      if case .none = seat {} else { return seat }
      if let changing {
        _ = await changing.value
        continue
      }
      let task = Task.detached(executorPreference: pool.tasks) { await self.takeSeat() }
      changing = task
      let failure = await task.value
      if changing == task { changing = nil }
      if let failure { throw failure }
    }
  }

  private func takeSeat() async -> StoreError? {
    let start = ContinuousClock.now
    do throws(StoreError) {
      while true {
        if try await becomeOwner() { return nil }
        if try await becomeGuest() { return nil }
        guard ContinuousClock.now - start < Self.patience, !isStopped else { break }
        try? await Task.sleep(for: .milliseconds(40))
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
    try await carrier.start()
    let source = audience.newSource()
    await carrier.attach(source)
    audience.isThrough(source)
    guard listens else {
      seat = .owner(carrier, nil, lock)
      return true
    }
    let desk = OwnerDesk(carrier, journal: journal, executor: pool.tasks)
    do throws(StoreError) {
      try desk.open(in: directory)
    } catch {
      // The transfers can go on; only others cannot see them.
      onFailure(error)
    }
    seat = .owner(carrier, desk, lock)
    return true
  }

  private func becomeGuest() async throws(StoreError) -> Bool {
    let (pool, directory) = (pool, directory)
    let found = try await pool.run { () throws(StoreError) in
      try OwnerLine.connect(in: directory, executor: pool.tasks)
    }
    guard let line = found else { return false }
    let source = audience.newSource()
    let isOpen = try await line.open(journal: journal, telling: source) { [weak self, weak line] in
      Task.detached(executorPreference: pool.tasks) {
        if let line { await self?.lost(line) }
      }
    }
    guard isOpen else { return false }
    audience.isThrough(source)
    seat = .guest(line)
    return true
  }

  /// The owner went away.
  private func lost(_ line: OwnerLine) async {
    // It may be gone before the seat was taken.
    _ = await changing?.value
    line.close()
    guard case .guest(let last) = seat, last === line else { return }
    seat = .none
    guard audience.isListening, !isStopped else { return }
    do throws(StoreError) {
      _ = try await taken()
    } catch {
      onFailure(error)
      audience.giveUp()
    }
  }

  /// Asks the owner.
  /// - Returns: nil when it went away, and it is to be asked again whoever is the owner then.
  private func ask(
    _ line: OwnerLine, _ make: @Sendable (Int) -> TransferRequest
  ) async throws(StoreError) -> TransferAnswer? {
    switch await line.call(make) {
    case .answer(.failed(_, let form)):
      let error = try form.error
      // It is just leaving.
      if error.kind != .cancelled { throw error }
    case .answer(let answer): return answer
    case .silent: throw line.silence
    case .lost: break
    }
    await lost(line)
    return nil
  }

  private func addOnce(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    var known: Set<Transfer.ID>?
    while true {
      let seat = try await taken()
      // The owner that went away may have taken them.
      if let known, let ids = arrived(orders, since: known) { return ids }
      known = nil
      switch seat {
      case .owner(let carrier, _, _): return try await carrier.add(orders)
      case .guest(let line):
        let before = audience.ids
        let forms = orders.map { OrderForm($0) }
        if case .added(_, let ids) = try await ask(line, { .add(number: $0, orders: forms) }) { return ids }
        known = before
      case .none: break
      }
    }
  }

  /// The words of transfers that were not known before, one for each order; nil when there is not one for each: the
  /// journal takes all or none.
  private func arrived(_ orders: [TransferOrder], since known: Set<Transfer.ID>) -> [Transfer.ID]? {
    var new = audience.transfers.filter { !known.contains($0.id) }
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
