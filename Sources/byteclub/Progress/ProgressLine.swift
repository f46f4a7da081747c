import Transfers

/// The line that tells of one transfer.
enum ProgressLine {
  private static let cells = 20

  /// `Uploading garage.jpg  [#########-----------]  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s`; what is not known is left
  /// out. `what` is verb and name; the name is not filtered.
  static func text(
    _ what: String, isDone: Bool, sent: UInt64, total: UInt64?, rate: Double?, secondsLeft: Int?, hasBar: Bool
  ) -> String {
    var parts = [what]
    if let total {
      // 100 % is for what is done, and done is what the store says.
      let share = total == 0 ? 1 : min(1, Double(sent) / Double(total))
      let percent = isDone ? 100 : min(99, Int(share * 100))
      if hasBar {
        let filled = Int(share * Double(cells))
        parts.append(
          "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "]")
      }
      parts.append("\(percent) %")
      let (had, all) = (ByteCount.text(sent).split(separator: " "), ByteCount.text(total).split(separator: " "))
      // One unit is enough when both have it.
      let first = had.last == all.last ? had.dropLast() : had
      parts.append((first + ["of"] + all).joined(separator: " "))
    } else if sent > 0 {
      parts.append(ByteCount.text(sent))
    }
    if let rate, rate >= 1 { parts.append(ByteCount.text(UInt64(rate)) + "/s") }
    if let secondsLeft { parts.append(duration(secondsLeft)) }
    return parts.joined(separator: "  ")
  }

  /// What a transfer is doing, in a word.
  static func verb(_ isUpload: Bool, _ state: TransferState) -> String {
    switch state {
    case .queued, .waiting: "Waiting:"
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

  private static func duration(_ seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}
