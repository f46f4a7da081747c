import Basics
import FileStores
import JSON
import Screens
import Synchronization
import Transfers

final class ProgressPrinter: TransferDelegate {
  enum Style: Sendable {
    case bar, lines, json, none
  }

  private struct State {
    var items: [Transfer.ID: Transfer] = [:]
    var order: [Transfer.ID] = []
    var lastLines: [Transfer.ID: Duration] = [:]
    /// nil for all.
    var watched: Set<Transfer.ID>?
    var painted = 0

    func isReported(_ id: Transfer.ID) -> Bool { watched?.contains(id) ?? true }
  }

  private static let lineInterval = Duration.seconds(3)

  private let state: Mutex<State>
  private let style: Style
  private let output: Output
  private let isASCII: Bool
  private let elapsed: @Sendable () -> Duration

  /// With `watchesAll`, reports all transfers until `watch` names some.
  init(
    _ style: Style, _ output: Output, isASCII: Bool, watchesAll: Bool = true,
    clock: some Clock<Duration> = TimerClock()
  ) {
    self.style = style
    self.isASCII = isASCII
    self.output = output
    state = Mutex(State(watched: watchesAll ? nil : []))
    elapsed = clock.stopwatch()
  }

  /// Adds these; transfers that were never added are no longer reported.
  func watch(_ ids: [Transfer.ID]) {
    let now = elapsed()
    state.withLock { state in
      state.watched = (state.watched ?? []).union(ids)
      // Reports the events that came before the id was known.
      for id in ids {
        guard let transfer = state.items[id] else { continue }
        changed(transfer, &state, now)
        if transfer.state.isOver { finished(transfer, &state) }
      }
    }
  }

  func say(_ sentence: String) {
    state.withLock { state in
      wipe(&state)
      if style != .json, style != .none { output.notice(sentence) }
    }
  }

  func finish() { state.withLock { wipe(&$0) } }

  func report(_ event: TransferEvent) {
    let now = elapsed()
    switch event {
    case .appeared(let transfer):
      state.withLock { state in
        state.order.append(transfer.id)
        state.items[transfer.id] = transfer
        state.lastLines[transfer.id] = now
        if !transfer.state.isOver { changed(transfer, &state, now) }
      }
    case .resumed(let transfer):
      let isDamaged = state.withLock { $0.isReported(transfer.id) } && transfer.isDownloadedAnew
      if isDamaged, let error = transfer.error { say(error.message) }
      state.withLock { changed(transfer, &$0, now) }
    case .progressed(let transfer), .entered(let transfer): state.withLock { changed(transfer, &$0, now) }
    case .finished(let transfer):
      state.withLock { state in
        state.items[transfer.id] = transfer
        finished(transfer, &state)
      }
    case .disappeared(let id):
      state.withLock { state in
        state.items[id] = nil
        state.lastLines[id] = nil
        state.order.removeAll { $0 == id }
      }
    case .reordered(let ids): state.withLock { $0.order = ids }
    }
  }

  private func changed(_ transfer: Transfer, _ state: inout State, _ now: Duration) {
    state.items[transfer.id] = transfer
    guard state.isReported(transfer.id) else { return }
    switch style {
    case .bar: paint(&state)
    case .lines:
      guard !transfer.state.isOver, now - (state.lastLines[transfer.id] ?? now) >= Self.lineInterval else { return }
      state.lastLines[transfer.id] = now
      output.notice(line(transfer))
    case .json: output.notice(json(transfer).encoded, isNeeded: true)
    case .none: break
    }
  }

  private func finished(_ transfer: Transfer, _ state: inout State) {
    guard state.isReported(transfer.id) else { return }
    wipe(&state)
    if transfer.state == .done, style == .lines { output.notice(line(transfer)) }
    if style == .bar { paint(&state) }
  }

  private func paint(_ state: inout State) {
    let going = state.order.compactMap { state.items[$0] }.filter { state.isReported($0.id) && !$0.state.isOver }
    guard let shown = going.first(where: { $0.state != .queued && $0.state != .paused }) ?? going.first else {
      return wipe(&state)
    }
    var text = line(shown)
    if going.count > 1 { text += "  (and \(going.count - 1) more)" }
    state.painted = output.paint(text, over: state.painted)
  }

  private func wipe(_ state: inout State) {
    guard state.painted > 0 else { return }
    state.painted = output.paint("", over: state.painted)
  }

  private func line(_ transfer: Transfer) -> String {
    // A queued transfer with an error is due again, but other transfers of its store come first.
    let isWaiting = transfer.state == .waiting || (transfer.state == .queued && transfer.error != nil)
    let verb =
      isWaiting
      ? WaitingWords.text(transfer, now: Timestamp.now().seconds).capitalizedFirst + ":"
      : ProgressLine.verb(transfer.direction == .upload, transfer.state)
    return ProgressLine.text(
      "\(verb) \(transfer.name)", transfer, hasBar: style == .bar, isASCII: isASCII)
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
  /// The received bytes were damaged.
  fileprivate var isDownloadedAnew: Bool {
    sent == 0 && direction == .download && error?.kind == .corrupt && restarts > 0
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
