import TextUI
import Transfers

/// The line that tells of one transfer.
enum ProgressLine {
  private static let cells = 20

  /// `Uploading garage.jpg  [#########-----------]  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s`; what is not known is left
  /// out. `what` is verb and name; the name is not filtered.
  static func text(_ what: String, _ transfer: Transfer, hasBar: Bool) -> String {
    var parts = [what]
    let sent = Int(clamping: transfer.sent)
    if let total = transfer.total, let percent = transfer.percent {
      if hasBar {
        let filled = percent * cells / 100
        parts.append(
          "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "]")
      }
      parts += ["\(percent) %", ByteCount.text(sent, of: Int(clamping: total))]
    } else if sent > 0 {
      parts.append(ByteCount.text(sent))
    }
    if let rate = transfer.rate, rate >= 1 { parts.append(ByteCount.rate(Int(min(rate, 1e18)))) }
    if !transfer.state.isOver, let left = transfer.secondsLeft { parts.append(TimeSpan.text(seconds: left)) }
    return parts.joined(separator: "  ")
  }

  /// What a transfer is doing, in a word.
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
