import FileStores
import Transfers

/// Transfers as a command tells them.
enum TransferLines {
  /// All of them, a line each.
  static func answer(_ transfers: [Transfer]) -> Answer {
    let short = TransferName.short(transfers.map(\.id))
    let rows = transfers.map { ($0, short[$0.id] ?? $0.id, TransferWord.state($0)) }
    let ids = rows.map { $0.1.count }.max() ?? 0
    let words = rows.map { $0.2.count }.max() ?? 0
    return Answer(
      rows.map { transfer, id, word in
        let columns = [padded(id, ids), padded(word, words), progress(transfer), what(transfer)]
        return Record(.transfer(transfer), line: columns.joined(separator: "  "))
      })
  }

  private static func what(_ transfer: Transfer) -> String {
    let name = transfer.direction == .upload ? "up    \(transfer.name)" : "down  \(transfer.name)"
    guard transfer.state == .failed || transfer.state == .waiting, let error = transfer.error else { return name }
    return "\(name): \(error.message)"
  }

  private static func progress(_ transfer: Transfer) -> String {
    guard let total = transfer.total else { return "     " }
    let share = total == 0 ? 1 : min(1, Double(transfer.sent) / Double(total))
    // 100 % is for what is done, and done is what the store says.
    let percent = transfer.state == .done ? 100 : min(99, Int(share * 100))
    return String(repeating: " ", count: 3 - "\(percent)".count) + "\(percent) %"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// What a transfer is doing, in words.
enum TransferWord {
  /// `waiting 23 s (rate limited)`, `paused`, …
  static func state(_ transfer: Transfer, now: Timestamp = TransferBase.now) -> String {
    guard transfer.state == .waiting else { return transfer.state.word }
    let why =
      switch transfer.error?.kind {
      case .offline: " for the network"
      case .rateLimited: " (rate limited)"
      case nil: ""
      default: " (\(transfer.error?.kind.rawValue ?? ""))"
      }
    guard let time = transfer.resumesAt, time > now else { return "waiting\(why)" }
    return "waiting \(time.seconds - now.seconds) s\(why)"
  }
}
