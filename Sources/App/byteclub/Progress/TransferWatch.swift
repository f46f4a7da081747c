import Basics
import Transfers

/// Waits until transfers are finished or paused. Attach it before the hub opens: it then knows which transfers were
/// over before this process ran any.
final class TransferWatch: TransferDelegate {
  private struct State {
    /// nil for all.
    var watched: Set<Transfer.ID>?
    var known: Set<Transfer.ID> = []
    var overAtFirst: Set<Transfer.ID> = []
    var going: Set<Transfer.ID> = []
  }

  private let state = WaitableState(State())

  var overAtFirst: Set<Transfer.ID> { state.read { $0.overAtFirst } }

  /// Watches these transfers alone; before, it watches all.
  func watch(_ ids: [Transfer.ID]) {
    state.change { state in
      state.watched = Set(ids)
      state.going.formIntersection(ids)
    }
  }

  /// Returns when no watched transfer is active, or the task is cancelled.
  func settled() async { await state.wait { $0.going.isEmpty } }

  func report(_ event: TransferEvent) {
    switch event {
    case .appeared(let transfer):
      state.change { state in
        if state.known.insert(transfer.id).inserted, transfer.state.isOver { state.overAtFirst.insert(transfer.id) }
      }
      note(transfer)
    case .finished(let transfer): note(transfer)
    // A transfer that is over counts only once it is reported as finished.
    case .entered(let transfer): if !transfer.state.isOver { note(transfer) }
    case .disappeared(let id): state.change { $0.going.remove(id) }
    case .progressed, .resumed, .reordered: return
    }
  }

  private func note(_ transfer: Transfer) {
    let isGoing = !transfer.state.isOver && transfer.state != .paused
    state.change { state in
      if let watched = state.watched, !watched.contains(transfer.id) { return }
      if isGoing { state.going.insert(transfer.id) } else { state.going.remove(transfer.id) }
    }
  }
}
