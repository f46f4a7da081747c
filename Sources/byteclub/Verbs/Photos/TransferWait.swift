import FileStores
import Transfers

/// Waiting for transfers.
enum TransferWait {
  /// Returns when all of them are over. Cancelling the task cancels them; the wait then ends when they have stopped.
  static func untilOver(_ ids: [Transfer.ID], _ engine: OldTransferEngine) async {
    await withTaskCancellationHandler {
      for id in ids { _ = await engine.result(of: id) }
    } onCancel: {
      Task { for id in ids { await engine.cancel(id) } }
    }
  }
}
