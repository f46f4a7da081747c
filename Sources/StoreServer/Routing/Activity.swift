import Synchronization

/// Counts requests to detect a quiet server, which then returns the C library's cached memory.
final class Activity: Sendable {
  /// Fewer requests between two checks are quiet; the long polls of members' apps never stop.
  private static let few = 20
  private let state = Mutex<(begun: Int, looked: Int, tidied: Int)>((0, 0, 0))

  func note() { state.withLock { $0.begun += 1 } }

  /// True after a quiet interval, if there was a request since memory was last returned.
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
