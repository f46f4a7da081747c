import Basics
import FileStores

extension TransferEngine {
  func report(_ event: TransferEvent) {
    for delegate in delegates { delegate.report(event) }
  }

  func report(_ id: Transfer.ID, _ event: (Transfer) -> TransferEvent) {
    guard !delegates.isEmpty, let transfer = items[id]?.shown(at: elapsed()) else { return }
    report(event(transfer))
  }

  func reportAll(to delegate: any TransferDelegate) {
    let time = elapsed()
    for id in ids {
      if let transfer = items[id]?.shown(at: time) { delegate.report(.appeared(transfer)) }
    }
  }

  func reportState(_ id: Transfer.ID) {
    guard let item = items[id] else { return }
    let state = item.machine.state.shown
    guard state != item.reportedState || state == .waiting else { return }
    if item.reportedState == .running { reportProgress(id) }
    forgetTelling(id)
    items[id]?.reportedState = state
    report(id, TransferEvent.entered)
  }

  func reportProgress(_ id: Transfer.ID) {
    guard let item = items[id], item.reported != item.sent else { return }
    forgetTelling(id)
    items[id]?.reported = item.sent
    items[id]?.reportedAt = elapsed()
    report(id, TransferEvent.progressed)
  }

  private func reportSoon(_ id: Transfer.ID, at time: Duration) {
    guard let item = items[id], item.teller == nil, !delegates.isEmpty else { return }
    items[id]?.teller = Task(executorPreference: pool.tasks) {
      if (try? await self.sleep(time, .milliseconds(20))) != nil { await self.reportLate(id) }
    }
  }

  private func reportLate(_ id: Transfer.ID) {
    if Task.isCancelled { return }
    items[id]?.teller = nil
    reportProgress(id)
  }

  func forgetTelling(_ id: Transfer.ID) {
    guard let teller = items[id]?.teller else { return }
    teller.cancel()
    items[id]?.teller = nil
  }
}

// MARK: - Reports of the jobs

extension TransferEngine {
  /// Sets the count of kept bytes. Reports it at once or, soon after another report, a little later.
  /// - Throws: `cancelled` if the job was asked to stop.
  func progressed(_ id: Transfer.ID, to bytes: UInt64) throws(StoreError) {
    try checkWanted(id)
    if let kept = items[id]?.kept, bytes > kept {
      items[id]?.kept = bytes
      items[id]?.forgiveFailures()
    }
    count(id, to: bytes)
  }

  func failures(of id: Transfer.ID) -> Int { items[id]?.failures ?? 0 }

  /// Sets the count of bytes that the store may have; a failed request takes them back. A smaller count means that
  /// bytes are sent again. Returns false if the job was asked to stop.
  func delivered(_ id: Transfer.ID, to bytes: UInt64) -> Bool {
    guard isWanted(id) else { return false }
    count(id, to: bytes)
    return true
  }

  private func count(_ id: Transfer.ID, to bytes: UInt64) {
    guard var item = items[id], bytes != item.sent else { return }
    if bytes < item.sent { return setBack(id, to: bytes) }
    let time = elapsed()
    item.moved += bytes - item.sent
    item.sent = bytes
    item.rate?.record(bytes, at: time)
    items[id] = item
    let due = item.reportedAt.map { $0 + Self.progressInterval } ?? time
    if due <= time { reportProgress(id) } else { reportSoon(id, at: due) }
  }

  /// Continues the job from `offset`.
  /// - Throws: `cancelled` if the job was asked to stop.
  func resumed(_ id: Transfer.ID, at offset: UInt64) throws(StoreError) {
    try checkWanted(id)
    setBack(id, to: offset)
    items[id]?.kept = offset
  }

  func setBack(_ id: Transfer.ID, to offset: UInt64) {
    reportProgress(id)
    forgetTelling(id)
    items[id]?.sent = offset
    items[id]?.reported = offset
    items[id]?.rate = TransferRate(at: elapsed(), bytes: offset)
    report(id, TransferEvent.resumed)
  }

  /// Advances the transfer's machine for its job.
  /// - Throws: `cancelled` if the job was asked to stop.
  func entered(_ id: Transfer.ID, _ event: TransferMachine.Event) throws(StoreError) {
    try checkWanted(id)
    advance(id, event)
    try checkWanted(id)
  }

  /// Changes a record, to be written with the next batch. Starts a batch if the last one is old enough.
  func note(_ id: Transfer.ID, _ change: @Sendable (inout TransferRecord) -> Void) -> TransferRecord? {
    self.change(id, change)
    writeSoon(isUrgent: false)
    return items[id]?.record
  }

  /// Changes a record, durably when this returns.
  func keep(
    _ id: Transfer.ID, _ change: @Sendable (inout TransferRecord) -> Void
  ) async throws(StoreError) -> TransferRecord? {
    self.change(id, change)
    try await commit()
    return items[id]?.record
  }

  private func change(_ id: Transfer.ID, _ change: (inout TransferRecord) -> Void) {
    guard var record = items[id]?.record else { return }
    if let part = record.part { parts.remove(part) }
    change(&record)
    if let part = record.part { parts.insert(part) }
    items[id]?.record = record
    dirty.insert(id)
  }

  func take(_ bytes: Int) async throws(StoreError) {
    while case let time = elapsed(), let wait = bucket.take(bytes, at: time) {
      do {
        // The limit may change meanwhile, so each wait is short.
        try await sleep(time + min(wait, .milliseconds(250)), nil)
      } catch {
        throw .cancelled("The transfer")
      }
    }
  }

  /// Counts received bytes, and waits while the limit is exceeded.
  /// - Returns: the number of bytes to pass on at once from now on.
  func received(_ id: Transfer.ID, _ bytes: Int, to count: UInt64) async throws(StoreError) -> Int {
    try progressed(id, to: count)
    try await take(bytes)
    return chunkBytes
  }

  /// The number of bytes passed on at once: a twentieth of a second's worth under a limit.
  var chunkBytes: Int {
    let whole = 512 << 10
    return bucket.rate.map { min(whole, max(4096, Int(clamping: $0 / 20))) } ?? whole
  }

  private func checkWanted(_ id: Transfer.ID) throws(StoreError) {
    guard isWanted(id) else { throw .cancelled("The transfer") }
  }

  private func isWanted(_ id: Transfer.ID) -> Bool {
    items[id].map { !isStopping && !$0.machine.state.isHalting } ?? false
  }
}
