internal import TextUI
internal import Transfers

/// The line under every tab that shows the transfer which runs, and how many others there are.
enum TransferBar {
  /// The line; nil when there is nothing to show.
  static func bar(_ state: TransfersState, _ frame: Frame) -> ProgressBar? {
    guard !state.isOpen, let line = state.shown else { return nil }
    let transfer = line.transfer
    let isRunning = transfer.state == .running && line.quiet(now: frame.now) == nil
    let more = state.summary.unfinished - 1
    // Before the name: on a narrow screen what stands behind it is cut off.
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
