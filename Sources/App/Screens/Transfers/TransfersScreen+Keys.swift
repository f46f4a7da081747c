internal import TextUI
internal import Transfers

extension TransfersScreen {
  static func run(_ command: CommandID, _ state: inout TransfersState, _ frame: inout Frame) -> Commands {
    if state.details != nil, let commands = runInDetails(command, &state, frame) { return commands }
    if state.rows.move(command) { return [] }
    let targets = state.targets
    switch command {
    case .transfersPause: return pause(targets, &frame)
    case .transfersPauseAll: return pauseAll(state)
    case .transfersCancel: return cancel(targets, &state, &frame)
    case .transfersCancelAll: askToCancelAll(&state, &frame)
    case .transfersRetry: return retry(targets, &frame)
    case .transfersUp, .transfersDown: return move(command, state, &frame)
    case .transfersDetails, .listOpen: state.details = state.selected.map { TransferDetails(id: $0.id) }
    case .transfersMark:
      guard let line = state.selected else { return [] }
      if state.marks.remove(line.id) == nil { state.marks.insert(line.id) }
      state.rows.move(.down)
    case .transfersDismiss:
      let over = targets.filter { $0.transfer.state.isOver }
      if over.isEmpty {
        frame.say("Only finished transfers can be removed. \(frame.keys.name(of: .transfersCancel)) cancels.")
      }
      return say(over.map { .dismiss($0.id) })
    case .transfersDismissAll:
      let over = state.lines.filter { $0.transfer.state.isOver && $0.transfer.state != .failed }
      if over.isEmpty { frame.say("No transfer in the list has finished.") }
      return say(over.map { .dismiss($0.id) })
    case .listOpenOutside: return openOutside(state, &frame)
    case .listCopyName:
      guard let transfer = state.selected?.transfer else { return [] }
      let text = transfer.place ?? transfer.name
      frame.say("Copied \"\(text)\".")
      return [.copy(text)]
    case .listSort:
      let keys = "\(frame.keys.name(of: .transfersDown)) and \(frame.keys.name(of: .transfersUp))"
      frame.say("Transfers run in this order; \(keys) change it.")
    case .refresh: return [.run(.readLimit, key: "transfers.limit")]
    case .close, .quit:
      if command == .close, !state.marks.isEmpty { state.marks.removeAll() } else { close(&state) }
    default: break
    }
    return []
  }

  /// nil for commands with their usual meaning.
  private static func runInDetails(_ command: CommandID, _ state: inout TransfersState, _ frame: Frame) -> Commands? {
    switch command {
    case .close, .quit, .transfersDetails: state.details = nil
    case .transfersMark, .transfersUp, .transfersDown: break
    case .readerUp, .readerDown, .readerPageUp, .readerPageDown, .readerHalfUp, .readerHalfDown, .readerFirst,
      .readerLast:
      scroll(&state, frame) { $0.move(command) }
    default: return nil
    }
    return []
  }

  private static func scroll(_ state: inout TransfersState, _ frame: Frame, _ body: (inout TextReader) -> Void) {
    guard let details = state.details, let line = state.line(details.id) else { return }
    var reader = TransferFacts.reader(line, details, frame, limit: state.limit)
    body(&reader)
    state.details?.top = reader.topOffset
  }

  /// Resumes the transfers if all are paused.
  private static func pause(_ targets: [TransferLine], _ frame: inout Frame) -> Commands {
    let open = targets.filter { !$0.transfer.state.isOver }
    guard !open.isEmpty else {
      if !targets.isEmpty { frame.say("This transfer has already finished.") }
      return []
    }
    let isResume = resumes(open)
    return say(open.map { isResume ? .resume($0.id) : .pause($0.id) })
  }

  /// One command for each shown line: the process that runs the transfers may have some of other accounts, which this
  /// member does not see. The last of the queue is first, so that no transfer begins in the place of a stopped one.
  private static func pauseAll(_ state: TransfersState) -> Commands {
    let open = state.lines.filter { !$0.transfer.state.isOver }
    guard state.summary.active > 0 else { return say(open.map { .resume($0.id) }) }
    return say(open.reversed().map { .pause($0.id) })
  }

  private static func cancel(
    _ targets: [TransferLine], _ state: inout TransfersState, _ frame: inout Frame
  ) -> Commands {
    let open = targets.filter { !$0.transfer.state.isOver }
    guard let first = open.first else {
      if !targets.isEmpty {
        frame.say(
          "This transfer has already finished. \(frame.keys.name(of: .transfersDismiss)) removes it from the list.")
      }
      return []
    }
    guard open.count > 1 else { return say([.cancel(first.id)]) }
    state.question = Question(
      "Cancel these \(open.count) transfers?",
      answers: [.init("y", "yes", .confirmed(open.map { .cancel($0.id) })), .init("n", "no", nil)])
    return []
  }

  private static func askToCancelAll(_ state: inout TransfersState, _ frame: inout Frame) {
    let open = state.lines.filter { !$0.transfer.state.isOver }
    let count = open.count
    guard count > 0 else { return frame.say("No transfer is under way.") }
    state.question = Question(
      count == 1 ? "Cancel the transfer?" : "Cancel all \(count) transfers?",
      answers: [.init("y", "yes", .confirmed(open.reversed().map { .cancel($0.id) })), .init("n", "no", nil)])
  }

  private static func retry(_ targets: [TransferLine], _ frame: inout Frame) -> Commands {
    let again = targets.map(\.transfer).filter { $0.state == .failed || $0.state == .cancelled }
    let cancelled = again.filter { $0.state == .cancelled }
    if again.isEmpty {
      frame.say("Only failed and cancelled transfers can be retried.")
    } else if let first = cancelled.first {
      let what = cancelled.count == 1 ? "\"\(first.name)\" begins" : "\(cancelled.count) cancelled transfers begin"
      frame.say("\(what) from the start: cancelling removed the parts.")
    }
    return say(again.map { .retry($0.id) })
  }

  /// Moves only the selected transfer: with several marked ones, "up" would be ambiguous.
  private static func move(_ command: CommandID, _ state: TransfersState, _ frame: inout Frame) -> Commands {
    guard let line = state.selected else { return [] }
    guard !line.transfer.state.isOver else {
      frame.say("This transfer has already finished and has no place in the queue.")
      return []
    }
    return say([.move(line.id, command == .transfersUp ? .up : .down)])
  }

  private static func openOutside(_ state: TransfersState, _ frame: inout Frame) -> Commands {
    guard let place = state.selected?.transfer.place else {
      frame.say("Only a finished download can be opened.")
      return []
    }
    return [.run(.openOutside(place))]
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout TransfersState, _ frame: Frame) -> Commands {
    let isUp = mouse.kind == .wheelUp
    switch mouse.kind {
    case .wheelUp, .wheelDown:
      if state.details != nil {
        scroll(&state, frame) { $0.scroll(by: isUp ? -3 : 3) }
      } else {
        state.rows.scroll(by: isUp ? -1 : 1)
      }
    case .press where state.details == nil:
      // The first line of the view is the heading.
      let height = TransferRow.height(width: frame.size.width)
      guard mouse.point.y > 0, let row = state.rows.row(atLine: (mouse.point.y - 1) / height) else { return [] }
      if state.rows.selected == row {
        state.details = state.selected.map { TransferDetails(id: $0.id) }
      } else {
        state.rows.select(row)
      }
    default: break
    }
    return []
  }
}
