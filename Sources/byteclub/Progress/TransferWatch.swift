import FileStores
import Synchronization
import Transfers

/// Waits until transfers have nothing more to do by themselves: they are over, or paused.
final class TransferWatch: TransferDelegate {
  private struct State {
    /// Those that are going on; nil before anything was told.
    var going: Set<Transfer.ID> = []
    var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
    var last = 0
  }

  private let wanted: Set<Transfer.ID>?
  private let state = Mutex(State())

  /// Watches some transfers, or all that there are. To be attached before it is asked.
  init(_ ids: [Transfer.ID]?) { wanted = ids.map(Set.init) }

  /// Returns when none of them is going on, or the task is cancelled.
  func settled() async {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        state.withLock { state in
          if state.going.isEmpty || Task.isCancelled {
            continuation.resume()
          } else {
            state.waiting[number] = continuation
          }
        }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }

  func transferDidAppear(_ transfer: Transfer) { note(transfer, transfer.state) }
  func transfer(_ transfer: Transfer, didSend bytes: UInt64, of total: UInt64?) {}
  func transfer(_ transfer: Transfer, didReceive bytes: UInt64, of total: UInt64?) {}
  func transfer(_ transfer: Transfer, didResumeAt offset: UInt64, of total: UInt64?) {}
  // What is over is over when that was told: `transferDidFinish`.
  func transfer(_ transfer: Transfer, didEnter state: TransferState) { if !state.isOver { note(transfer, state) } }
  func transferDidFinish(_ transfer: Transfer) { note(transfer, transfer.state) }
  func transferDidDisappear(_ id: Transfer.ID) { change { $0.remove(id) } }
  func transfersDidReorder(_ ids: [Transfer.ID]) {}

  private func note(_ transfer: Transfer, _ new: TransferState) {
    if let wanted, !wanted.contains(transfer.id) { return }
    let isGoing = !new.isOver && new != .paused
    change { going in
      if isGoing { going.insert(transfer.id) } else { going.remove(transfer.id) }
    }
  }

  private func change(_ body: (inout Set<Transfer.ID>) -> Void) {
    let ready = state.withLock { state in
      body(&state.going)
      guard state.going.isEmpty else { return [UnsafeContinuation<Void, Never>]() }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in ready { continuation.resume() }
  }
}
