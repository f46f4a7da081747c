import FileStores
import Synchronization
import Transfers

/// Ends the wait of a command whose server is away or stays busy: the transfers stay in the journal. Attach it before they
/// begin.
final class AwayWatch: TransferDelegate {
  /// Tries in a row without an answer; the pauses between them grow to some seconds.
  static let mostTries = 4
  /// The longest wait that a busy server may ask for, in all, while nothing gets on.
  static let longestBusyWait = Duration.seconds(60)
  /// The wait after a try for which a busy server names none.
  static let unnamedWait = Duration.seconds(10)

  private struct State {
    var watched: Set<Transfer.ID> = []
    var newest: [Transfer.ID: Transfer] = [:]
    var tries: [Transfer.ID: Int] = [:]
    /// What a busy server has asked for.
    var waits: [Transfer.ID: Duration] = [:]
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
    case .entered(let transfer) where transfer.state == .waiting && transfer.error?.retryWait != nil:
      change { state in
        state.newest[transfer.id] = transfer
        state.waits[transfer.id, default: .zero] += transfer.error?.retryWait ?? .zero
      }
    case .progressed(let transfer), .finished(let transfer):
      change { state in
        state.newest[transfer.id] = transfer
        state.tries[transfer.id] = 0
        // A busy server that takes others has not stopped.
        state.waits = [:]
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
      state.hasEnded = state.watched.contains {
        state.tries[$0, default: 0] >= AwayWatch.mostTries
          || state.waits[$0, default: .zero] >= AwayWatch.longestBusyWait
      }
      return state.hasEnded
    }
    if isAway { end() }
  }
}

extension StoreError {
  /// The wait that a busy server asks for; nil for other errors. Those of a failing server end a transfer by themselves.
  fileprivate var retryWait: Duration? {
    kind == .rateLimited ? retryAfter ?? AwayWatch.unnamedWait : nil
  }
}
