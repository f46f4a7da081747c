internal import FileStores

/// Paths that have changed, held back until a burst of events is over: an editor's save is a handful of them.
struct PendingChanges {
  private var paths: [StorePath] = []
  private var seen: Set<StorePath> = []
  private var since: ContinuousClock.Instant?
  private let quiet: Duration
  private let atMost: Duration

  init(quiet: Duration, atMost: Duration) {
    self.quiet = quiet
    self.atMost = atMost
  }

  /// How long to wait for more; -1, for ever, while there is nothing to tell.
  var milliseconds: Int32 { paths.isEmpty ? -1 : Int32(clamping: max(1, quiet.milliseconds)) }

  mutating func add(_ path: StorePath) {
    if since == nil { since = .now }
    if seen.insert(path).inserted { paths.append(path) }
  }

  mutating func clear() {
    paths = []
    seen = []
    since = nil
  }

  /// True when it is time to tell: quiet was there, or the longest delay has passed.
  func isDue(sawEvent: Bool) -> Bool {
    guard let since, !paths.isEmpty else { return false }
    return !sawEvent || since.duration(to: .now) >= atMost
  }

  mutating func take() -> [StorePath] {
    defer { clear() }
    return paths
  }
}
