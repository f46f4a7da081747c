import FileStores
import Screens
import Transfers

/// Transfers as a command tells them.
enum TransferLines {
  /// All of them, a line each.
  ///
  /// Where they belong to several clubs, or to another than `club`, each line names its club.
  static func answer(_ transfers: [Transfer], club: String? = nil) -> Answer {
    let clubs = Set(transfers.map(\.club)).union(club.map { [$0] } ?? [])
    let short = TransferName.short(transfers.map(\.id))
    let rows = transfers.map { ($0, short[$0.id] ?? $0.id, state($0)) }
    let ids = rows.map { $0.1.count }.max() ?? 0
    let words = rows.map { $0.2.count }.max() ?? 0
    return Answer(
      rows.map { transfer, id, word in
        let columns = [padded(id, ids), padded(word, words), progress(transfer), what(transfer, clubs.count > 1)]
        return Record(.transfer(transfer), line: columns.joined(separator: "  "))
      })
  }

  /// `paused`, `waiting 23 s (rate limited)`, …
  static func state(_ transfer: Transfer) -> String {
    guard transfer.state == .waiting else { return transfer.state.word }
    return WaitingWords.text(transfer, now: TransferBase.now.seconds)
  }

  private static func what(_ transfer: Transfer, _ namesClub: Bool) -> String {
    let club = namesClub && !transfer.club.isEmpty ? "\(transfer.club): " : ""
    let name = (transfer.direction == .upload ? "up    " : "down  ") + club + transfer.name
    guard transfer.state == .failed || transfer.state == .waiting, let error = transfer.error else { return name }
    return "\(name): \(error.message)"
  }

  private static func progress(_ transfer: Transfer) -> String {
    guard let percent = transfer.percent else { return "     " }
    return String(repeating: " ", count: 3 - "\(percent)".count) + "\(percent) %"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
