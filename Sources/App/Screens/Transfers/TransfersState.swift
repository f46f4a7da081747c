internal import TextUI
internal import Transfers

/// Includes those of other clubs and of other processes.
public struct TransfersState: Sendable {
  let club: String
  /// Seconds; longer transfers cause a terminal notification if they end while nobody watches.
  let notifyAfter: Int64

  /// In queue order; then finished ones, newest first.
  private(set) var lines: [TransferLine] = []
  private(set) var summary = TransferSummary()
  /// Bytes a second for all transfers together; nil for no limit.
  var limit: UInt64?
  var isAttached = false
  /// The number of transfers of other accounts that wait here.
  var others = 0

  /// Of this club, ended unseen; nil once reported.
  var missed: [Transfer]? = []

  var isOpen = false
  var rows = ListState()
  var marks: Set<Transfer.ID> = []
  var details: TransferDetails?
  var question: Question<TransfersAction>?

  var window = TransferWindow()
  /// The time since which transfers have been active without a break.
  var busySince: Int64?
  /// The transfers that were done in that time.
  var done: [Transfer] = []

  init(club: String, notifyAfter: Int64) {
    self.club = club
    self.notifyAfter = notifyAfter
  }

  /// Ordered transfers that have not appeared yet.
  private var expected: Set<Transfer.ID> = []

  /// Neither over nor paused.
  public var underway: Int { summary.active + expected.count }

  var underwayIDs: [Transfer.ID] {
    lines.map(\.transfer).filter { !$0.state.isOver && $0.state != .paused }.map(\.id) + expected.sorted()
  }

  /// Ignored if the transfer has appeared already.
  mutating func expect(_ id: Transfer.ID) { if index(of: id) == nil { expected.insert(id) } }

  var shown: TransferLine? { summary.shown.map { lines[$0] } }

  var selected: TransferLine? {
    guard let row = rows.selected, row < lines.count else { return nil }
    return lines[row]
  }

  /// The transfer with open details, else the marked ones, else the selected one.
  var targets: [TransferLine] {
    if let details { return line(details.id).map { [$0] } ?? [] }
    return marks.isEmpty ? selected.map { [$0] } ?? [] : lines.filter { marks.contains($0.id) }
  }

  func index(of id: Transfer.ID) -> Int? { lines.firstIndex { $0.id == id } }

  func line(_ id: Transfer.ID) -> TransferLine? { index(of: id).map { lines[$0] } }

  /// Also the only transfer whose id begins so.
  func line(typed word: String) -> TransferLine? {
    if let line = line(word) { return line }
    let found = word.isEmpty ? [] : lines.filter { $0.id.hasPrefix(word) }
    return found.count == 1 ? found[0] : nil
  }

  /// Time alone changes something on the screen.
  var ticks: Bool { isOpen ? summary.ticks : summary.shownTicks }

  // MARK: Changes, each of which leaves the order, the choice and the summary right

  mutating func put(_ transfer: Transfer, now: Int64) {
    let chosen = selected?.id
    expected.remove(transfer.id)
    if let index = index(of: transfer.id) {
      let wasOver = lines[index].transfer.state.isOver
      lines[index].take(transfer, now: now)
      let isOver = transfer.state.isOver
      guard wasOver != isOver else { return settle(chosen) }
      let line = lines.remove(at: index)
      lines.insert(line, at: unfinished)
    } else {
      let line = TransferLine(transfer, now: now)
      // Transfers that appear finished keep the order in which they are reported.
      lines.insert(line, at: transfer.state.isOver ? lines.count : unfinished)
    }
    settle(chosen)
  }

  /// Ignores an unknown transfer.
  mutating func take(_ transfer: Transfer, now: Int64) {
    guard let index = index(of: transfer.id) else { return }
    if lines[index].transfer.state.isOver != transfer.state.isOver { return put(transfer, now: now) }
    lines[index].take(transfer, now: now)
    summary = TransferSummary(lines)
  }

  /// False if the end was reported before.
  mutating func tellEnd(of id: Transfer.ID) -> Bool {
    guard let index = index(of: id), !lines[index].isEndReported else { return false }
    lines[index].isEndReported = true
    return true
  }

  mutating func remove(_ id: Transfer.ID) {
    expected.remove(id)
    guard let index = index(of: id) else { return }
    let chosen = selected?.id
    marks.remove(id)
    if details?.id == id { details = nil }
    lines.remove(at: index)
    settle(chosen)
  }

  /// Transfers that are not named follow the others.
  mutating func reorder(_ ids: [Transfer.ID]) {
    let chosen = selected?.id
    let places = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let sorted = lines.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.transfer.state.isOver != other.transfer.state.isOver { return other.transfer.state.isOver }
      let (first, second) = (places[one.id] ?? .max, places[other.id] ?? .max)
      return first == second ? left.offset < right.offset : first < second
    }
    lines = sorted.map(\.element)
    settle(chosen)
  }

  private var unfinished: Int { lines.firstIndex { $0.transfer.state.isOver } ?? lines.count }

  private mutating func settle(_ chosen: Transfer.ID?) {
    summary = TransferSummary(lines)
    rows.setCount(lines.count)
    if let chosen, let row = index(of: chosen) { rows.select(row) }
  }
}

struct TransferDetails: Sendable {
  let id: Transfer.ID
  var top = 0
}

/// Lasts from the first active transfer until the end of the last.
struct TransferWindow: Sendable {
  private var title: String?
  private var progress: TerminalProgress?

  mutating func follow(_ summary: TransferSummary) -> [TerminalMessage] {
    var messages: [TerminalMessage] = []
    let percent = summary.total > 0 ? Int(min(99, summary.sent / summary.total * 100)) : 0
    let new = summary.active == 0 ? nil : TerminalProgress(percent: percent, isPaused: summary.running == 0)
    // No file names: others in the room can see a window's title.
    let words = new.map { "byteclub: \($0.percent) % of \(Self.count(summary.active))" }
    if words != title { messages.append(.title(words)) }
    if new != progress { messages.append(.progress(new)) }
    (title, progress) = (words, new)
    return messages
  }

  private static func count(_ number: Int) -> String { number == 1 ? "a transfer" : "\(number) transfers" }
}
