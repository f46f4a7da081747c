/// When a transfer has taken too long. libcurl's own "low speed" is five seconds late in the middle of a body, and its
/// whole timeout does not know that we made it wait.
struct TransferClock {
  /// What ran out.
  enum Expiry: Equatable {
    case idle(Duration)
    case whole(Duration)
  }

  let timeouts: HTTPTimeouts
  /// When the call was made.
  let start: ContinuousClock.Instant
  /// When a byte last moved; nil before there is a connection, which libcurl's connect timeout is about.
  private var moved: ContinuousClock.Instant?

  init(_ timeouts: HTTPTimeouts, start: ContinuousClock.Instant) {
    self.timeouts = timeouts
    self.start = start
  }

  /// There is a connection, a byte moved, or we no longer hold things up.
  mutating func touch(_ now: ContinuousClock.Instant) { moved = now }

  /// What has run out. While `isOurs` (the receiver or the source is waited for), only the whole counts.
  func expiry(at now: ContinuousClock.Instant, isOurs: Bool) -> Expiry? {
    if let whole = timeouts.whole, now - start >= whole { return .whole(whole) }
    if let moved, !isOurs, now - moved >= timeouts.idle { return .idle(timeouts.idle) }
    return nil
  }

  /// When to look again.
  func next(after now: ContinuousClock.Instant, isOurs: Bool) -> ContinuousClock.Instant {
    let quiet = (isOurs ? now : moved ?? now) + timeouts.idle
    return timeouts.whole.map { min(start + $0, quiet) } ?? quiet
  }
}
