import FileStores
import Synchronization
import Transfers

/// Writes down the reports, and knows which may come.
final class WatchingDelegate: TransferDelegate {
  enum Event: Equatable {
    case appeared(TransferState)
    case state(TransferState)
    case progress(UInt64, UInt64?, Duration)
    case resumed(UInt64)
    case finished(TransferState, StoreError.Kind?)
    case disappeared
  }

  private struct State {
    var log: [Transfer.ID: [Event]] = [:]
    var orders: [[Transfer.ID]] = []
    var last: [Transfer.ID: Transfer] = [:]
    var watchers: [(id: Transfer.ID, state: TransferState, continuation: CheckedContinuation<Void, Never>)] = []
    var counters: [(id: Transfer.ID, count: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  init(_ elapsed: @escaping @Sendable () -> Duration = { .zero }) { self.elapsed = elapsed }

  func events(_ id: Transfer.ID) -> [Event] { state.withLock { $0.log[id] ?? [] } }
  var ids: [Transfer.ID] { state.withLock { $0.log.keys.sorted() } }
  var orders: [[Transfer.ID]] { state.withLock { $0.orders } }
  func last(_ id: Transfer.ID) -> Transfer? { state.withLock { $0.last[id] } }

  func states(_ id: Transfer.ID) -> [TransferState] {
    events(id).compactMap { event in
      switch event {
      case .appeared(let state), .state(let state): state
      default: nil
      }
    }
  }

  func resumes(_ id: Transfer.ID) -> [UInt64] {
    events(id).compactMap { if case .resumed(let offset) = $0 { offset } else { nil } }
  }

  func counts(_ id: Transfer.ID) -> [UInt64] {
    events(id).compactMap { if case .progress(let bytes, _, _) = $0 { bytes } else { nil } }
  }

  /// Returns once the transfer was told to be in a state.
  func reached(_ wanted: TransferState, _ id: Transfer.ID) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.log[id]?.contains(.state(wanted)) == true || state.log[id]?.contains(.appeared(wanted)) == true {
          return true
        }
        state.watchers.append((id, wanted, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Returns once so many bytes were reported.
  func reached(count: UInt64, _ id: Transfer.ID) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        let isTold = state.log[id]?.contains { if case .progress(count, _, _) = $0 { true } else { false } }
        if isTold != true { state.counters.append((id, count, continuation)) }
        return isTold == true
      }
      if isThere { continuation.resume() }
    }
  }

  /// What the contract of `TransferDelegate` forbids and happened all the same, in words.
  func breaches(_ id: Transfer.ID) -> [String] {
    var found: [String] = []
    var current: TransferState?
    var count: UInt64?
    var times: [Duration] = []
    var isFinished = false
    var isGone = false
    for event in events(id) {
      if isGone { found.append("\(event) after it disappeared") }
      if current == nil, case .appeared = event {
      } else if current == nil {
        found.append("\(event) before it appeared")
      }
      switch event {
      case .appeared(let state):
        if current != nil { found.append("appeared twice") }
        current = state
        isFinished = state.isOver
      case .state(let state):
        if state == current, state != .waiting { found.append("\(state) twice") }
        // A failure that is dismissed is being cleaned up.
        let isAgain = state == .queued || state == .cancelling && current == .failed
        if isFinished, !isAgain { found.append("\(state) after it was over") }
        if isAgain { isFinished = false }
        current = state
      case .progress(let bytes, let total, let time):
        if isFinished { found.append("progress after the end") }
        if let count, bytes <= count { found.append("\(bytes) bytes after \(count)") }
        if let total, bytes > total { found.append("\(bytes) bytes of \(total)") }
        count = bytes
        times.append(time)
      case .resumed(let offset):
        if current != .running && current != .cancelling {
          found.append("resumed while \(current.map { "\($0)" } ?? "")")
        }
        count = offset
      case .finished(let state, let kind):
        if isFinished { found.append("finished twice") }
        if state != current || !state.isOver {
          found.append("finished as \(state) while \(String(describing: current))")
        }
        if (state == .done) != (kind == nil) { found.append("\(state) with \(String(describing: kind))") }
        if state == .cancelled, kind != .cancelled { found.append("cancelled with \(String(describing: kind))") }
        isFinished = true
      case .disappeared: isGone = true
      }
    }
    // Ten a second, and one more at the end of each stretch of running.
    let stretches = states(id).filter { $0 == .running }.count + resumes(id).count
    if let first = times.first, let last = times.last {
      let (seconds, atto) = (last - first).components
      let most = Int((Double(seconds) + Double(atto) * 1e-18) * 10) + 2 + 2 * stretches
      if times.count > most { found.append("\(times.count) times progress, at most \(most) may be") }
    }
    return found
  }

  private func note(_ transfer: Transfer, _ event: Event) {
    let ready = state.withLock { state in
      state.log[transfer.id, default: []].append(event)
      state.last[transfer.id] = transfer
      var ready: [CheckedContinuation<Void, Never>] = []
      state.watchers.removeAll { watcher in
        guard watcher.id == transfer.id else { return false }
        guard event == .state(watcher.state) || event == .appeared(watcher.state) else { return false }
        ready.append(watcher.continuation)
        return true
      }
      if case .progress(let bytes, _, _) = event {
        state.counters.removeAll { counter in
          guard counter.id == transfer.id, counter.count == bytes else { return false }
          ready.append(counter.continuation)
          return true
        }
      }
      return ready
    }
    for continuation in ready { continuation.resume() }
  }

  func report(_ event: TransferEvent) {
    switch event {
    case .appeared(let transfer): note(transfer, .appeared(transfer.state))
    case .progressed(let transfer): note(transfer, .progress(transfer.sent, transfer.total, elapsed()))
    case .resumed(let transfer): note(transfer, .resumed(transfer.sent))
    case .entered(let transfer): note(transfer, .state(transfer.state))
    case .finished(let transfer): note(transfer, .finished(transfer.state, transfer.error?.kind))
    case .disappeared(let id): state.withLock { $0.log[id, default: []].append(.disappeared) }
    case .reordered(let ids): state.withLock { $0.orders.append(ids) }
    }
  }
}
