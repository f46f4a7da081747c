internal import TextUI
internal import Transfers

/// Tells the loop what the transfers' delegate is told. The mailbox keeps only the newest progress of each transfer:
/// each call carries the whole transfer, so nothing is lost with the others.
final class TransferTeller: TransferDelegate {
  private let sender: Sender<TransfersAction>

  init(_ sender: Sender<TransfersAction>) { self.sender = sender }

  var isSeen: Bool { true }

  func transferDidAppear(_ transfer: Transfer) { sender.send(.appeared(transfer)) }

  func transfer(_ transfer: Transfer, didSend bytes: UInt64, of total: UInt64?) { progress(transfer, bytes, total) }

  func transfer(_ transfer: Transfer, didReceive bytes: UInt64, of total: UInt64?) { progress(transfer, bytes, total) }

  /// Kept apart from progress: that a bar goes back is to be seen.
  func transfer(_ transfer: Transfer, didResumeAt offset: UInt64, of total: UInt64?) {
    sender.send(.changed(Self.at(offset, total, transfer)))
  }

  func transfer(_ transfer: Transfer, didEnter state: TransferState) {
    var transfer = transfer
    transfer.state = state
    sender.send(.changed(transfer))
  }

  func transferDidFinish(_ transfer: Transfer) {
    sender.send(.finished(transfer))
  }

  func transferDidDisappear(_ id: Transfer.ID) { sender.send(.disappeared(id)) }

  func transfersDidReorder(_ ids: [Transfer.ID]) { sender.send(.reordered(ids)) }

  private func progress(_ transfer: Transfer, _ bytes: UInt64, _ total: UInt64?) {
    sender.send(.changed(Self.at(bytes, total, transfer)), replacing: "progress \(transfer.id)")
  }

  private static func at(_ bytes: UInt64, _ total: UInt64?, _ transfer: Transfer) -> Transfer {
    var transfer = transfer
    transfer.sent = bytes
    transfer.total = total ?? transfer.total
    return transfer
  }
}
