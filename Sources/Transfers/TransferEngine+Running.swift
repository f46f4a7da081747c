import FileStores

/// What the machine says, done.
extension TransferEngine {
  /// Gives an event to a transfer's machine, and does what it says.
  func advance(_ id: Transfer.ID, _ event: TransferMachine.Event) {
    guard var item = items[id] else { return }
    let before = item.machine.state
    let steps = item.machine.take(event)
    guard item.machine.state != before else { return }
    if before == .queued { queue.remove(item.record) }
    item.record.phase = item.machine.state.phase
    if item.machine.state == .queued {
      item.record.notBefore = nil
      if event == .retry {
        if before == .cancelled { item.record.beginAnew() }
        (item.record.ended, item.record.isTold) = (nil, false)
        item.failures = 0
      }
      queue.add(item.record)
    }
    items[id] = item
    if item.machine.state != .gone { dirty.insert(id) }
    if before.shown.isOver, item.machine.state == .queued {
      over.removeAll { $0 == id }
      order.insert(id, at: order.firstIndex { place(of: id) < place(of: $0) } ?? order.count)
    }
    if event == .resume || event == .retry { release(item.record.order.store) }
    if !item.machine.state.shown.isOver { tellState(id) }
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

  /// Starts as many as may run.
  func schedule() {
    guard isStarted, !isStopping else { return }
    let perStore = settings.perStore ?? settings.concurrent
    while runningCount < settings.concurrent,
      let id = queue.first(where: { holds[$0] == nil && running[$0, default: 0] < perStore })
    {
      advance(id, .turn)
    }
  }

  private func startJob(_ id: Transfer.ID) {
    guard var item = items[id] else { return }
    let store = item.record.order.store
    runningCount += 1
    running[store, default: 0] += 1
    item.record.attempts += 1
    let time = elapsed()
    item.began = time
    item.rate = TransferRate(at: time, bytes: item.sent)
    let (record, line) = (item.record, TransferLine(engine: self, id: id))
    let (stores, pool, settings, now, random) = (stores, pool, settings, now, random)
    item.task = Task.detached(executorPreference: executor) { [self] in
      let result: Result<TransferResult, StoreError>
      do throws(StoreError) {
        let opened = try await stores.store(for: record.order)
        switch record.order.work {
        case .upload:
          var job = UploadJob(record, line, opened, pool, settings, now)
          result = .success(try await job.perform())
        case .download(let folder):
          var job = DownloadJob(record, line, opened, folder, pool, settings, random)
          result = .success(try await job.perform())
        }
      } catch {
        result = .failure(error)
      }
      await jobEnded(id, result)
    }
    items[id] = item
  }

  private func jobEnded(_ id: Transfer.ID, _ result: Result<TransferResult, StoreError>) {
    guard var item = items[id] else { return }
    let store = item.record.order.store
    runningCount -= 1
    running[store, default: 1] -= 1
    if running[store] == 0 { running[store] = nil }
    item.task = nil
    if let began = item.began { item.ranFor += elapsed() - began }
    item.began = nil
    items[id] = item
    switch result {
    case .success(let result): succeeded(id, result)
    case .failure(let error): ended(id, by: error)
    }
    schedule()
  }

  private func succeeded(_ id: Transfer.ID, _ result: TransferResult) {
    guard let item = items[id] else { return }
    release(item.record.order.store)
    items[id]?.moved += (result.entry.size ?? item.sent) - min(result.entry.size ?? item.sent, item.sent)
    complete(id, result)
    tellProgress(id)
    advance(id, .succeed)
  }

  private func ended(_ id: Transfer.ID, by error: StoreError) {
    tellProgress(id)
    guard let state = items[id]?.machine.state else { return }
    // What was stopped is stopped, whatever it says of it.
    if isStopping { return }
    // Of what was on its way the store keeps what it has acknowledged.
    if let item = items[id], item.record.order.direction == .upload, item.record.offset < item.sent {
      setBack(id, to: item.record.offset)
    }
    let wasAsked = state.isHalting && error.kind == .cancelled
    if !wasAsked { items[id]?.record.error = error.limitingWait(now: now().seconds) }
    if wasAsked { return advance(id, .stopped) }
    items[id]?.failures += 1
    let draw = Double(random() >> 11) / Double(1 << 53)
    guard let item = items[id],
      let pause = settings.retry.pause(after: error, failures: item.failures, draw: draw)
    else { return advance(id, .fail) }
    if error.kind != .server { hold(item.record.order.store, pause) }
    let (seconds, rest) = pause.components
    items[id]?.record.notBefore = Timestamp(
      nanoseconds: now().nanoseconds &+ seconds &* 1_000_000_000 &+ rest / 1_000_000_000)
    items[id]?.pause = pause
    advance(id, .rest)
  }

  func setTimer(_ id: Transfer.ID, _ pause: Duration) {
    let until = elapsed() + pause
    items[id]?.timer = Task(executorPreference: executor) { [sleep] in
      guard (try? await sleep(until)) != nil else { return }
      await self.timeCame(id)
    }
  }

  private func timeCame(_ id: Transfer.ID) {
    guard !isStopping, items[id]?.machine.state == .waiting else { return }
    advance(id, .due)
    schedule()
  }

  /// Leaves a store alone for a while: what one transfer has met, the next would meet, too.
  private func hold(_ store: String, _ pause: Duration) {
    let until = elapsed() + pause
    if let held = holds[store] {
      guard held.until < until else { return }
      held.timer.cancel()
    }
    let timer = Task(executorPreference: executor) { [sleep] in
      guard (try? await sleep(until)) != nil else { return }
      await self.holdEnded(store)
    }
    holds[store] = (until, timer)
  }

  private func holdEnded(_ store: String) {
    holds[store] = nil
    schedule()
  }

  /// The store is there again, or is to be tried.
  func release(_ store: String) {
    holds.removeValue(forKey: store)?.timer.cancel()
  }
}
