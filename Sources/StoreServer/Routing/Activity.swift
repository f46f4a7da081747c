import Synchronization

/// Counts requests, to know when the server has become quiet: then what the C library keeps for later is given back.
final class Activity: Sendable {
  /// So few requests between two looks are quiet: the long polls of members' apps go on.
  private static let few = 20
  private let state = Mutex<(begun: Int, looked: Int, tidied: Int)>((0, 0, 0))

  /// Notes a request.
  func note() { state.withLock { $0.begun += 1 } }

  /// Looks once more: whether little was asked since the last look, and something since memory was given back.
  func isTimeToTidy() -> Bool {
    state.withLock { state in
      let isQuiet = state.begun - state.looked < Activity.few
      state.looked = state.begun
      guard isQuiet, state.begun != state.tidied else { return false }
      state.tidied = state.begun
      return true
    }
  }
}
