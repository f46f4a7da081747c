internal import FileStores
internal import TextUI
internal import Transfers

extension TransfersScreen {
  static func happen(_ state: inout TransfersState, _ action: TransfersAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .attached: return tellMissed(&state, &frame)
    case .othersCounted(let count): state.others = count
    case .appeared(let transfer):
      if transfer.club == state.club, transfer.state == .done || transfer.state == .failed, !transfer.isAcknowledged {
        state.missed?.append(transfer)
      }
      // After a takeover, the new process reports a transfer again, perhaps already ended.
      let isKnown = state.index(of: transfer.id) != nil
      state.put(transfer, now: frame.now)
      return isKnown && transfer.state.isOver ? tellEnd(of: transfer, &state, &frame) : follow(&state, frame)
    case .changed(let transfer):
      if isDownloadedAnew(transfer, state) { frame.complain(transfer.error?.message ?? "") }
      state.take(transfer, now: frame.now)
      return follow(&state, frame)
    case .finished(let transfer):
      state.take(transfer, now: frame.now)
      return tellEnd(of: transfer, &state, &frame)
    case .disappeared(let id):
      state.remove(id)
      return follow(&state, frame)
    case .reordered(let ids): state.reorder(ids)
    case .limited(let limit, let isNew):
      state.limit = limit
      guard isNew else { return [] }
      let words = limit.map { "Limited to \(ByteCount.rate(Int(clamping: $0)))." }
      frame.say(words ?? "The limit is off.")
    case .failed(.pauseAndLeave, let error): frame.complain("The transfers were not paused. \(error)")
    case .failed(.goOnInBackground, let error):
      frame.complain("The transfers cannot run in the background. \(error)")
    case .failed(_, let error): frame.complain(error)
    case .reported(let sentence): frame.say(sentence)
    default: break
    }
    return []
  }

  /// Reports transfers that ended while the app was away, once.
  private static func tellMissed(_ state: inout TransfersState, _ frame: inout Frame) -> Commands {
    let missed = state.missed ?? []
    state.missed = nil
    guard !missed.isEmpty else { return [] }
    let sentence = TransferWords.missed(missed, key: frame.keys.name(of: .transfers))
    if missed.contains(where: { $0.state == .failed }) { frame.complain(sentence) } else { frame.say(sentence) }
    return say(missed.map { .acknowledge($0.id) })
  }

  private static func tellEnd(of transfer: Transfer, _ state: inout TransfersState, _ frame: inout Frame) -> Commands {
    guard state.tellEnd(of: transfer.id) else { return follow(&state, frame) }
    var sentence = TransferWords.end(transfer, after: state.done)
    if transfer.state == .done { state.done.append(transfer) }
    if transfer.state == .cancelled {
      let keys = (frame.keys.name(of: .transfers), frame.keys.name(of: .transfersRetry))
      sentence += state.isOpen ? " \(keys.1) begins it again." : " \(keys.0), then \(keys.1), begins it again."
    }
    if transfer.state == .failed { frame.complain(sentence) } else { frame.say(sentence) }
    let (begun, busySince) = (state.line(transfer.id)?.begunAt, state.busySince)
    // Another process that runs the transfer does not know that the member sees the end.
    let commands = follow(&state, frame) + (transfer.isAcknowledged ? [] : say([.acknowledge(transfer.id)]))
    // A cancelled transfer needs no notification: somebody was at the screen.
    guard transfer.state != .cancelled, frame.isWatched != true else { return commands }
    if isLong(since: begun, state, frame) { return commands + [.tell(.notification(sentence))] }
    guard state.summary.active == 0, isLong(since: busySince, state, frame) else { return commands }
    return commands + [.tell(.notification("All transfers have finished. \(sentence)"))]
  }

  /// The received bytes turned out to be damaged.
  private static func isDownloadedAnew(_ transfer: Transfer, _ state: TransfersState) -> Bool {
    transfer.error?.kind == .corrupt && transfer.state == .running
      && transfer.restarts > state.line(transfer.id)?.transfer.restarts ?? .max
  }

  private static func isLong(since time: Int64?, _ state: TransfersState, _ frame: Frame) -> Bool {
    time.map { frame.now - $0 >= state.notifyAfter } ?? false
  }

  private static func follow(_ state: inout TransfersState, _ frame: Frame) -> Commands {
    if state.summary.active == 0 {
      (state.busySince, state.done) = (nil, [])
    } else if state.busySince == nil {
      state.busySince = frame.now
    }
    return state.window.follow(state.summary).map { .tell($0) }
  }
}
