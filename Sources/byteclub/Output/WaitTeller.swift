import FileStores
import Synchronization

/// Says on standard error what a command waits for, so that no wait for a server is silent. Safe to use from any thread.
final class WaitTeller: Sendable {
  /// So many seconds without an answer are silence.
  private static let patience = 3

  private struct State {
    /// Whether a call is out that was not answered yet.
    var isAsking = false
    /// Grows with each answer.
    var answers = 0
    var error: StoreError?
  }

  private let state = Mutex(State())
  private let place: String
  private let clock: any Clock<Duration>
  private let say: @Sendable (String) -> Void

  /// For a club at `place`; `say` writes a sentence.
  init(
    place: String, clock: any Clock<Duration> = ContinuousClock(), say: @escaping @Sendable (String) -> Void
  ) {
    (self.place, self.clock, self.say) = (place, clock, say)
  }

  /// Takes a report of a call. A pause that the server asks for is told at once.
  func take(_ report: CallReport) {
    switch report {
    case .asks: state.withLock { $0.isAsking = true }
    case .answered:
      state.withLock { state in
        state.answers += 1
        (state.isAsking, state.error) = (false, nil)
      }
    case .failed: state.withLock { $0.isAsking = false }
    case .waits(let error, let pause):
      let isLimit = error.kind == .rateLimited
      state.withLock { state in
        state.error = error
        if isLimit { state.answers += 1 }
      }
      if isLimit { say("Waiting \(max(1, pause.components.seconds)) s: the server asks for fewer requests.") }
    }
  }

  /// Looks once a second until the task is cancelled, and tells each silence once.
  func watch() async {
    var (silent, seen) = (0, 0)
    while true {
      do {
        try await clock.sleep(for: .seconds(1))
      } catch {
        return
      }
      let now = state.withLock { $0 }
      silent = now.isAsking && now.answers == seen ? silent + 1 : 0
      seen = now.answers
      guard silent == WaitTeller.patience else { continue }
      say(now.error.map { "No connection. Trying again. \($0.message)" } ?? "Waiting for \(place).")
    }
  }
}
