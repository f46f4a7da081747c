internal import FileStores
internal import TextUI
internal import Transfers

/// The transfers, which belong to no tab: what is told of them, their view, and what they mean for the photos.
extension ClubScreen {
  static func transfers(_ action: TransfersAction, _ state: inout ClubState) -> Commands {
    switch action {
    case .leaveAsked(let isElsewhere): return askToLeave(&state, isElsewhere: isElsewhere)
    case .left(let farewell):
      state.farewell = farewell
      return [.quit]
    case .stayed(let sentence):
      state.leaving = nil
      state.frame.complain(sentence)
      return []
    case .appeared(let transfer): return tellPhotos(transfer, &state) + inTransfers(action, &state)
    case .finished(let transfer):
      // Who waits for the end has to see that it was none.
      if transfer.state == .failed, state.leaving == .whenDone { state.leaving = nil }
      // The photo first, then the notice, which is the last thing told.
      return tellPhotos(transfer, &state, isNew: true) + inTransfers(action, &state)
    default: return inTransfers(action, &state)
    }
  }

  static func inTransfers(_ action: TransfersAction, _ state: inout ClubState) -> Commands {
    outer(TransfersScreen.update(&state.transfers, action, &state.frame))
  }

  static func outer(_ commands: TransfersScreen.Commands) -> Commands {
    commands.map { $0.map(ClubEffect.transfers, ClubAction.transfers) }
  }

  /// A photo that came to this club is in its list; one that is on this machine is marked there.
  private static func tellPhotos(_ transfer: Transfer, _ state: inout ClubState, isNew: Bool = false) -> Commands {
    guard transfer.state == .done, transfer.club == state.transfers.club, let entry = transfer.entry else { return [] }
    let isUpload = transfer.direction == .upload
    var commands = isUpload && isNew ? photos(.uploaded(entry), &state) : []
    if let file = isUpload ? transfer.local : transfer.place, !file.isEmpty {
      commands += photos(.copied(DiskCopy(entry: entry, file: file)), &state)
    }
    return commands
  }

  /// Opens the transfers' view, or closes it.
  static func toggleTransfers(_ state: inout ClubState) -> Commands {
    guard !state.transfers.isOpen else {
      TransfersScreen.close(&state.transfers)
      return []
    }
    return outer(TransfersScreen.open(&state.transfers, state.frame))
  }

  static func cancelShown(_ state: inout ClubState) -> Commands {
    if let commands = TransfersScreen.cancelShown(state.transfers) { return outer(commands) }
    if let commands = stopWaiting(&state) { return commands }
    state.frame.say(
      state.photos.preparing == 0
        ? "No transfer is under way." : "The file is still being looked at: a moment, then it can be cancelled.")
    return []
  }

  // MARK: Quitting

  /// Quits, unless something is under way, or not in the club yet, that the member has to decide about.
  static func quit(_ state: inout ClubState, isSure: Bool = false) -> Commands {
    if !isSure, let question = textsQuestion(state) {
      state.question = question
      return []
    }
    guard state.underway > 0 else { return [.quit] }
    return [.run(.transfers(.askToLeave), key: "transfers.leave")]
  }

  private static func askToLeave(_ state: inout ClubState, isElsewhere: Bool) -> Commands {
    let count = state.underway
    // What is still being looked at is nobody's yet.
    guard count > 0, !isElsewhere || state.photos.preparing > 0 else {
      if count > 0 { state.farewell = "\(words(count)) going on in the background." }
      return [.quit]
    }
    state.question = Question(
      "\(words(count)) under way. Quit?",
      answers: [
        .init("w", "wait", .leave(.whenDone)), .init("p", "pause", .leave(.pausing)),
        .init("b", "background", .leave(.inBackground)), .init(Key(.escape), "stay", nil),
      ])
    return []
  }

  private static func words(_ count: Int) -> String { count == 1 ? "A transfer is" : "\(count) transfers are" }

  static func leave(_ leaving: ClubState.Leaving, _ state: inout ClubState) -> Commands {
    state.question = nil
    state.leaving = leaving
    if leaving == .whenDone {
      let key = state.frame.keys.name(of: .quit)
      state.frame.say("byteclub quits when the transfers are over. \(key) again to choose anew.")
    }
    return []
  }

  /// Goes on with quitting as soon as that is possible: when nothing is being looked at any more.
  static func advanceLeaving(_ state: inout ClubState) -> Commands {
    guard state.photos.preparing == 0, let leaving = state.leaving else { return [] }
    switch leaving {
    case .whenDone:
      guard state.transfers.underway == 0 else { return [] }
      return [.quit]
    case .pausing: state.leaving = .asked
    case .inBackground: state.leaving = .asked
    case .asked: return []
    }
    return [.run(.transfers(leaving == .pausing ? .pauseAndLeave : .goOnInBackground))]
  }
}
