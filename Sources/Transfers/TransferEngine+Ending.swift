import FileStores

/// What is done when a transfer is over, or off the list.
extension TransferEngine {
  /// Removes what a transfer has left, where it has left anything.
  func clean(_ id: Transfer.ID) {
    guard !isStopping, let record = items[id]?.record else { return }
    guard record.hasLeftovers else { return cleaned(id, nil) }
    let job = CleaningJob(
      record: record, stores: stores, pool: pool, settings: settings, elapsed: elapsed, sleep: sleep)
    items[id]?.task = Task.detached(executorPreference: executor) { [self] in
      let result = await job.perform()
      await cleanEnded(id, result)
    }
  }

  private func cleanEnded(_ id: Transfer.ID, _ result: CleaningJob.Outcome) {
    items[id]?.task = nil
    if isStopping { return }
    switch result {
    case .there(let result): cleaned(id, result)
    case .removed: cleaned(id, nil)
    case .kept(let error): cleaned(id, nil, leaving: error)
    }
  }

  private func cleaned(_ id: Transfer.ID, _ result: TransferResult?, leaving rest: StoreError? = nil) {
    guard var item = items[id] else { return }
    item.record.session = nil
    item.record.sessionBegan = nil
    if let part = item.record.part { parts.remove(part) }
    item.record.part = nil
    if let result {
      complete(id, result)
      return advance(id, .succeed)
    }
    if item.machine.state == .cleaning {
      items[id] = item
      if item.sent > 0 { setBack(id, to: 0) }
      (item.sent, item.told, item.kept) = (0, 0, 0)
      let what = "The \(item.record.order.direction.rawValue) of \"\(item.record.order.name)\""
      // What could not be removed is said.
      let said = ["\(what) was cancelled.", rest?.message].compactMap(\.self).joined(separator: " ")
      item.record.error = StoreError(.cancelled, said, remedy: rest?.remedy ?? "", path: item.record.path)
      item.record.offset = 0
    }
    items[id] = item
    advance(id, .cleaned)
  }

  /// The file is there: what was needed on the way is not any more.
  func complete(_ id: Transfer.ID, _ result: TransferResult) {
    guard var item = items[id] else { return }
    let total = result.entry.size ?? item.record.total ?? item.sent
    (item.sent, item.entry) = (total, result.entry)
    (item.record.total, item.record.offset) = (total, total)
    (item.record.path, item.record.place, item.record.error) = (result.entry.path, result.place, nil)
    (item.record.session, item.record.sessionBegan) = (nil, nil)
    if let part = item.record.part { parts.remove(part) }
    item.record.part = nil
    items[id] = item
  }

  /// Writes down that a transfer is over, and then tells.
  func settle(_ id: Transfer.ID) {
    items[id]?.record.ended = now()
    items[id]?.record.notBefore = nil
    items[id]?.record.isTold = delegates.contains { $0.isSeen }
    items[id]?.isSettling = true
    if let at = order.firstIndex(of: id) { order.remove(at: at) }
    over.append(id)
    items[id]?.task = Task(executorPreference: executor) {
      // Where it cannot be written down it is over all the same; it is tried again with the next.
      try? await self.commit()
      await self.settled(id)
    }
  }

  private func settled(_ id: Transfer.ID) {
    items[id]?.task = nil
    items[id]?.isSettling = false
    tellState(id)
    tell(id) { $0.transferDidFinish($1) }
    guard let listeners = items[id]?.listeners, !listeners.isEmpty else { return }
    items[id]?.listeners = []
    let transfer = items[id]?.shown(at: elapsed())
    for listener in listeners { listener.resume(returning: transfer) }
  }

  func remove(_ id: Transfer.ID) {
    let listeners = items[id]?.listeners ?? []
    let last = items[id]?.shown(at: elapsed())
    items[id] = nil
    order.removeAll { $0 == id }
    over.removeAll { $0 == id }
    dirty.remove(id)
    doomed.insert(id)
    for delegate in delegates { delegate.transferDidDisappear(id) }
    for listener in listeners { listener.resume(returning: last) }
    noteSoon()
  }
}
