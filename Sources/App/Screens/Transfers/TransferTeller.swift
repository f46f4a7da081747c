internal import TextUI
internal import Transfers

/// Passes events to the loop. The mailbox keeps only the newest progress of each transfer; each event carries the whole
/// transfer.
final class TransferTeller: TransferDelegate {
  private let sender: Sender<TransfersAction>
  private let isOwn: @Sendable (Transfer) -> Bool

  /// Says nothing of transfers that are not `isOwn`: the process that runs them may be another member's.
  init(_ sender: Sender<TransfersAction>, isOwn: @escaping @Sendable (Transfer) -> Bool) {
    (self.sender, self.isOwn) = (sender, isOwn)
  }

  var isSeen: Bool { true }

  func report(_ event: TransferEvent) {
    if let transfer = event.transfer, !isOwn(transfer) { return }
    switch event {
    case .appeared(let transfer): sender.send(.appeared(transfer))
    case .progressed(let transfer): sender.send(.changed(transfer), replacing: "progress \(transfer.id)")
    // Not merged with progress, so the bar visibly goes back.
    case .resumed(let transfer), .entered(let transfer): sender.send(.changed(transfer))
    case .finished(let transfer): sender.send(.finished(transfer))
    case .disappeared(let id): sender.send(.disappeared(id))
    case .reordered(let ids): sender.send(.reordered(ids))
    }
  }
}
