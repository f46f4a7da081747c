internal import Basics
internal import FileStores
internal import Synchronization

final class DropboxWatch: Sendable {
  private struct State {
    var newest: String?
    var quietUntil: Duration?
    var polling: (lateness: String, pause: Duration)?
  }

  /// The first and the longest pause between polls, while the longpoll does not work.
  private static let (firstPoll, longestPoll) = (Duration.seconds(5), Duration.seconds(60))

  private let state = Mutex(State())
  private let elapsed: @Sendable () -> Duration

  init(_ clock: some Clock<Duration>) { elapsed = clock.stopwatch() }

  /// The newest known cursor. A later listing is at least as new, so changes from this cursor on miss nothing.
  var newest: String? {
    get { state.withLock { $0.newest } }
    set { state.withLock { $0.newest = newValue } }
  }

  /// The reason why changes arrive late; nil while the longpoll works.
  var lateness: String? { state.withLock { $0.polling?.lateness } }

  func beginPolling(_ reason: String) -> Bool {
    state.withLock { state in
      defer {
        if state.polling == nil { state.polling = (reason + " Checking every 5 to 60 s.", DropboxWatch.firstPoll) }
      }
      return state.polling == nil
    }
  }

  func endPolling() -> Bool {
    state.withLock { state in
      defer { state.polling = nil }
      return state.polling != nil
    }
  }

  /// The pause before the next poll. Each pause is longer, up to the limit.
  func nextPoll() -> Duration? {
    state.withLock { state in
      guard let pause = state.polling?.pause else { return nil }
      state.polling?.pause = min(pause * 2, DropboxWatch.longestPoll)
      return pause
    }
  }

  /// Requests no changes for this time, or for the longest wait that any server can ask for.
  func beQuiet(for backoff: Duration) {
    state.withLock { $0.quietUntil = elapsed() + min(backoff, RetryPolicy.longestWait) }
  }

  var quiet: Duration? {
    state.withLock { state in
      guard let until = state.quietUntil else { return nil }
      let rest = until - elapsed()
      return rest > .zero ? rest : nil
    }
  }
}
