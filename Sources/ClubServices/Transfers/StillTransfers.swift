public import FileStores
public import Transfers

/// Transfers of which none is carried out: what a member says is written into the journal for whoever carries them out
/// next. For commands that change something while nobody does.
public actor StillTransfers: TransferCarrier {
  private let journal: any TransferJournal
  private let now: @Sendable () -> Timestamp

  /// Writes into `journal`, which nobody else may write into meanwhile.
  public init(journal: any TransferJournal, now: @escaping @Sendable () -> Timestamp) {
    (self.journal, self.now) = (journal, now)
  }

  /// Nothing is begun.
  public func start() async throws(StoreError) {}
  /// Nothing is stopped.
  public func stop() async {}

  /// Takes nothing: who orders, carries out.
  public func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    throw StoreError(.unsupported, "No byteclub runs transfers now.", remedy: "Try again.")
  }

  /// What is written down, as it will be when it is taken up.
  public func transfers() async throws(StoreError) -> [Transfer] {
    let records = try await records()
    let over = records.filter(\.isOver).sorted { ($0.ended ?? $0.created) > ($1.ended ?? $1.created) }
    let time = now()
    return (records.filter { !$0.isOver } + over).map { $0.shown(at: time) }
  }

  /// All but the dismissed ones, of which only the cleaning is left to whoever carries transfers out next.
  private func records() async throws(StoreError) -> [TransferRecord] {
    try await journal.records().records.filter { $0.phase != .discarding }
  }

  /// Bytes a second that all transfers together may take.
  public func limit() async throws(StoreError) -> UInt64? { try await journal.limit() }

  /// Nothing happens, so nothing is told.
  public func attach(_ delegate: any TransferDelegate) async {
    guard let transfers = try? await transfers() else { return }
    for transfer in transfers { delegate.transferDidAppear(transfer) }
  }

  /// Nothing happens, so nothing is told.
  public func detach(_ delegate: any TransferDelegate) async {}

  /// As it is: nothing changes while nobody carries it out.
  public func ended(_ id: Transfer.ID) async -> Transfer? {
    (try? await transfers())?.first { $0.id == id }
  }

  /// Writes down what a member wants.
  public func perform(_ command: TransferCommand) async throws(StoreError) {
    if case .limit(let rate) = command { return try await journal.setLimit(rate) }
    let records = try await records()
    var changed: [TransferRecord] = []
    var gone: [Transfer.ID] = []
    func change(_ ids: (Transfer.ID) -> Bool, _ body: (inout TransferRecord) -> Bool) {
      for var record in records where ids(record.id) && body(&record) { changed.append(record) }
    }
    let time = now()
    switch command {
    case .pause(let id): change({ $0 == id }) { $0.pause() }
    case .pauseAll: change({ _ in true }) { $0.pause() }
    case .resume(let id): change({ $0 == id }) { $0.goOn() }
    case .resumeAll: change({ _ in true }) { $0.goOn() }
    case .cancel(let id): change({ $0 == id }) { $0.cancel(at: time) }
    case .cancelAll: change({ _ in true }) { $0.cancel(at: time) }
    case .acknowledge(let id): change({ $0 == id }) { $0.acknowledge() }
    case .retry(let id): change({ $0 == id }) { $0.retry() }
    case .dismiss(let id):
      for var record in records where record.id == id && record.isOver {
        if record.phase == .failed, record.session != nil || record.part != nil {
          record.phase = .discarding
          changed.append(record)
        } else {
          gone.append(id)
        }
      }
    case .dismissFinished:
      gone = records.filter { $0.phase == .done || $0.phase == .cancelled }.map(\.id)
    case .move(let id, let move): changed = Self.moved(id, move, records.filter { !$0.isOver })
    case .limit, .concurrency: break
    }
    if !changed.isEmpty { try await journal.write(changed) }
    if !gone.isEmpty { try await journal.remove(gone) }
  }

  /// Those whose place is another one then.
  private static func moved(_ id: Transfer.ID, _ move: TransferMove, _ queue: [TransferRecord]) -> [TransferRecord] {
    guard let at = queue.firstIndex(where: { $0.id == id }), let first = queue.first, let last = queue.last else {
      return []
    }
    var record = queue[at]
    switch move {
    case .first:
      guard at > 0 else { return [] }
      record.position = first.position - 1
    case .last:
      guard at < queue.count - 1 else { return [] }
      record.position = last.position + 1
    case .up, .down:
      let target = move == .up ? at - 1 : at + 1
      guard queue.indices.contains(target) else { return [] }
      var other = queue[target]
      swap(&record.position, &other.position)
      return [record, other]
    }
    return [record]
  }
}

/// What a member can say while nobody carries the transfer out. False when it means nothing for it.
extension TransferRecord {
  fileprivate var isOver: Bool { phase == .done || phase == .failed || phase == .cancelled }

  fileprivate mutating func pause() -> Bool {
    guard phase == .wanted || phase == .finishing else { return false }
    phase = .paused
    return true
  }

  fileprivate mutating func goOn() -> Bool {
    guard phase == .paused || (phase == .wanted && notBefore != nil) else { return false }
    (phase, notBefore) = (.wanted, nil)
    return true
  }

  fileprivate mutating func retry() -> Bool {
    guard phase == .failed || phase == .cancelled else { return false }
    if phase == .cancelled { beginAnew() }
    (phase, notBefore, ended, isTold) = (.wanted, nil, nil, false)
    return true
  }

  fileprivate mutating func acknowledge() -> Bool {
    guard isOver, !isTold else { return false }
    isTold = true
    return true
  }

  /// What it has left is removed by who carries on; with nothing left it is over at once.
  fileprivate mutating func cancel(at time: Timestamp) -> Bool {
    guard !isOver, phase != .cancelling else { return false }
    if attempts > 0 || session != nil || part != nil {
      phase = .cancelling
    } else {
      (phase, ended, notBefore) = (.cancelled, time, nil)
      error = .cancelled("The \(order.direction.rawValue) of \"\(order.name)\"", path: path)
    }
    return true
  }

  fileprivate func shown(at time: Timestamp) -> Transfer {
    var transfer = Transfer(id: id, direction: order.direction, name: order.name, path: path)
    transfer.club = order.club
    transfer.renamedFrom = order.renamedFrom
    switch order.work {
    case .upload(let file, _, _, _, _): transfer.local = file
    case .download(let folder): transfer.local = folder
    }
    transfer.sent = offset
    transfer.total = total
    transfer.attempts = attempts
    transfer.restarts = restarts
    transfer.error = error
    transfer.isTold = isTold
    switch phase {
    case .wanted, .finishing:
      if let notBefore, notBefore > time {
        (transfer.state, transfer.resumesAt) = (.waiting, notBefore)
      } else {
        transfer.state = .queued
      }
    case .paused: transfer.state = .paused
    case .cancelling, .discarding: transfer.state = .cancelling
    case .done: (transfer.state, transfer.place) = (.done, place)
    case .failed: transfer.state = .failed
    case .cancelled: transfer.state = .cancelled
    }
    return transfer
  }
}
