import ArgumentParser
import TextUI
import Transfers

enum ProgressLine {
  private static let cells = 20

  /// `Uploading garage.jpg  ━━━━━━━━━───────────  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s`, without unknown parts.
  /// `what` is verb and name; the name is not filtered.
  static func text(_ what: String, _ transfer: Transfer, hasBar: Bool, isASCII: Bool) -> String {
    var parts = [what]
    let sent = Int(clamping: transfer.sent)
    if let total = transfer.total, let percent = transfer.percent {
      if hasBar { parts.append(ProgressBar.text(cells, percent: percent, isASCII: isASCII)) }
      parts += ["\(percent) %", ByteCount.text(sent, of: Int(clamping: total))]
    } else if sent > 0 {
      parts.append(ByteCount.text(sent))
    }
    if let rate = transfer.rate, rate >= 1 { parts.append(ByteCount.rate(Int(min(rate, 1e18)))) }
    if !transfer.state.isOver, let left = transfer.secondsLeft { parts.append(TimeSpan.text(seconds: left)) }
    return parts.joined(separator: "  ")
  }

  static func verb(_ isUpload: Bool, _ state: TransferState) -> String {
    switch state {
    case .queued: "Queued:"
    case .waiting: "Waiting:"
    case .paused: "Paused:"
    case .running: isUpload ? "Uploading" : "Downloading"
    case .finishing: "Finishing"
    case .verifying: "Checking"
    case .cancelling: "Cancelling"
    case .done: isUpload ? "Uploaded" : "Downloaded"
    case .cancelled: "Cancelled"
    case .failed: "Failed:"
    }
  }
}

enum ProgressStyle: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// A bar on a terminal, otherwise as `plain`.
  case auto
  /// A line every few seconds.
  case plain
  /// A JSON object for each change, one a line.
  case json
  case none
}

struct ProgressOptions: ParsableArguments {
  @Option(name: .long, help: "How to show progress on standard error: auto, plain, json or none.")
  var progress: ProgressStyle = .auto

  func style(_ output: Output, isJSON: Bool) -> ProgressPrinter.Style {
    switch progress {
    case .auto where output.isQuiet: .none
    case .auto: output.noticesAreShown ? .bar : isJSON ? .none : .lines
    case .plain: .lines
    case .json: .json
    case .none: .none
    }
  }
}
