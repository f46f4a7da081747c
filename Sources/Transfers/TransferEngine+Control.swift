public import FileStores

/// What is ordered and said.
extension TransferEngine {
  /// Takes orders; see `TransferControl`.
  public func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    try await start()
    try checkGoing()
    var records: [TransferRecord] = []
    var ids: Set<Transfer.ID> = []
    for order in orders {
      lastPosition += 1
      var id = newID()
      while items[id] != nil || !ids.insert(id).inserted { id = newID() }
      records.append(TransferRecord(id: id, order: order, created: now(), position: lastPosition))
    }
    try await journal.write(records)
    for record in records {
      items[record.id] = TransferItem(record)
      order.append(record.id)
      queue.add(record)
      tell(record.id) { $0.transferDidAppear($1) }
    }
    // Another call's may have come in between.
    order.sort { place(of: $0) < place(of: $1) }
    schedule()
    return records.map(\.id)
  }

  /// Says something to transfers; see `TransferControl`.
  public func perform(_ command: TransferCommand) async throws(StoreError) {
    try await start()
    try checkGoing()
    switch command {
    case .pause(let id): wish(.pause, [id])
    case .resume(let id): wish(.resume, [id])
    case .cancel(let id): wish(.cancel, [id])
    case .retry(let id): wish(.retry, [id])
    case .dismiss(let id): wish(.dismiss, [id])
    case .acknowledge(let id): acknowledge(id)
    case .pauseAll: wish(.pause, order)
    case .resumeAll: wish(.resume, order)
    case .cancelAll: wish(.cancel, order)
    case .dismissFinished: wish(.dismiss, over.filter { items[$0]?.machine.state != .failed })
    case .move(let id, let where_): move(id, where_)
    case .limit(let rate):
      try await journal.setLimit(rate)
      bucket.setRate(rate, at: elapsed())
    case .concurrency(let count): settings.concurrent = max(1, count)
    }
    schedule()
    if !dirty.isEmpty || !doomed.isEmpty { try await commit() }
  }

  /// All transfers; see `TransferControl`.
  public func transfers() async throws(StoreError) -> [Transfer] {
    try await start()
    let time = elapsed()
    return ids.compactMap { items[$0]?.shown(at: time) }
  }

  /// Bytes a second that all transfers together may take.
  public func limit() async throws(StoreError) -> UInt64? {
    try await start()
    return bucket.rate
  }

  /// Tells a delegate of everything from now on; see `TransferControl`.
  public func attach(_ delegate: any TransferDelegate) async {
    guard !delegates.contains(where: { $0 === delegate }) else { return }
    delegates.append(delegate)
    if isStarted { tellAll(delegate) }
  }

  /// Tells a delegate nothing more.
  public func detach(_ delegate: any TransferDelegate) async {
    delegates.removeAll { $0 === delegate }
  }

  /// Waits until a transfer is over; see `TransferControl`.
  public func ended(_ id: Transfer.ID) async -> Transfer? {
    guard let item = items[id] else { return nil }
    if item.toldState.isOver || isStopping { return item.shown(at: elapsed()) }
    return await withUnsafeContinuation { items[id]?.listeners.append($0) }
  }

  /// All, in the order of the queue; those that are over last, the newest of them first.
  var ids: [Transfer.ID] { order + over.reversed() }

  private func wish(_ event: TransferMachine.Event, _ ids: [Transfer.ID]) {
    for id in ids where items[id]?.isSettling == false { advance(id, event) }
  }

  private func acknowledge(_ id: Transfer.ID) {
    guard let item = items[id], item.toldState.isOver, !item.record.isTold else { return }
    items[id]?.record.isTold = true
    dirty.insert(id)
  }

  private func move(_ id: Transfer.ID, _ move: TransferMove) {
    guard let at = order.firstIndex(of: id), order.count > 1 else { return }
    let target =
      switch move {
      case .up: max(0, at - 1)
      case .down: min(order.count - 1, at + 1)
      case .first: 0
      case .last: order.count - 1
      }
    guard target != at else { return }
    switch move {
    case .up, .down: swapPositions(id, order[target])
    case .first: setPosition(id, place(of: order[0]).position - 1)
    case .last:
      lastPosition += 1
      setPosition(id, lastPosition)
    }
    order.remove(at: at)
    order.insert(id, at: target)
    let all = ids
    for delegate in delegates { delegate.transfersDidReorder(all) }
  }

  private func swapPositions(_ one: Transfer.ID, _ other: Transfer.ID) {
    let (first, second) = (place(of: one).position, place(of: other).position)
    setPosition(one, second)
    setPosition(other, first)
  }

  private func setPosition(_ id: Transfer.ID, _ position: Int64) {
    guard var item = items[id] else { return }
    let isQueued = item.machine.state == .queued
    if isQueued { queue.remove(item.record) }
    item.record.position = position
    items[id] = item
    if isQueued { queue.add(item.record) }
    dirty.insert(id)
  }

  private func newID() -> Transfer.ID {
    let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    let bits = random()
    return "t"
      + String(decoding: (0..<10).map { letters[Int(truncatingIfNeeded: bits >> UInt64($0 * 5)) & 31] }, as: UTF8.self)
  }

  private func checkGoing() throws(StoreError) {
    guard !isStopping else {
      throw StoreError(.cancelled, "Transfers were stopped.", remedy: "Start byteclub again.")
    }
  }
}
