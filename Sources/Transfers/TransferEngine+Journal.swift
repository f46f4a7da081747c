import FileStores

/// Writing down: one write at a time, and all that has changed meanwhile goes into the next.
extension TransferEngine {
  /// Everything that has changed so far is durable when this returns.
  func commit() async throws(StoreError) {
    let failure: StoreError? = await withUnsafeContinuation { continuation in
      batchWaiters.append(continuation)
      startWriting()
    }
    if let failure { throw failure }
  }

  /// Has everything written down soon, without waiting for it.
  func noteSoon() {
    isNoteDue = true
    startWriting()
  }

  private func startWriting() {
    guard !isWriting else { return }
    isWriting = true
    Task(executorPreference: executor) { await self.writeBatches() }
  }

  private func writeBatches() async {
    while !batchWaiters.isEmpty || isNoteDue {
      let waiters = batchWaiters
      batchWaiters = []
      isNoteDue = false
      let failure = await writeBatch()
      for waiter in waiters { waiter.resume(returning: failure) }
    }
    isWriting = false
  }

  private func writeBatch() async -> StoreError? {
    let (changed, removed) = (dirty, doomed)
    (dirty, doomed) = ([], [])
    let records = changed.compactMap { items[$0]?.record }.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    do throws(StoreError) {
      if !records.isEmpty { try await journal.write(records) }
      if !removed.isEmpty { try await journal.remove(removed.sorted()) }
      return nil
    } catch {
      // Tried again with the next.
      dirty.formUnion(changed.filter { items[$0] != nil })
      doomed.formUnion(removed)
      return error
    }
  }
}
