internal import Transfers

/// What is known of all transfers together: counted when something happens to one, read for each key.
struct TransferSummary: Sendable {
  /// Neither over nor paused.
  private(set) var active = 0
  /// Stopped by the member.
  private(set) var paused = 0
  /// Being sent or received now.
  private(set) var running = 0
  /// Ended well.
  private(set) var done = 0
  /// Ended by an error.
  private(set) var failed = 0
  /// Ended by a member's wish.
  private(set) var cancelled = 0
  /// Whichever are over.
  private(set) var over = 0
  /// Which one the bar shows: the first that runs, else the first that is closest to it.
  private(set) var shown: Int?
  /// Whether what is said of any changes by time alone.
  private(set) var ticks = false
  /// Whether what is said of the shown one does.
  private(set) var shownTicks = false
  /// Bytes of those that are active: done, and in all as far as that is known.
  private(set) var sent = 0.0
  private(set) var total = 0.0

  init() {}

  init(_ lines: [TransferLine]) {
    var best = Int.max
    for index in lines.indices {
      let state = lines[index].transfer.state
      if let rank = Self.rank(state), rank < best { (best, shown) = (rank, index) }
      switch state {
      case .paused: paused += 1
      case .done: done += 1
      case .failed: failed += 1
      case .cancelled: cancelled += 1
      case .running, .finishing, .verifying:
        active += 1
        running += 1
      case .queued, .waiting, .cancelling: active += 1
      }
      if state.isOver {
        over += 1
        continue
      }
      let ticks = state == .running || state == .waiting && lines[index].transfer.resumesAt != nil
      self.ticks = self.ticks || ticks
      if shown == index { shownTicks = ticks }
      guard state != .paused, let bytes = lines[index].transfer.total else { continue }
      sent += Double(lines[index].transfer.sent)
      total += Double(bytes)
    }
  }

  /// Transfers that are not over.
  var unfinished: Int { active + paused }

  private static func rank(_ state: TransferState) -> Int? {
    switch state {
    case .running: 0
    case .finishing, .verifying: 1
    case .cancelling: 2
    case .waiting: 3
    case .queued: 4
    case .paused: 5
    case .done, .cancelled, .failed: nil
    }
  }
}
