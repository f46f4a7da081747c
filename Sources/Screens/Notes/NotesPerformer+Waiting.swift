internal import ClubServices
internal import FileStores
internal import TextUI

/// Texts that are not in the club.
extension NotesPerformer {
  /// Between two rounds of sending what waits.
  static let sendingPause = Duration.seconds(60)

  func performWaiting(_ effect: NotesEffect, _ sender: Sender<NotesAction>) async {
    switch effect {
    case .findWaiting:
      await sender.attempt({ .failed("byteclub could not read earlier drafts and unsent saves: \($0)") }) {
        () async throws(StoreError) in
        let found = NotesAction.foundWaiting(try await self.service.waiting())
        if let aside = self.journal.damagedOutbox {
          sender.send(
            .failed(
              "The file of drafts and unsent saves was damaged. Its readable part is here, and the damaged file is \(aside)."
            ))
        }
        return found
      }
    case .lookWaiting:
      await sender.attempt { () async throws(StoreError) in .waiting(try await self.service.waiting()) }
    case .readWaiting(let text):
      await sender.attempt({ error in text.path.map { .openFailed($0, error) } }) { () async throws(StoreError) in
        .readWaiting(text, try await self.service.text(of: text.id))
      }
    case .send(let text):
      await sender.attempt({ .saveFailed(text.path, name: text.title, $0, session: nil) }) {
        () async throws(StoreError) in .saved(text.path, try await self.service.send(text), session: nil)
      }
    case .sendAll(let conflicts): await sendAll(conflicts: conflicts, sender)
    case .awaitSending:
      do {
        try await clock.sleep(for: NotesPerformer.sendingPause)
        sender.send(.timeToSend)
      } catch {
        // Cancelled: nothing waits any more.
        return
      }
    case .watchKeeping: for await failure in journal.failures() { sender.send(.keeping(failure)) }
    case .discard(let text):
      await sender.attempt { () async throws(StoreError) in
        try await self.service.discard(text)
        return .discarded(text, try await self.service.waiting())
      }
    default: preconditionFailure("\(effect) is not about what waits")
    }
  }

  private func sendAll(conflicts: Bool, _ sender: Sender<NotesAction>) async {
    var failure: StoreError?
    do throws(StoreError) {
      try await service.sendAll(conflicts: conflicts) { path, outcome in
        if case .kept(_, let error) = outcome { failure = error } else { sender.send(.sent(path, outcome)) }
      }
      sender.send(.sentAll(failure, try await service.waiting()))
    } catch {
      sender.send(.sentAll(error, nil))
    }
  }
}
