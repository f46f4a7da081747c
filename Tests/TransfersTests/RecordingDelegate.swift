import FileStores
import Synchronization
import Transfers

/// Writes down what it is told, and knows what it may be told.
final class RecordingDelegate: OldTransferDelegate {
  enum Event: Equatable {
    case state(TransferState)
    case progress(UInt64, UInt64?, Duration)
    case resumed(UInt64)
    case finished(StoreError.Kind?)
  }

  private let clock: StepClock
  private let log = Mutex<[Transfer.ID: [Event]]>([:])

  init(clock: StepClock = StepClock()) { self.clock = clock }

  func events(_ id: Transfer.ID) -> [Event] { log.withLock { $0[id] ?? [] } }

  func states(_ id: Transfer.ID) -> [TransferState] {
    events(id).compactMap { if case .state(let state) = $0 { state } else { nil } }
  }

  func counts(_ id: Transfer.ID) -> [UInt64] {
    events(id).compactMap { if case .progress(let bytes, _, _) = $0 { bytes } else { nil } }
  }

  func resumes(_ id: Transfer.ID) -> [UInt64] {
    events(id).compactMap { if case .resumed(let offset) = $0 { offset } else { nil } }
  }

  /// The count that was told last, as progress or as a place to go on from.
  func lastCount(_ id: Transfer.ID) -> UInt64? {
    events(id).compactMap { event in
      switch event {
      case .progress(let bytes, _, _): bytes
      case .resumed(let offset): offset
      case .state, .finished: nil
      }
    }.last
  }

  /// What the contract of `OldTransferDelegate` forbids and happened all the same, in words.
  func breaches(_ id: Transfer.ID) -> [String] {
    var found: [String] = []
    let events = events(id)
    if events.first != .state(.queued) { found.append("does not begin with queued") }
    let finishes = events.filter { if case .finished = $0 { true } else { false } }
    if finishes.count != 1 { found.append("finished \(finishes.count) times") }
    if case .finished = events.last {} else { found.append("finish is not the last call") }
    var state: TransferState?
    var count: UInt64?
    var times: [Duration] = []
    for event in events {
      switch event {
      case .state(let next):
        if !Self.mayFollow(state, next) { found.append("\(next) after \(state.map { "\($0)" } ?? "nothing")") }
        state = next
      case .progress(let bytes, let total, let time):
        if let count, bytes <= count { found.append("\(bytes) bytes after \(count)") }
        if let total, bytes > total { found.append("\(bytes) bytes of \(total)") }
        if state != .running && state != .cancelling {
          found.append("progress while \(state.map { "\($0)" } ?? "new")")
        }
        count = bytes
        times.append(time)
      case .resumed(let offset):
        if state != .running { found.append("resumed while not running") }
        count = offset
      case .finished(let kind):
        let expected: TransferState = kind == nil ? .done : kind == .cancelled ? .cancelled : .failed
        if state != expected { found.append("finished with \(expected) while \(state.map { "\($0)" } ?? "new")") }
      }
    }
    return found
  }

  private static func mayFollow(_ state: TransferState?, _ next: TransferState) -> Bool {
    switch (state, next) {
    case (nil, .queued), (.queued, .running), (.queued, .cancelled): true
    case (.running, .finishing), (.running, .verifying), (.verifying, .finishing): true
    case (.finishing, .running), (.verifying, .running): true
    case (.running, .cancelling), (.verifying, .cancelling), (.finishing, .cancelling): true
    case (.running, .failed), (.verifying, .failed), (.finishing, .failed), (.finishing, .done): true
    case (.cancelling, .cancelled), (.cancelling, .done): true
    default: false
    }
  }

  private func note(_ id: Transfer.ID, _ event: Event) { log.withLock { $0[id, default: []].append(event) } }

  func transfer(_ id: Transfer.ID, didSend bytes: UInt64, of total: UInt64?) {
    note(id, .progress(bytes, total, clock.now.time))
  }
  func transfer(_ id: Transfer.ID, didReceive bytes: UInt64, of total: UInt64?) {
    note(id, .progress(bytes, total, clock.now.time))
  }
  func transfer(_ id: Transfer.ID, didResumeAt offset: UInt64, of total: UInt64?) { note(id, .resumed(offset)) }
  func transfer(_ id: Transfer.ID, didEnter state: TransferState) { note(id, .state(state)) }
  func transferDidFinish(_ id: Transfer.ID, _ result: Result<FileEntry, StoreError>) {
    switch result {
    case .success: note(id, .finished(nil))
    case .failure(let error): note(id, .finished(error.kind))
    }
  }
}
