internal import Synchronization

/// What a store remembers of waiting for changes.
final class DropboxWatch: Sendable {
  private struct State {
    var newest: String?
    var quietUntil: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// The newest cursor that is known. What a listing finds is at least as new, so that changes told from here on leave
  /// nothing out.
  var newest: String? {
    get { state.withLock { $0.newest } }
    set { state.withLock { $0.newest = newValue } }
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
