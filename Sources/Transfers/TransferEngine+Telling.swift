import FileStores

/// What the delegates are told.
extension TransferEngine {
  func tell(_ id: Transfer.ID, _ call: (any TransferDelegate, Transfer) -> Void) {
    guard !delegates.isEmpty, let transfer = items[id]?.shown(at: elapsed()) else { return }
    for delegate in delegates { call(delegate, transfer) }
  }

  func tellAll(_ delegate: any TransferDelegate) {
    let time = elapsed()
    for id in ids {
      if let transfer = items[id]?.shown(at: time) { delegate.transferDidAppear(transfer) }
    }
  }

  /// Tells the state, when it is another one than is known; a time to wait for is told each time.
  func tellState(_ id: Transfer.ID) {
    guard let item = items[id] else { return }
    let state = item.machine.state.shown
    guard state != item.toldState || state == .waiting else { return }
    if item.toldState == .running { tellProgress(id) }
    forgetTelling(id)
    items[id]?.toldState = state
    tell(id) { $0.transfer($1, didEnter: state) }
  }

  /// Tells the count, when it is another one than is known.
  func tellProgress(_ id: Transfer.ID) {
    guard let item = items[id], item.told != item.sent else { return }
    forgetTelling(id)
    items[id]?.told = item.sent
    items[id]?.toldAt = elapsed()
    let (bytes, total) = (item.sent, item.record.total)
    switch item.record.order.direction {
    case .upload: tell(id) { $0.transfer($1, didSend: bytes, of: total) }
    case .download: tell(id) { $0.transfer($1, didReceive: bytes, of: total) }
    }
  }

  /// Has a count told when it may be, though none should come any more until then.
  private func tellSoon(_ id: Transfer.ID, at time: Duration) {
    guard let item = items[id], item.teller == nil, !delegates.isEmpty else { return }
    items[id]?.teller = Task(executorPreference: executor) {
      if (try? await self.doze(time)) != nil { await self.tellLate(id) }
    }
  }

  private func tellLate(_ id: Transfer.ID) {
    // It may be too late for this one.
    if Task.isCancelled { return }
    items[id]?.teller = nil
    tellProgress(id)
  }

  /// Nothing is to be told later.
  func forgetTelling(_ id: Transfer.ID) {
    guard let teller = items[id]?.teller else { return }
    teller.cancel()
    items[id]?.teller = nil
  }
}

// MARK: - What the jobs report

extension TransferEngine {
  /// The count of kept bytes so far. Told when the last time is long enough ago, otherwise as soon as it is.
  /// - Throws: `cancelled` when the job was asked to stop.
  func progressed(_ id: Transfer.ID, to bytes: UInt64) throws(StoreError) {
    try checkWanted(id)
    guard let item = items[id] else { return }
    if bytes > item.kept {
      items[id]?.kept = bytes
      items[id]?.failures = 0
    }
    count(id, to: bytes)
  }

  /// The store can have so many bytes; it keeps them when its call succeeds. False when the job was asked to stop.
  func delivered(_ id: Transfer.ID, to bytes: UInt64) -> Bool {
    guard isWanted(id) else { return false }
    count(id, to: bytes)
    return true
  }

  /// As `delivered`, for fewer bytes than before.
  func fellBack(_ id: Transfer.ID, to bytes: UInt64) -> Bool {
    guard isWanted(id) else { return false }
    setBack(id, to: bytes)
    return true
  }

  private func count(_ id: Transfer.ID, to bytes: UInt64) {
    guard var item = items[id], bytes != item.sent else { return }
    let time = elapsed()
    item.moved += bytes - min(bytes, item.sent)
    item.sent = bytes
    item.rate?.record(bytes, at: time)
    let due = item.toldAt.map { $0 + Self.progressInterval } ?? time
    items[id] = item
    if due <= time { tellProgress(id) } else { tellSoon(id, at: due) }
  }

  /// The work goes on from another place than it had reached.
  /// - Throws: `cancelled` when the job was asked to stop.
  func resumed(_ id: Transfer.ID, at offset: UInt64) throws(StoreError) {
    try checkWanted(id)
    setBack(id, to: offset)
    items[id]?.kept = offset
  }

  /// The count begins anew from `offset`.
  func setBack(_ id: Transfer.ID, to offset: UInt64) {
    tellProgress(id)
    forgetTelling(id)
    items[id]?.sent = offset
    items[id]?.told = offset
    items[id]?.rate = TransferRate(at: elapsed(), bytes: offset)
    let total = items[id]?.record.total
    tell(id) { $0.transfer($1, didResumeAt: offset, of: total) }
  }

  /// The job has come to another part of its work.
  /// - Throws: `cancelled` when it was asked to stop.
  func entered(_ id: Transfer.ID, _ event: TransferMachine.Event) throws(StoreError) {
    try checkWanted(id)
    advance(id, event)
    try checkWanted(id)
  }

  /// Changes a record; it is written down with the next that are, at the latest when half a second has passed and
  /// anything is noted.
  func note(_ id: Transfer.ID, _ change: @Sendable (inout TransferRecord) -> Void) -> TransferRecord {
    self.change(id, change)
    let time = elapsed()
    if lastNote.map({ time - $0 >= Self.noteInterval }) ?? true {
      lastNote = time
      noteSoon()
    }
    return items[id]?.record ?? Self.nobody(id)
  }

  /// Changes a record, durably when this returns.
  func keep(
    _ id: Transfer.ID, _ change: @Sendable (inout TransferRecord) -> Void
  ) async throws(StoreError) -> TransferRecord {
    self.change(id, change)
    try await commit()
    return items[id]?.record ?? Self.nobody(id)
  }

  private func change(_ id: Transfer.ID, _ change: @Sendable (inout TransferRecord) -> Void) {
    guard var record = items[id]?.record else { return }
    let part = record.part
    change(&record)
    if part != record.part {
      if let part { parts.remove(part) }
      if let part = record.part { parts.insert(part) }
    }
    items[id]?.record = record
    dirty.insert(id)
  }

  /// Waits until so many bytes may go.
  func take(_ bytes: Int) async throws(StoreError) {
    while case let time = elapsed(), let wait = bucket.take(bytes, at: time) {
      do {
        // Not longer than this at once: the limit may change meanwhile.
        try await sleep(time + min(wait, .milliseconds(250)))
      } catch {
        throw .cancelled("The transfer")
      }
    }
  }

  /// Bytes have come: the count is told, and what is more than may come is waited for.
  /// - Returns: how many bytes are to be handed on at once from now on.
  func received(_ id: Transfer.ID, _ bytes: Int, to count: UInt64) async throws(StoreError) -> Int {
    try progressed(id, to: count)
    try await take(bytes)
    return chunkBytes
  }

  /// How many bytes are handed on at once: a twentieth of a second's worth while there is a limit.
  var chunkBytes: Int {
    let whole = 512 << 10
    guard let rate = bucket.rate else { return whole }
    return min(whole, max(4096, Int(clamping: rate / 20)))
  }

  private func checkWanted(_ id: Transfer.ID) throws(StoreError) {
    guard isWanted(id) else { throw .cancelled("The transfer") }
  }

  private func isWanted(_ id: Transfer.ID) -> Bool {
    items[id].map { !isStopping && !$0.machine.state.isHalting } ?? false
  }

  private static func nobody(_ id: Transfer.ID) -> TransferRecord {
    let order = TransferOrder(club: "", store: "", work: .download(folder: ""), path: .root, name: "")
    return TransferRecord(id: id, order: order, created: Timestamp(nanoseconds: 0), position: 0)
  }
}
