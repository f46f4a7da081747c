internal import TextUI
internal import Transfers

enum TransfersScreen {
  typealias Commands = [Command<TransfersEffect, TransfersPosting, TransfersAction>]

  static func update(_ state: inout TransfersState, _ action: TransfersAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .input(.command(let command)): return run(command, &state, &frame)
    case .input(.mouse(let mouse)): return point(mouse, &state, frame)
    case .input: return []
    case .answered(let action):
      state.question = nil
      return action.map { update(&state, $0, &frame) } ?? []
    case .confirmed(let commands): return say(commands)
    default: return happen(&state, action, &frame)
    }
  }

  /// Requests the limit, which no event reports.
  static func open(_ state: inout TransfersState, _ frame: Frame) -> Commands {
    state.isOpen = true
    fit(&state, frame)
    if let shown = state.summary.shown { state.rows.select(shown) }
    return [.run(.readLimit, key: "transfers.limit")]
  }

  static func close(_ state: inout TransfersState) {
    state.isOpen = false
    state.details = nil
    state.question = nil
    state.marks.removeAll()
  }

  static func fit(_ state: inout TransfersState, _ frame: Frame) {
    state.rows.resize(height: max(1, (frame.bodyHeight - 1) / TransferRow.height(width: frame.size.width)))
  }

  /// The commands run after all earlier ones.
  static func say(_ commands: [TransferCommand]) -> Commands {
    commands.isEmpty ? [] : [.post(.say(commands)), .run(.carryOut)]
  }

  /// nil if the bar has no transfer.
  static func cancelShown(_ state: TransfersState) -> Commands? { state.shown.map { say([.cancel($0.id)]) } }

  // MARK: What a member does

  static func action(for event: InputEvent, in state: TransfersState, _ keys: KeyTable) -> TransfersAction? {
    switch event {
    case .key(let key):
      if let question = state.question { return question.answer(for: key).map { .answered($0.action) } }
      return keys.command(for: key, in: places(state)).map { .input(.command($0)) }
    case .mouse(let mouse): return state.question == nil ? .input(.mouse(mouse)) : nil
    case .paste, .resize, .terminate, .resumed, .focus, .background, .report, .abilities: return nil
    }
  }

  static func places(_ state: TransfersState) -> [KeyCommand.Place] {
    state.details == nil ? [.transfers, .moves, .lists] : [.transfers, .reader]
  }

  /// True if all targets of the pause key are paused or over.
  static func resumes(_ state: TransfersState) -> Bool { resumes(state.targets.filter { !$0.transfer.state.isOver }) }

  /// For transfers that are not over.
  static func resumes(_ open: [TransferLine]) -> Bool {
    !open.isEmpty && open.allSatisfy { $0.transfer.state == .paused }
  }

  static func footer(_ state: TransfersState) -> [CommandID] {
    let isOne = state.details != nil
    guard let shown = state.details.map({ state.line($0.id) }) ?? state.selected else { return [.help, .quit] }
    let mark: [CommandID] = isOne ? [] : [.transfersDetails, .transfersMark]
    return switch shown.transfer.state {
    case .done: mark + [.transfersDismiss, .help, .quit]
    case .failed, .cancelled: [.transfersRetry] + mark + [.transfersDismiss, .help, .quit]
    default:
      [.transfersPause, .transfersCancel] + mark
        + (isOne ? [] : [.transfersDown, .transfersUp, .transfersCancelAll]) + [.help, .quit]
    }
  }
}
