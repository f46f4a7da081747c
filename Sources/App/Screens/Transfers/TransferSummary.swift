internal import TextUI
internal import Transfers

/// Computed at each change and read for each key.
struct TransferSummary: Sendable {
  /// Neither over nor paused.
  private(set) var active = 0
  private(set) var paused = 0
  private(set) var running = 0
  private(set) var queued = 0
  private(set) var done = 0
  private(set) var failed = 0
  private(set) var cancelled = 0
  /// Done, failed or cancelled.
  private(set) var over = 0
  /// The transfer in the bar: the first running one, or else the one closest to running.
  private(set) var shown: Int?
  /// Time alone changes a text.
  private(set) var ticks = false
  /// The shown transfer's text does.
  private(set) var shownTicks = false
  /// Of the active transfers, in bytes as far as known.
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
      case .queued:
        active += 1
        queued += 1
      case .waiting, .cancelling: active += 1
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

/// The running transfer and the number of others, under every tab.
enum TransferBar {
  /// nil if there is nothing to show.
  static func bar(_ state: TransfersState, _ frame: Frame) -> ProgressBar? {
    guard !state.isOpen, let line = state.shown else { return nil }
    let transfer = line.transfer
    let isRunning = transfer.state == .running && line.quiet(now: frame.now) == nil
    let more = state.summary.unfinished - 1
    // A narrow screen cuts off the text after the name.
    let others = more > 0 ? " (+\(more) more)" : ""
    let key = frame.keys.keys(for: .transferCancel).first?.name
    let verb = TransferWords.verb(line, now: frame.now)
    return ProgressBar(
      label: Array("\(verb)\(others) \(transfer.name)".utf8), done: Int(clamping: transfer.sent),
      total: transfer.total.map { Int(clamping: $0) },
      rate: isRunning ? transfer.rate.flatMap { $0.isFinite && $0 >= 0 ? Int(min($0, 1e18)) : nil } : nil,
      secondsLeft: isRunning ? transfer.secondsLeft : nil, hint: key.map { "\($0) cancel" } ?? "")
  }
}
