internal import Synchronization

/// What a store remembers of waiting for changes.
final class DropboxWatch: Sendable {
  private struct State {
    var newest: String?
    var quietUntil: ContinuousClock.Instant?
    var polling: (lateness: String, pause: Duration)?
  }

  /// The pauses between two questions for changes, while the server does not answer the call that waits for them.
  private static let (firstPoll, longestPoll) = (Duration.seconds(5), Duration.seconds(60))

  private let state = Mutex(State())

  /// The newest cursor that is known. What a listing finds is at least as new, so that changes told from here on leave
  /// nothing out.
  var newest: String? {
    get { state.withLock { $0.newest } }
    set { state.withLock { $0.newest = newValue } }
  }

  /// Why changes are told late; nil while the server answers the call that waits for them.
  var lateness: String? { state.withLock { $0.polling?.lateness } }

  /// The server does not answer the call that waits.
  /// - Returns: whether that is news.
  func beginPolling(_ reason: String) -> Bool {
    state.withLock { state in
      defer {
        if state.polling == nil { state.polling = (reason + " Checking every 5 to 60 s.", DropboxWatch.firstPoll) }
      }
      return state.polling == nil
    }
  }

  /// The server answers the call that waits.
  /// - Returns: whether that is news.
  func endPolling() -> Bool {
    state.withLock { state in
      defer { state.polling = nil }
      return state.polling != nil
    }
  }

  /// The pause before the next question, each longer than the one before.
  func nextPoll() -> Duration? {
    state.withLock { state in
      guard let pause = state.polling?.pause else { return nil }
      state.polling?.pause = min(pause * 2, DropboxWatch.longestPoll)
      return pause
    }
  }

  /// The server wants to be left alone for so long.
  func beQuiet(for backoff: Duration) {
    state.withLock { $0.quietUntil = ContinuousClock.now + backoff }
  }

  /// How long that still is; nil when it may be asked.
  var quiet: Duration? {
    state.withLock { state in
      guard let until = state.quietUntil else { return nil }
      let rest = ContinuousClock.now.duration(to: until)
      return rest > .zero ? rest : nil
    }
  }
}
