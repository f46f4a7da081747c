internal import TextUI
internal import Transfers

/// What the window around the terminal says of the transfers: its title and its progress, from the first transfer on
/// until the last is over.
struct TransferWindow: Sendable {
  private var title: String?
  private var progress: TerminalProgress?

  /// What has to be told, because it is another than before.
  mutating func follow(_ summary: TransferSummary) -> [TerminalMessage] {
    var messages: [TerminalMessage] = []
    let percent = summary.total > 0 ? Int(min(99, summary.sent / summary.total * 100)) : 0
    let new = summary.active == 0 ? nil : TerminalProgress(percent: percent, isPaused: summary.running == 0)
    // No names: a window's title is seen by others in a room.
    let words = new.map { "byteclub: \($0.percent) % of \(Self.count(summary.active))" }
    if words != title { messages.append(.title(words)) }
    if new != progress { messages.append(.progress(new)) }
    (title, progress) = (words, new)
    return messages
  }

  private static func count(_ number: Int) -> String { number == 1 ? "a transfer" : "\(number) transfers" }
}
