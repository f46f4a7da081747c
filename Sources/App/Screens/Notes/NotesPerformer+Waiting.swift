internal import ClubServices
internal import FileStores
internal import TextUI

/// Texts that are not in the club.
extension NotesPerformer {
  /// The longest pause between two automatic rounds of sending; shorter when a refused text is due.
  static let sendingPause = Duration.seconds(60)

  func findWaiting(_ sender: Sender<NotesAction>) async throws(StoreError) -> NotesAction {
    let found = NotesAction.foundWaiting(try await service.waiting())
    if let aside = journal.damagedOutbox {
      sender.send(
        .files(
          .warned(
            "The file of drafts and unsent saves was damaged. Its readable part is here, and the damaged file is \(aside)."
          )))
    }
    return found
  }

  func awaitSending() async -> NotesAction? {
    do {
      try await clock.sleep(for: await service.pauseBeforeSending(longest: NotesPerformer.sendingPause))
      return .timeToSend
    } catch {
      // Cancelled: nothing waits any more.
      return nil
    }
  }

  /// The age of a text that comes from the local copy because the store is away; nil for any other.
  func age(of opened: NotesAction, _ path: StorePath) -> NotesAction? {
    guard case .opened = opened, let copy = service.copy, copy.isAway, let time = copy.refreshed else { return nil }
    let age = Age.ago(of: Int(time.seconds), now: Int(Timestamp.now().seconds))
    return .files(.reported("No connection: \"\(path)\" as it was \(age)."))
  }

  /// A change of a name that belongs to nobody yet.
  func sendStray(_ text: WaitingText, _ sender: Sender<NotesAction>) async throws(StoreError) -> NotesAction {
    for refusal in try await service.sendStray(text) { sender.send(.files(.warned("\(refusal)"))) }
    return .waiting(try await service.waiting())
  }

  func sendAll(conflicts: Bool, isAsked: Bool, _ sender: Sender<NotesAction>) async -> NotesAction {
    var failure: StoreError?
    // Names first: the texts that wait are over them.
    for refusal in await service.sendNames({ sender.send(.nameSent($0)) }) {
      sender.send(.files(.warned("\(refusal)")))
    }
    do throws(StoreError) {
      try await service.sendAll(conflicts: conflicts, onlyDue: !isAsked && !conflicts) { path, outcome in
        if case .kept(_, let error) = outcome { failure = error } else { sender.send(.sent(path, outcome)) }
      } skipped: {
        sender.send(.files(.warned("\($0)")))
      }
      return .sentAll(failure, try await service.waiting())
    } catch {
      return .sentAll(error, nil)
    }
  }
}
