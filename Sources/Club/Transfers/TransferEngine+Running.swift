import Basics
import FileStores

extension TransferEngine {
  func advance(_ id: Transfer.ID, _ event: TransferMachine.Event) {
    guard var item = items[id] else { return }
    let before = item.machine.state
    let steps = item.machine.take(event)
    guard item.machine.state != before else { return }
    if before == .queued { queue.remove(item.record) }
    item.record.enter(item.machine.state, from: before, by: event)
    if event == .retry { item.forgiveFailures() }
    if item.machine.state == .queued { queue.add(item.record) }
    items[id] = item
    if item.machine.state != .gone { dirty.insert(id) }
    if before.shown.isOver, item.machine.state == .queued {
      over.removeAll { $0 == id }
      order.insert(id, at: order.firstIndex { place(of: id) < place(of: $0) } ?? order.count)
    }
    if event == .resume || event == .retry { release(item.record.order.store) }
    if !item.machine.state.shown.isOver { reportState(id) }
    for step in steps { carryOut(step, id) }
  }

  private func carryOut(_ step: TransferMachine.Step, _ id: Transfer.ID) {
    switch step {
    case .start: startJob(id)
    case .halt: items[id]?.task?.cancel()
    case .setTime: setTimer(id, items[id]?.pause ?? .zero)
    case .forgetTime:
      items[id]?.timer?.cancel()
      items[id]?.timer = nil
    case .clean: clean(id)
    case .end: settle(id)
    case .remove: remove(id)
    }
  }

  func schedule() {
    guard isStarted, !isStopping, stores != nil else { return }
    while running.values.reduce(0, +) < settings.concurrent,
      let id = queue.first(where: { store in
        holds[store] == nil && running[store, default: 0] < settings.perStore ?? settings.concurrent
      })
    {
      advance(id, .turn)
    }
  }

  private func startJob(_ id: Transfer.ID) {
    guard var item = items[id], let stores else { return }
    running[item.record.order.store, default: 0] += 1
    item.record.attempts += 1
    let time = elapsed()
    item.began = time
    item.rate = TransferRate(at: time, bytes: item.sent)
    let (record, settings) = (item.record, settings)
    item.task = Task.detached(executorPreference: pool.tasks) { [self] in
      let result = await Result.catching { () throws(StoreError) in
        let job = JobContext(
          engine: self, record: record, store: try await stores.store(for: record.order), settings: settings)
        return try await job.perform()
      }
      await jobEnded(id, result)
    }
    items[id] = item
  }

  private func jobEnded(_ id: Transfer.ID, _ result: Result<TransferResult, StoreError>) {
    guard var item = items[id] else { return }
    let store = item.record.order.store
    running[store] = running[store].flatMap { $0 > 1 ? $0 - 1 : nil }
    item.task = nil
    if let began = item.began { item.ranFor += elapsed() - began }
    item.began = nil
    items[id] = item
    switch result {
    case .success(let result):
      release(store)
      items[id]?.moved += (result.entry.size ?? item.sent) - min(result.entry.size ?? item.sent, item.sent)
      complete(id, result)
      reportProgress(id)
      advance(id, .succeed)
    case .failure(let error): failed(id, error)
    }
    schedule()
  }

  private func failed(_ id: Transfer.ID, _ error: StoreError) {
    reportProgress(id)
    // A stopping engine has stopped the job itself.
    guard !isStopping, var item = items[id] else { return }
    // The store keeps only acknowledged bytes.
    if item.record.order.direction == .upload, item.record.offset < item.sent { setBack(id, to: item.record.offset) }
    if item.machine.state.isHalting, error.kind == .cancelled { return advance(id, .stopped) }
    let draw = Double(random() >> 11) / Double(1 << 53)
    item = items[id] ?? item
    item.fail(error, now: now())
    let pause = settings.retry.pause(of: error, failures: item.failures, wrongAnswers: item.wrongAnswers, draw: draw)
    if let pause {
      let (seconds, rest) = pause.components
      item.record.notBefore = Timestamp(
        nanoseconds: now().nanoseconds &+ seconds &* 1_000_000_000 &+ rest / 1_000_000_000)
      item.pause = pause
    }
    items[id] = item
    if let pause, error.kind != .server { hold(item.record.order.store, pause) }
    advance(id, pause == nil ? .fail : .rest)
  }

  func setTimer(_ id: Transfer.ID, _ pause: Duration) {
    guard stores != nil else { return }
    let until = elapsed() + pause
    items[id]?.timer = Task(executorPreference: pool.tasks) { [sleep] in
      if (try? await sleep(until, nil)) != nil { await self.timeCame(id) }
    }
  }

  private func timeCame(_ id: Transfer.ID) {
    guard !isStopping, items[id]?.machine.state == .waiting else { return }
    advance(id, .due)
    schedule()
  }

  /// Starts no transfer of a store for a while, because it would meet the same fault.
  private func hold(_ store: String, _ pause: Duration) {
    let until = elapsed() + pause
    if let held = holds[store] {
      guard held.until < until else { return }
      held.timer.cancel()
    }
    let timer = Task(executorPreference: pool.tasks) { [sleep] in
      if (try? await sleep(until, nil)) != nil { await self.holdEnded(store) }
    }
    holds[store] = (until, timer)
  }

  private func holdEnded(_ store: String) {
    holds[store] = nil
    schedule()
  }

  func release(_ store: String) {
    holds.removeValue(forKey: store)?.timer.cancel()
  }
}

extension TransferEngine {
  /// Removes the leftovers of a transfer, if any. An engine without stores leaves that to the next engine.
  func clean(_ id: Transfer.ID) {
    guard !isStopping, let record = items[id]?.record else { return }
    guard record.hasLeftovers else { return cleaned(id, .success(nil)) }
    guard let stores else { return }
    let job = CleaningJob(record: record, stores: stores, engine: self, settings: settings)
    items[id]?.task = Task.detached(executorPreference: pool.tasks) { [self] in
      await cleanEnded(id, await .catching { () throws(StoreError) in try await job.perform() })
    }
  }

  private func cleanEnded(_ id: Transfer.ID, _ result: Result<TransferResult?, StoreError>) {
    items[id]?.task = nil
    if !isStopping { cleaned(id, result) }
  }

  private func cleaned(_ id: Transfer.ID, _ result: Result<TransferResult?, StoreError>) {
    forgetLeftovers(id)
    var rest: StoreError?
    switch result {
    case .success(let there?):
      complete(id, there)
      return advance(id, .succeed)
    case .success(nil): break
    case .failure(let error): rest = error
    }
    if var item = items[id], item.machine.state == .cleaning {
      if item.sent > 0 { setBack(id, to: 0) }
      item = items[id] ?? item
      (item.sent, item.reported, item.kept) = (0, 0, 0)
      item.record.cancelled(leaving: rest)
      items[id] = item
    }
    advance(id, .cleaned)
  }

  private func forgetLeftovers(_ id: Transfer.ID) {
    if let part = items[id]?.record.part { parts.remove(part) }
    items[id]?.record.part = nil
    items[id]?.record.session = nil
    items[id]?.record.sessionBegan = nil
    items[id]?.record.sessionEnds = nil
  }

  private func complete(_ id: Transfer.ID, _ result: TransferResult) {
    forgetLeftovers(id)
    guard var item = items[id] else { return }
    let total = result.entry.size ?? item.record.total ?? item.sent
    (item.sent, item.entry) = (total, result.entry)
    (item.record.total, item.record.offset) = (total, total)
    (item.record.modified, item.record.revision) = (result.entry.modified, result.entry.revision)
    (item.record.path, item.record.place, item.record.error) = (result.entry.path, result.place, nil)
    items[id] = item
  }

  /// Writes the end of a transfer to the journal, and then reports it.
  private func settle(_ id: Transfer.ID) {
    items[id]?.record.ended = now()
    items[id]?.record.notBefore = nil
    items[id]?.record.isAcknowledged = delegates.contains { $0.isSeen }
    items[id]?.isSettling = true
    order.removeAll { $0 == id }
    over.append(id)
    guard stores != nil else { return }
    items[id]?.task = Task(executorPreference: pool.tasks) {
      // The transfer ends even if the journal cannot be written; the next write includes it.
      try? await self.commit()
      await self.settled(id)
    }
  }

  func settled(_ id: Transfer.ID) {
    items[id]?.task = nil
    items[id]?.isSettling = false
    reportState(id)
    report(id, TransferEvent.finished)
    answerListeners(id)
  }

  func answerListeners(_ id: Transfer.ID) {
    guard let item = items[id], !item.listeners.isEmpty else { return }
    items[id]?.listeners = []
    for listener in item.listeners { listener.give(item.shown(at: elapsed())) }
  }

  private func remove(_ id: Transfer.ID) {
    answerListeners(id)
    if let local = items.removeValue(forKey: id)?.record.order.local {
      ofLocal[local]?.remove(id)
      if ofLocal[local]?.isEmpty == true { ofLocal[local] = nil }
    }
    order.removeAll { $0 == id }
    over.removeAll { $0 == id }
    dirty.remove(id)
    doomed.insert(id)
    report(.disappeared(id))
    writeSoon(isUrgent: true)
  }
}
