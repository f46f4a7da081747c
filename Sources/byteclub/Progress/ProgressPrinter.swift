import FileStores
import JSON
import Screens
import Synchronization
import TextUI
import Transfers

/// Tells of transfers on standard error, as their delegate.
final class ProgressPrinter: TransferDelegate {
  /// How.
  enum Style: Sendable {
    case bar, lines, json, none
  }

  private struct State {
    var items: [Transfer.ID: Transfer] = [:]
    var order: [Transfer.ID] = []
    var lastLines: [Transfer.ID: Duration] = [:]
    /// Those that are told; nil for all.
    var watched: Set<Transfer.ID>?
    var painted = 0

    func isTold(_ id: Transfer.ID) -> Bool { watched?.contains(id) ?? true }
  }

  /// Between two lines of one transfer.
  private static let lineInterval = Duration.seconds(3)

  private let state: Mutex<State>
  private let style: Style
  private let output: Output
  private let elapsed: @Sendable () -> Duration

  /// Tells to `output`; times come from a clock. With `watchesAll`, of all transfers until others are named.
  init(
    _ style: Style, _ output: Output, watchesAll: Bool = true, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.style = style
    self.output = output
    state = Mutex(State(watched: watchesAll ? nil : []))
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// Tells of these, too, and of no others but those that were named so.
  func watch(_ ids: [Transfer.ID]) {
    let now = elapsed()
    state.withLock { state in
      state.watched = (state.watched ?? []).union(ids)
      // What happened before the word was known is told now.
      for id in ids {
        guard let transfer = state.items[id] else { continue }
        changed(transfer, &state, now)
        if transfer.state.isOver { finished(transfer, &state) }
      }
    }
  }

  /// A sentence between the bars.
  func say(_ sentence: String) {
    state.withLock { state in
      wipe(&state)
      if style != .json, style != .none { output.notice(sentence) }
    }
  }

  /// Takes the bar away.
  func finish() { state.withLock { wipe(&$0) } }

  func transferDidAppear(_ transfer: Transfer) {
    let now = elapsed()
    state.withLock { state in
      state.order.append(transfer.id)
      state.items[transfer.id] = transfer
      state.lastLines[transfer.id] = now
      if !transfer.state.isOver { changed(transfer, &state, now) }
    }
  }

  func transfer(_ transfer: Transfer, didSend bytes: UInt64, of total: UInt64?) { change(transfer) }
  func transfer(_ transfer: Transfer, didReceive bytes: UInt64, of total: UInt64?) { change(transfer) }
  func transfer(_ transfer: Transfer, didResumeAt offset: UInt64, of total: UInt64?) {
    let isDamaged = state.withLock { $0.isTold(transfer.id) } && transfer.isDownloadedAnew(at: offset)
    if isDamaged, let error = transfer.error { say(error.message) }
    change(transfer)
  }
  func transfer(_ transfer: Transfer, didEnter state: TransferState) { change(transfer) }

  func transferDidFinish(_ transfer: Transfer) {
    state.withLock { state in
      state.items[transfer.id] = transfer
      finished(transfer, &state)
    }
  }

  func transferDidDisappear(_ id: Transfer.ID) {
    state.withLock { state in
      state.items[id] = nil
      state.lastLines[id] = nil
      state.order.removeAll { $0 == id }
    }
  }

  func transfersDidReorder(_ ids: [Transfer.ID]) { state.withLock { $0.order = ids } }

  private func change(_ transfer: Transfer) {
    let now = elapsed()
    state.withLock { changed(transfer, &$0, now) }
  }

  private func changed(_ transfer: Transfer, _ state: inout State, _ now: Duration) {
    state.items[transfer.id] = transfer
    guard state.isTold(transfer.id) else { return }
    switch style {
    case .bar: paint(&state)
    case .lines:
      guard !transfer.state.isOver, now - (state.lastLines[transfer.id] ?? now) >= Self.lineInterval else { return }
      state.lastLines[transfer.id] = now
      output.notice(line(transfer))
    case .json: output.raw(json(transfer).encoded + "\n")
    case .none: break
    }
  }

  private func finished(_ transfer: Transfer, _ state: inout State) {
    guard state.isTold(transfer.id) else { return }
    wipe(&state)
    if transfer.state == .done, style == .lines { output.notice(line(transfer)) }
    if style == .bar { paint(&state) }
  }

  private func paint(_ state: inout State) {
    let going = state.order.compactMap { state.items[$0] }.filter { state.isTold($0.id) && !$0.state.isOver }
    // What moves is told before what waits.
    guard let shown = going.first(where: { $0.state != .queued && $0.state != .paused }) ?? going.first else {
      return wipe(&state)
    }
    let columns = TerminalSize.columns(of: 2) ?? 80
    var text = line(shown)
    if going.count > 1 { text += "  (and \(going.count - 1) more)" }
    let (cut, width) = TerminalText.cut(text, columns: max(1, columns - 1))
    // Blanks instead of an erasing sequence: they work on every terminal.
    output.raw("\r" + cut + String(repeating: " ", count: max(0, state.painted - width)))
    state.painted = width
  }

  private func wipe(_ state: inout State) {
    guard state.painted > 0 else { return }
    output.raw("\r" + String(repeating: " ", count: state.painted) + "\r")
    state.painted = 0
  }

  private func line(_ transfer: Transfer) -> String {
    // One whose time has come waits for others of its store, and for the same reason as before.
    let isWaiting = transfer.state == .waiting || (transfer.state == .queued && transfer.error != nil)
    let verb =
      isWaiting
      ? WaitingWords.text(transfer, now: TransferBase.now.seconds).capitalizedFirst + ":"
      : ProgressLine.verb(transfer.direction == .upload, transfer.state)
    return ProgressLine.text(
      "\(verb) \(transfer.name)", transfer, hasBar: style == .bar)
  }

  private func json(_ transfer: Transfer) -> JSONValue {
    .members([
      "id": .string(transfer.id),
      "state": .string(transfer.state.word),
      "sent": .number(transfer.sent),
      "total": transfer.total.map { .number($0) },
      "rate": transfer.rate.map { .number(UInt64(max(0, $0))) },
    ])
  }
}

extension Transfer {
  /// Whether the bytes that had come were found to be damaged.
  fileprivate func isDownloadedAnew(at offset: UInt64) -> Bool {
    offset == 0 && direction == .download && error?.kind == .corrupt && restarts > 0
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
