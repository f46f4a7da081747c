import Transfers

/// Passes on the events of this member's transfers: the process that runs them may have some of other accounts.
final class OwnEvents: TransferDelegate {
  private let delegate: any TransferDelegate
  private let isOwn: @Sendable (Transfer) -> Bool

  init(_ delegate: any TransferDelegate, isOwn: @escaping @Sendable (Transfer) -> Bool) {
    (self.delegate, self.isOwn) = (delegate, isOwn)
  }

  var isSeen: Bool { delegate.isSeen }

  func report(_ event: TransferEvent) {
    if let transfer = event.transfer, !isOwn(transfer) { return }
    delegate.report(event)
  }
}
