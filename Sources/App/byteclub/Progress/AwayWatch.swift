import ClubServices
import FileStores
import Synchronization
import Transfers

/// Ends the wait of a command whose server is away: the transfers stay in the journal. Attach it before they begin.
final class AwayWatch: TransferDelegate {
  /// Tries in a row without an answer; the pauses between them grow to some seconds.
  static let mostTries = 4

  private struct State {
    var watched: Set<Transfer.ID> = []
    var newest: [Transfer.ID: Transfer] = [:]
    var tries: [Transfer.ID: Int] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let end: @Sendable () -> Void

  /// - Parameter end: called once, on any thread.
  init(end: @escaping @Sendable () -> Void) { self.end = end }

  /// True once it has given up.
  var hasEnded: Bool { state.withLock(\.hasEnded) }

  func watch(_ ids: [Transfer.ID]) { change { $0.watched.formUnion(ids) } }

  /// The last known state of a transfer.
  func newest(_ id: Transfer.ID) -> Transfer? { state.withLock { $0.newest[id] } }

  func report(_ event: TransferEvent) {
    switch event {
    case .entered(let transfer) where transfer.state == .waiting && transfer.error?.kind == .offline:
      change { state in
        state.newest[transfer.id] = transfer
        state.tries[transfer.id, default: 0] += 1
      }
    case .progressed(let transfer), .finished(let transfer):
      change { state in
        state.newest[transfer.id] = transfer
        state.tries[transfer.id] = 0
      }
    case .appeared(let transfer), .entered(let transfer), .resumed(let transfer):
      change { $0.newest[transfer.id] = transfer }
    case .disappeared, .reordered: return
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let isAway = state.withLock { state in
      body(&state)
      guard !state.hasEnded else { return false }
      state.hasEnded = state.tries.contains { $0.value >= AwayWatch.mostTries && state.watched.contains($0.key) }
      return state.hasEnded
    }
    if isAway { end() }
  }
}
