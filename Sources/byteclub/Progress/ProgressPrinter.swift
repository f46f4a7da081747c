import FileStores
import Synchronization
import TextUI
import Transfers

/// Tells of transfers on standard error, as their delegate.
final class ProgressPrinter: OldTransferDelegate {
  /// How.
  enum Style: Sendable {
    case bar, lines, json, none
  }

  private struct Item {
    var isUpload: Bool?
    var sent: UInt64 = 0
    var total: UInt64?
    var state = TransferState.queued
    var rate: TransferRate
    var lastLine: Duration
    var mean: Double?
  }

  private struct State {
    var items: [Transfer.ID: Item] = [:]
    var order: [Transfer.ID] = []
    var names: [Transfer.ID: String] = [:]
    var painted = 0
  }

  /// Between two lines of one transfer.
  private static let lineInterval = Duration.seconds(3)

  private let state = Mutex(State())
  private let style: Style
  private let output: Output
  private let elapsed: @Sendable () -> Duration

  /// Tells to `output`; times come from a clock.
  init(_ style: Style, _ output: Output, clock: some Clock<Duration> = ContinuousClock()) {
    self.style = style
    self.output = output
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// What a transfer is called; told when it has been started.
  func name(_ id: Transfer.ID, _ name: String) {
    state.withLock { $0.names[id] = name }
  }

  /// Bytes a second, on average; nil while nothing is known.
  func rate(of id: Transfer.ID) -> Double? { state.withLock { $0.items[id]?.mean } }

  /// A sentence between the bars.
  func say(_ sentence: String) {
    state.withLock { state in
      wipe(&state)
      if style != .json, style != .none { output.notice(sentence) }
    }
  }

  /// Takes the bar away.
  func finish() { state.withLock { wipe(&$0) } }

  func transfer(_ id: Transfer.ID, didSend bytes: UInt64, of total: UInt64?) {
    change(id) { item, now in
      (item.isUpload, item.sent, item.total) = (true, bytes, total ?? item.total)
      item.rate.record(bytes, at: now)
    }
  }

  func transfer(_ id: Transfer.ID, didReceive bytes: UInt64, of total: UInt64?) {
    change(id) { item, now in
      (item.isUpload, item.sent, item.total) = (false, bytes, total ?? item.total)
      item.rate.record(bytes, at: now)
    }
  }

  func transfer(_ id: Transfer.ID, didResumeAt offset: UInt64, of total: UInt64?) {
    change(id) { item, now in
      (item.sent, item.total) = (offset, total ?? item.total)
      item.rate = TransferRate(at: now, bytes: offset)
    }
  }

  func transfer(_ id: Transfer.ID, didEnter newState: TransferState) {
    change(id) { item, now in
      if newState == .running, item.state == .queued { item.rate = TransferRate(at: now) }
      item.state = newState
      if newState.isOver { item.mean = item.rate.meanBytesPerSecond(at: now) }
    }
  }

  func transferDidFinish(_ id: Transfer.ID, _ result: Result<FileEntry, StoreError>) {
    state.withLock { state in
      wipe(&state)
      if case .success = result, style == .lines { output.notice(line(id, state)) }
      if style == .bar, state.items.values.contains(where: { !$0.state.isOver }) { paint(&state) }
    }
  }

  private func change(_ id: Transfer.ID, _ body: (inout Item, Duration) -> Void) {
    let now = elapsed()
    state.withLock { state in
      if state.items[id] == nil {
        state.order.append(id)
        state.items[id] = Item(rate: TransferRate(at: now), lastLine: now)
      }
      guard var item = state.items[id] else { return }
      body(&item, now)
      let isDue = now - item.lastLine >= Self.lineInterval && !item.state.isOver
      if isDue { item.lastLine = now }
      state.items[id] = item
      switch style {
      case .bar: paint(&state)
      case .lines: if isDue { output.notice(line(id, state)) }
      case .json: output.raw(json(id, item, now).encoded + "\n")
      case .none: break
      }
    }
  }

  private func paint(_ state: inout State) {
    guard let id = state.order.first(where: { state.items[$0]?.state.isOver == false }) else { return wipe(&state) }
    let columns = TerminalSize.columns(of: 2) ?? 80
    var text = line(id, state)
    let others = state.items.values.filter { !$0.state.isOver }.count - 1
    if others > 0 { text += "  (and \(others) more)" }
    let (shown, width) = TerminalText.cut(text, columns: max(1, columns - 1))
    // Blanks instead of an erasing sequence: they work on every terminal.
    output.raw("\r" + shown + String(repeating: " ", count: max(0, state.painted - width)))
    state.painted = width
  }

  private func wipe(_ state: inout State) {
    guard state.painted > 0 else { return }
    output.raw("\r" + String(repeating: " ", count: state.painted) + "\r")
    state.painted = 0
  }

  private func line(_ id: Transfer.ID, _ state: State) -> String {
    guard let item = state.items[id] else { return "" }
    let now = elapsed()
    let verb = ProgressLine.verb(item.isUpload ?? true, item.state)
    return ProgressLine.text(
      state.names[id].map { "\(verb) \($0)" } ?? verb, isDone: item.state == .done, sent: item.sent,
      total: item.total, rate: item.mean ?? item.rate.bytesPerSecond(at: now),
      secondsLeft: item.state.isOver ? nil : item.rate.secondsLeft(of: item.total, at: now), hasBar: style == .bar)
  }

  private func json(_ id: Transfer.ID, _ item: Item, _ now: Duration) -> JSONValue {
    .members([
      "id": .string(id),
      "state": .string(item.state.word),
      "sent": .number(item.sent),
      "total": item.total.map { .number($0) },
      "rate": item.rate.bytesPerSecond(at: now).map { .number(UInt64($0)) },
    ])
  }
}
