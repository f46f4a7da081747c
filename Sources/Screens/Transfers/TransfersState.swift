internal import TextUI
internal import Transfers

/// All transfers of the member, whichever process carries them out: those of other clubs, too.
public struct TransfersState: Sendable {
  /// The name of the club that is open.
  let club: String
  /// What took at least so many seconds and ends while nobody looks is told by the terminal.
  let notifyAfter: Int64

  /// In the order of the queue; behind them those that are over, the newest first.
  private(set) var lines: [TransferLine] = []
  /// What is known of all of them together.
  private(set) var summary = TransferSummary()
  /// Bytes a second for all together, when there is a limit.
  var limit: UInt64?
  /// Whether the transfers are told at all yet.
  var isAttached = false

  /// Those of this club that ended while nobody looked; nil once they are told.
  var missed: [Transfer]? = []

  /// Whether their view is open.
  var isOpen = false
  var rows = ListState()
  var marks: Set<Transfer.ID> = []
  /// The transfer whose details are shown.
  var details: TransferDetails?
  var question: Question<TransfersAction>?

  /// What the window around the terminal was told last.
  var window = TransferWindow()
  /// Since when there was always something to do; nil while there is nothing.
  var busySince: Int64?

  init(club: String, notifyAfter: Int64) {
    self.club = club
    self.notifyAfter = notifyAfter
  }

  /// Transfers that were ordered and have not appeared yet.
  private var expected: Set<Transfer.ID> = []

  /// Transfers that are neither over nor paused.
  public var underway: Int { summary.active + expected.count }

  /// Their IDs.
  var underwayIDs: [Transfer.ID] {
    lines.map(\.transfer).filter { !$0.state.isOver && $0.state != .paused }.map(\.id) + expected.sorted()
  }

  /// A transfer was ordered: it may have appeared already.
  mutating func expect(_ id: Transfer.ID) { if index(of: id) == nil { expected.insert(id) } }

  /// The transfer that the bar shows.
  var shown: TransferLine? { summary.shown.map { lines[$0] } }

  /// The chosen transfer.
  var selected: TransferLine? {
    guard let row = rows.selected, row < lines.count else { return nil }
    return lines[row]
  }

  /// What a key is for: the one whose details are shown, else the marked ones, else the chosen one.
  var targets: [TransferLine] {
    if let details { return line(details.id).map { [$0] } ?? [] }
    return marks.isEmpty ? selected.map { [$0] } ?? [] : lines.filter { marks.contains($0.id) }
  }

  func index(of id: Transfer.ID) -> Int? { lines.firstIndex { $0.id == id } }

  /// The transfer that is called so: by its ID.
  func line(_ id: Transfer.ID) -> TransferLine? { index(of: id).map { lines[$0] } }

  /// The transfer that a typed word means: by its ID, or by what only its ID begins with.
  func line(typed word: String) -> TransferLine? {
    if let line = line(word) { return line }
    let found = word.isEmpty ? [] : lines.filter { $0.id.hasPrefix(word) }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether something on the screen changes by time alone.
  var ticks: Bool { isOpen ? summary.ticks : summary.shownTicks }

  // MARK: Changes, each of which leaves the order, the choice and the summary right

  /// Puts a transfer in, or takes what is told of one that is there.
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
      // What was over when it appeared comes in the order in which it is told.
      lines.insert(line, at: transfer.state.isOver ? lines.count : unfinished)
    }
    settle(chosen)
  }

  /// Takes what is told of a transfer; one that is not there is passed over.
  mutating func take(_ transfer: Transfer, now: Int64) {
    guard let index = index(of: transfer.id) else { return }
    if lines[index].transfer.state.isOver != transfer.state.isOver { return put(transfer, now: now) }
    lines[index].take(transfer, now: now)
    summary = TransferSummary(lines)
  }

  /// The member has been told of its end. False when that was so before.
  mutating func tellEnd(of id: Transfer.ID) -> Bool {
    guard let index = index(of: id), !lines[index].isEndTold else { return false }
    lines[index].isEndTold = true
    return true
  }

  /// Takes a transfer out.
  mutating func remove(_ id: Transfer.ID) {
    expected.remove(id)
    guard let index = index(of: id) else { return }
    let chosen = selected?.id
    marks.remove(id)
    if details?.id == id { details = nil }
    lines.remove(at: index)
    settle(chosen)
  }

  /// Puts them into another order. Those that are not named stay behind those that are.
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

/// A transfer whose details are shown.
struct TransferDetails: Sendable {
  let id: Transfer.ID
  /// Where in the text the view begins.
  var top = 0
}

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
