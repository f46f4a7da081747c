import Synchronization

/// Counts requests to detect a quiet server, which then returns the C library's cached memory.
final class Activity: Sendable {
  /// Fewer requests between two checks are quiet; the long polls of members' apps never stop.
  private static let few = 20
  private struct State {
    var begun = 0
    var ended = 0
    var looked = 0
    var tidied = (begun: 0, ended: 0)
  }

  private let state = Mutex(State())

  func note() { state.withLock { $0.begun += 1 } }

  /// A connection has ended: memory of answers that were being sent is free now, long after their requests began.
  func noteEnd() { state.withLock { $0.ended += 1 } }

  /// True after a quiet interval, if a request has begun or a connection ended since memory was last returned.
  func isTimeToTidy() -> Bool {
    state.withLock { state in
      let isQuiet = state.begun - state.looked < Activity.few
      state.looked = state.begun
      guard isQuiet, state.tidied != (state.begun, state.ended) else { return false }
      state.tidied = (state.begun, state.ended)
      return true
    }
  }
}
