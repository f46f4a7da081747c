public import FileStores

/// Carries out transfers: some at once, the others wait in the order in which they came.
///
/// - Uploads go through the store's `resumableUploads` where it has them, piece by piece, and through `put` where not.
/// - Nothing is left behind by a transfer that was cancelled or has failed: no part file, no file under the final name.
/// - What the delegate is told, and when, is written at `OldTransferDelegate`.
/// - The list of transfers lasts as long as the engine.
public actor OldTransferEngine {
  /// At most ten progress calls a second.
  static let progressInterval = Duration.milliseconds(100)

  private let concurrent: Int
  private let elapsed: @Sendable () -> Duration
  private var items: [Transfer.ID: OldTransferItem] = [:]
  private var order: [Transfer.ID] = []
  private var waiting: [Transfer.ID] = []
  private var running = 0
  private var started = 0

  private let executor: (any TaskExecutor)?

  /// An engine that carries out at most `concurrent` transfers at once (at least one), on `executor` (Swift's own pool
  /// without one), and paces progress by `clock`.
  public init(
    concurrent: Int = 3, on executor: (any TaskExecutor)? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.concurrent = max(1, concurrent)
    self.executor = executor
    elapsed = Self.stopwatch(clock)
  }

  /// All transfers, in the order in which they were asked for.
  public var transfers: [Transfer] { order.compactMap { items[$0]?.transfer } }

  /// One transfer; nil when the engine does not know it (any more).
  public func transfer(_ id: Transfer.ID) -> Transfer? { items[id]?.transfer }

  /// Puts an upload in the queue, or starts it.
  ///
  /// - Parameters:
  ///   - contentHash: what the source is known to hold. Where the store tells its checksum, a file that arrived as
  ///     something else is removed again, and the transfer fails with `corrupt`.
  ///   - nextTarget: asked for another path when something is at `target` already and `mode` is `create`; without it,
  ///     or when it throws, the transfer fails.
  /// - Returns: at once.
  @discardableResult
  public func upload(
    file: any ByteSource, name: String, to target: StorePath, mode: WriteMode, store: any FileStore,
    expecting contentHash: ContentHash? = nil, delegate: any OldTransferDelegate,
    nextTarget: (@Sendable (_ taken: StorePath) async throws(StoreError) -> StorePath)? = nil
  ) -> Transfer.ID {
    add(.upload, name, target, total: file.size, delegate) { report in
      let job = OldUploadJob(
        source: file, target: target, mode: mode, store: store, contentHash: contentHash, nextTarget: nextTarget,
        report: report, executor: executor)
      return { () async throws(StoreError) in try await job.perform() }
    }
  }

  /// Puts a download in the queue, or starts it.
  ///
  /// - Parameter sink: belongs to this transfer from now on.
  /// - Returns: at once.
  @discardableResult
  public func download(
    _ path: StorePath, name: String, into sink: any TransferSink, store: any FileStore,
    delegate: any OldTransferDelegate
  ) -> Transfer.ID {
    add(.download, name, path, total: nil, delegate) { report in
      let job = OldDownloadJob(path: path, sink: sink, store: store, report: report)
      return { () async throws(StoreError) in try await job.perform() }
    }
  }

  /// Asks a transfer to stop. One that waits is over when this returns. One that runs is `cancelling` until the store
  /// has answered; when the store had finished first, it is `done`. Nothing happens to one that is over, is being
  /// cancelled already, or is not known.
  public func cancel(_ id: Transfer.ID) {
    guard var item = items[id], !item.transfer.state.isOver, !item.isCancelRequested else { return }
    item.isCancelRequested = true
    items[id] = item
    guard let task = item.task else {
      waiting.removeAll { $0 == id }
      finish(id, .failure(cancellation(of: item.transfer)))
      return
    }
    // Once a file is being given its name the answer decides: an interrupted answer would leave that open.
    if item.transfer.state != .finishing { task.cancel() }
    enter(.cancelling, id)
  }

  /// Asks all transfers that are not over to stop.
  public func cancelAll() {
    // Those that wait first, so that none of them is started in place of one that has stopped.
    for id in waiting + order { cancel(id) }
  }

  /// Waits until a transfer is over.
  /// - Returns: what its delegate was told; nil when the engine does not know it.
  public func result(of id: Transfer.ID) async -> Result<FileEntry, StoreError>? {
    guard items[id] != nil else { return nil }
    if let result = items[id]?.result { return result }
    return await withUnsafeContinuation { items[id]?.listeners.append($0) }
  }

  /// Takes those that are over off the list.
  public func forgetFinished() {
    order.removeAll { id in
      guard items[id]?.transfer.state.isOver == true else { return false }
      items[id] = nil
      return true
    }
  }

  private func add(
    _ direction: Transfer.Direction, _ name: String, _ path: StorePath, total: UInt64?,
    _ delegate: any OldTransferDelegate, _ job: (OldTransferReport) -> OldTransferItem.Work
  ) -> Transfer.ID {
    started += 1
    let id = "t\(started)"
    var transfer = Transfer(id: id, direction: direction, name: name, path: path)
    transfer.total = total
    items[id] = OldTransferItem(
      transfer: transfer, work: job(OldTransferReport(engine: self, id: id)), delegate: delegate)
    order.append(id)
    waiting.append(id)
    delegate.transfer(id, didEnter: .queued)
    startNext()
    return id
  }

  private func startNext() {
    while running < concurrent, !waiting.isEmpty {
      let id = waiting.removeFirst()
      guard let work = items[id]?.work else { continue }
      running += 1
      enter(.running, id)
      tellProgress(id)
      items[id]?.task = Task.detached(executorPreference: executor) { [self] in
        let result: Result<FileEntry, StoreError>
        do throws(StoreError) {
          result = .success(try await work())
        } catch {
          result = .failure(error)
        }
        await ended(id, result)
      }
    }
  }

  private func ended(_ id: Transfer.ID, _ result: Result<FileEntry, StoreError>) {
    running -= 1
    guard let item = items[id] else { return }
    switch result {
    case .success(let entry):
      // A store that knows the size need not look for the end, and so has not said that it was there.
      if item.transfer.direction == .upload { items[id]?.transfer.sent = entry.size ?? item.transfer.sent }
      tellProgress(id)
      if item.transfer.state == .running { enter(.finishing, id) }
      finish(id, result)
    case .failure(let error) where item.isCancelRequested:
      finish(id, .failure(error.kind == .cancelled ? error : cancellation(of: item.transfer)))
    case .failure:
      finish(id, result)
    }
    startNext()
  }

  private func cancellation(of transfer: Transfer) -> StoreError {
    .cancelled("The \(transfer.direction.rawValue) of \"\(transfer.name)\"", path: transfer.path)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

// MARK: - What the jobs report

extension OldTransferEngine {
  /// The count so far. Told when the last time is long enough ago, otherwise kept for the next time.
  /// - Throws: `cancelled` when that was asked for.
  func progressed(_ id: Transfer.ID, to bytes: UInt64) throws(StoreError) {
    try checkCancelled(id)
    items[id]?.transfer.sent = bytes
    guard let told = items[id]?.toldAt, elapsed() - told < Self.progressInterval else { return tellProgress(id) }
  }

  /// The work goes on from another place than it had reached.
  /// - Throws: `cancelled` when that was asked for.
  func resumed(_ id: Transfer.ID, at offset: UInt64) throws(StoreError) {
    try checkCancelled(id)
    tellProgress(id)
    enter(.running, id)
    items[id]?.transfer.sent = offset
    items[id]?.told = offset
    guard let item = items[id] else { return }
    item.delegate?.transfer(id, didResumeAt: offset, of: item.transfer.total)
  }

  /// The number of bytes that there will be.
  func learned(_ id: Transfer.ID, total: UInt64?) {
    // What is not told yet was counted of the total that is known so far.
    tellProgress(id)
    items[id]?.transfer.total = total
  }

  /// The upload goes to another path than planned.
  func moved(_ id: Transfer.ID, to path: StorePath) {
    items[id]?.transfer.path = path
  }

  /// The download lies here.
  func placed(_ id: Transfer.ID, at place: String) {
    items[id]?.transfer.place = place
  }

  /// From here on the answer decides, and a wish to cancel waits for it.
  /// - Throws: `cancelled` when that was asked for before.
  func advanced(_ id: Transfer.ID, to state: TransferState) throws(StoreError) {
    try checkCancelled(id)
    tellProgress(id)
    enter(state, id)
  }

  private func checkCancelled(_ id: Transfer.ID) throws(StoreError) {
    guard let item = items[id], item.isCancelRequested else { return }
    throw cancellation(of: item.transfer)
  }

  private func tellProgress(_ id: Transfer.ID) {
    guard let item = items[id], item.told != item.transfer.sent else { return }
    items[id]?.told = item.transfer.sent
    items[id]?.toldAt = elapsed()
    switch item.transfer.direction {
    case .upload: item.delegate?.transfer(id, didSend: item.transfer.sent, of: item.transfer.total)
    case .download: item.delegate?.transfer(id, didReceive: item.transfer.sent, of: item.transfer.total)
    }
  }

  private func enter(_ state: TransferState, _ id: Transfer.ID) { enter(state, id, items[id]?.delegate) }

  private func enter(_ state: TransferState, _ id: Transfer.ID, _ delegate: (any OldTransferDelegate)?) {
    guard let item = items[id], item.transfer.state != state else { return }
    items[id]?.transfer.state = state
    delegate?.transfer(id, didEnter: state)
  }

  private func finish(_ id: Transfer.ID, _ result: Result<FileEntry, StoreError>) {
    // A transfer that never began has no progress.
    if items[id]?.told != nil { tellProgress(id) }
    guard let item = items[id] else { return }
    items[id]?.result = result
    items[id]?.end()
    switch result {
    case .success:
      items[id]?.transfer.total = item.transfer.sent
      enter(.done, id, item.delegate)
    case .failure(let error):
      items[id]?.transfer.error = error
      enter(error.kind == .cancelled && item.isCancelRequested ? .cancelled : .failed, id, item.delegate)
    }
    item.delegate?.transferDidFinish(id, result)
    for listener in item.listeners { listener.resume(returning: result) }
  }
}
