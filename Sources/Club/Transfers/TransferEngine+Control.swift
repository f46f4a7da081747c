import Basics
public import FileStores

extension TransferEngine {
  public func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    try await begun()
    guard let stores else {
      throw StoreError(.unsupported, "No byteclub runs transfers now.", remedy: "Try again.")
    }
    try await stores.check(orders)
    // The engine may have been stopped meanwhile, and nobody would run the orders.
    try await begun()
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
      keep(record)
      order.append(record.id)
      queue.add(record)
      report(record.id, TransferEvent.appeared)
    }
    // Orders of another call may have come in between.
    order.sort { place(of: $0) < place(of: $1) }
    schedule()
    return records.map(\.id)
  }

  public func perform(_ command: TransferCommand) async throws(StoreError) {
    try await begun()
    switch command {
    case .pause(let id): request(.pause, [id])
    case .resume(let id): request(.resume, [id])
    case .cancel(let id): request(.cancel, [id])
    case .retry(let id): request(.retry, [id])
    case .dismiss(let id): request(.dismiss, [id])
    case .acknowledge(let id): acknowledge(id)
    case .pauseAll: request(.pause, order)
    case .move(let id, let move): self.move(id, move)
    case .limit(let rate):
      try await journal.setLimit(rate)
      bucket.setRate(rate, at: elapsed())
    }
    schedule()
    if !dirty.isEmpty || !doomed.isEmpty { try await commit() }
    if stores == nil {
      for id in over where items[id]?.isSettling == true { settled(id) }
    }
  }

  public func transfers() async throws(StoreError) -> [Transfer] {
    try await start()
    return shown(ids.compactMap { items[$0] })
  }

  public func transfers(ofLocal file: String) async throws(StoreError) -> [Transfer] {
    try await start()
    guard let own = ofLocal[file] else { return [] }
    return shown(ids.filter(own.contains).compactMap { items[$0] })
  }

  private func shown(_ items: [TransferItem]) -> [Transfer] {
    let time = elapsed()
    return items.filter { $0.machine.state != .discarding }.map { $0.shown(at: time) }
  }

  public func limit() async throws(StoreError) -> UInt64? {
    try await start()
    return bucket.rate
  }

  public func attach(_ delegate: any TransferDelegate) async {
    guard !delegates.contains(where: { $0 === delegate }) else { return }
    delegates.append(delegate)
    if isStarted { reportAll(to: delegate) }
  }

  public func detach(_ delegate: any TransferDelegate) async {
    delegates.removeAll { $0 === delegate }
  }

  public func ended(_ id: Transfer.ID) async -> Transfer? {
    guard let item = items[id] else { return nil }
    if item.reportedState.isOver || isStopping { return item.shown(at: elapsed()) }
    let answer = PendingAnswer<Transfer?>()
    items[id]?.listeners.append(answer)
    if let transfer = await answer.value() { return transfer }
    items[id]?.listeners.removeAll { $0 === answer }
    return items[id]?.shown(at: elapsed())
  }

  var ids: [Transfer.ID] { order + over.reversed() }

  private func begun() async throws(StoreError) {
    try await start()
    if isStopping { throw StoreError(.cancelled, "Transfers were stopped.", remedy: "Start byteclub again.") }
  }

  private func request(_ event: TransferMachine.Event, _ ids: [Transfer.ID]) {
    for id in ids where items[id]?.isSettling == false { advance(id, event) }
  }

  private func acknowledge(_ id: Transfer.ID) {
    guard let item = items[id], item.reportedState.isOver, !item.record.isAcknowledged else { return }
    items[id]?.record.isAcknowledged = true
    dirty.insert(id)
  }

  private func move(_ id: Transfer.ID, _ move: TransferMove) {
    guard let at = order.firstIndex(of: id), case let target = move.target(from: at, of: order.count), target != at
    else { return }
    let (own, other) = (place(of: id).position, place(of: order[target]).position)
    switch move {
    case .up, .down:
      setPosition(id, other)
      setPosition(order[target], own)
    case .first: setPosition(id, other - 1)
    case .last:
      lastPosition += 1
      setPosition(id, lastPosition)
    }
    order.remove(at: at)
    order.insert(id, at: target)
    report(.reordered(ids))
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
}
