internal import FileStores
internal import TextUI
internal import Transfers

/// Transfers belong to no tab: their events, their view, and their effects on the photos.
extension ClubScreen {
  static func transfers(_ action: TransfersAction, _ state: inout ClubState) -> Commands {
    switch action {
    case .leaveAsked(let isElsewhere, let canGoOn):
      return askToLeave(&state, isElsewhere: isElsewhere, canGoOn: canGoOn)
    case .left(let farewell):
      state.farewell = farewell
      return [.quit]
    case .failed(.pauseAndLeave, _), .failed(.goOnInBackground, _):
      state.leaving = nil
      return inTransfers(action, &state)
    case .appeared(let transfer): return tellPhotos(transfer, &state) + inTransfers(action, &state)
    case .finished(let transfer):
      // A member who waits for the end must see the failure.
      if transfer.state == .failed, state.leaving == .whenDone { state.leaving = nil }
      // The photo first; the notice comes last and stays visible.
      return tellPhotos(transfer, &state, isNew: true) + inTransfers(action, &state) + tellNote(transfer, &state)
    default: return inTransfers(action, &state)
    }
  }

  static func inTransfers(_ action: TransfersAction, _ state: inout ClubState) -> Commands {
    outer(TransfersScreen.update(&state.transfers, action, &state.frame))
  }

  static func outer(_ commands: TransfersScreen.Commands) -> Commands {
    commands.map { $0.map(ClubEffect.transfers, ClubPosting.transfers, ClubAction.transfers) }
  }

  /// Adds an uploaded photo to the list, and marks photos on this machine.
  private static func tellPhotos(_ transfer: Transfer, _ state: inout ClubState, isNew: Bool = false) -> Commands {
    guard transfer.state == .done, transfer.club == state.transfers.club, let entry = transfer.entry else { return [] }
    let isUpload = transfer.direction == .upload
    var commands = isUpload && isNew ? photos(.uploaded(entry), &state) : []
    if let file = isUpload ? transfer.local : transfer.place, !file.isEmpty {
      commands += photos(.copied(DiskCopy(entry: entry, file: file)), &state)
    }
    return commands
  }

  /// Tells the text that waits for an uploaded picture.
  private static func tellNote(_ transfer: Transfer, _ state: inout ClubState) -> Commands {
    guard transfer.direction == .upload, transfer.club == state.transfers.club,
      let picture = state.notes.pictures.first(where: { $0.local == transfer.local })
    else { return [] }
    let path = transfer.state == .done ? transfer.entry?.path : nil
    return notes(.picture(path.map { .ready(picture.file, $0) } ?? .ended(picture.file, nil)), &state)
  }

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
        ? "No transfer is under way." : "byteclub is checking the file. Cancel again in a moment.")
    return []
  }
}
