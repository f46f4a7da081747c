internal import FileStores
internal import TextUI
internal import Transfers

enum TransferFacts {
  /// Replaces line ends in names, so a name cannot fake a line.
  static func reader(_ line: TransferLine, _ details: TransferDetails, _ frame: Frame, limit: UInt64?) -> TextReader {
    let lines = lines(line, now: frame.now, limit: limit).map { $0.utf8.map { $0 == 0x0A ? UInt8(ascii: "?") : $0 } }
    var reader = TextReader(Array(lines.joined(separator: [0x0A])))
    reader.resize(size(frame))
    reader.scroll(to: details.top)
    return reader
  }

  /// All but the borders.
  static func size(_ frame: Frame) -> Size { Size(max(1, frame.size.width - 2), max(1, frame.bodyHeight - 1)) }

  private static func lines(_ line: TransferLine, now: Int64, limit: UInt64?) -> [String] {
    let transfer = line.transfer
    let isUpload = transfer.direction == .upload
    var lines = [
      "Name        \(transfer.name)",
      "State       \(TransferWords.state(line, now: now))",
      "Done        \(amount(line))",
    ]
    if let old = transfer.renamedFrom { lines.insert("Old name    \(old)", at: 1) }
    if let rate = transfer.rate.flatMap(TransferWords.rate) {
      lines.append("Rate        \(rate)" + (transfer.state.isOver ? " on average" : ""))
    }
    if let limit { lines.append("Limit       \(ByteCount.rate(Int(clamping: limit))) for all together") }
    if transfer.state == .running, let left = transfer.secondsLeft {
      lines.append("Time left   \(TimeSpan.text(seconds: left))")
    }
    lines.append("Attempts    \(transfer.attempts)")
    lines.append(
      "Restarts    \(transfer.restarts)" + (transfer.restarts > 0 ? " from the start" : ""))
    if let at = transfer.resumesAt, transfer.state == .waiting {
      lines.append("Next try    \(at.seconds > now ? "in " + TimeSpan.text(seconds: Int(at.seconds - now)) : "now")")
    }
    if let until = transfer.keptUntil {
      let left = until.seconds > now ? "for \(TimeSpan.text(seconds: Int(until.seconds - now)))" : "no longer"
      lines.append("Session     the store keeps the sent part \(left), until \(Age.date(of: Int(until.seconds)))")
    }
    if let error = transfer.error {
      lines.append("Last error  \(error.message)")
      if !error.remedy.isEmpty { lines.append("Remedy      \(error.remedy)") }
    }
    lines.append("Club        \(transfer.club)")
    lines.append("\(isUpload ? "From file " : "To folder ")  \(transfer.local)")
    lines.append("In the club \(transfer.path)")
    if let place = transfer.place { lines.append("Saved as    \(place)") }
    if let revision = transfer.entry?.revision { lines.append("Revision    \(revision)") }
    if let hash = transfer.entry?.contentHash { lines.append("Hash        \(hash)") }
    lines.append("ID          \(transfer.id)")
    return lines
  }

  /// The rounded amount and the exact offset, where the transfer continues.
  private static func amount(_ line: TransferLine) -> String {
    let transfer = line.transfer
    let percent = transfer.percent.map { ", \($0) %" } ?? ""
    let all = transfer.total.map { " of \($0)" } ?? ""
    return "\(TransferWords.amount(transfer))\(percent) (offset \(line.offset)\(all))"
  }
}
