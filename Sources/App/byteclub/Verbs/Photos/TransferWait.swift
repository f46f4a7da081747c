import FileStores
import Transfers

enum TransferWait {
  /// Waits until all transfers are over. Cancelling the task cancels them, and the wait ends when they have stopped.
  /// Finished and cancelled ones leave the list, because the command reports them.
  /// - Returns: of each, in the order of `ids`, the transfer that is done, or the reason why it is not: also of one that
  ///   `watch` has given up, which stays in its queue. One that the cancelled task has cancelled is no failure of its own.
  static func untilOver(
    _ ids: [Transfer.ID], _ transfers: any TransferControl, orAway watch: AwayWatch? = nil
  ) async -> [Result<Transfer, StoreError>] {
    // A wait for a transfer's end would end with the cancelled task.
    let waiting = Task { () async -> [Transfer?] in
      var over: [Transfer?] = []
      for id in ids { over.append(await transfers.ended(id)) }
      for case let transfer? in over where transfer.state.isOver {
        // A transfer that stays on the list, or is reported twice, does no harm.
        try? await transfers.perform(transfer.state == .failed ? .acknowledge(transfer.id) : .dismiss(transfer.id))
      }
      return over
    }
    let over = await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      Task { for id in ids { try? await transfers.perform(.cancel(id)) } }
    }
    // Once `watch` has given up, the queue tells nothing more: what was reported last counts.
    let away = ids.lazy.compactMap { watch?.newest($0)?.error }.first { $0.isTemporary }
    return zip(ids, over).map { id, known in
      let transfer = known.map { $0.state.isOver ? $0 : watch?.newest(id) ?? $0 } ?? watch?.newest(id)
      if watch?.hasEnded == true, let transfer, !transfer.state.isOver, let error = transfer.error ?? away {
        return .failure(error.ofQueued(transfer))
      }
      return end(of: transfer, isCancelled: Task.isCancelled)
    }
  }

  private static func end(of transfer: Transfer?, isCancelled: Bool) -> Result<Transfer, StoreError> {
    guard let transfer else {
      return .failure(
        StoreError(.server, "byteclub could not follow a transfer to its end.", remedy: TransferWait.remedy))
    }
    if transfer.state == .done || isCancelled && transfer.error == nil { return .success(transfer) }
    let what = transfer.direction == .upload ? "upload" : "download"
    let word = transfer.state == .cancelled ? "was cancelled elsewhere" : "is not done: it is \(transfer.state.word)"
    return .failure(
      transfer.error
        ?? StoreError(
          .server, "The \(what) of \"\(transfer.name)\" \(word).", remedy: TransferWait.remedy, path: transfer.path))
  }

  static func stopped(_ what: String) -> StoreError {
    StoreError(
      .cancelled, "The \(what) was cancelled, and nothing is left of unfinished photos.",
      remedy: "To begin it again, repeat the command.")
  }

  private static let remedy = "See it with: byteclub transfer ls"
}
