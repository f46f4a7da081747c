import ClubServices
import FileStores
import Transfers

/// Orders of a command, until they are over.
enum TransferWait {
  /// Returns the transfers when all of them are over, in the order of `ids`. Cancelling the task cancels them; the wait
  /// then ends when they have stopped. Those that are done or cancelled are taken off the list: they have been told.
  static func untilOver(_ ids: [Transfer.ID], _ transfers: TransferHub) async -> [Transfer] {
    let over = await withTaskCancellationHandler {
      var over: [Transfer] = []
      for id in ids {
        if let transfer = await transfers.ended(id) { over.append(transfer) }
      }
      return over
    } onCancel: {
      Task { for id in ids { try? await transfers.perform(.cancel(id)) } }
    }
    for transfer in over {
      // One that stays on the list, or is told again, is no harm.
      try? await transfers.perform(transfer.state == .failed ? .acknowledge(transfer.id) : .dismiss(transfer.id))
    }
    return over
  }
}
