/// The timeouts of a transfer. libcurl's own "low speed" check is five seconds late in the middle of a body, and its
/// total timeout also counts the time that the caller makes it wait.
struct TransferClock {
  enum Expiry: Equatable {
    case idle(Duration)
    case whole(Duration)
    case slow(Duration)
  }

  /// Bytes a second, both directions together. Sixteen requests can share a line of 2 KiB/s.
  static let leastRate = 128

  let timeouts: HTTPTimeouts
  let start: ContinuousClock.Instant
  /// The time of the last byte; nil before the connection, which libcurl's connect timeout covers.
  private var moved: ContinuousClock.Instant?
  private var since: ContinuousClock.Instant?
  private var bytes = 0

  init(_ timeouts: HTTPTimeouts, start: ContinuousClock.Instant) {
    self.timeouts = timeouts
    self.start = start
  }

  mutating func touch(_ now: ContinuousClock.Instant) {
    moved = now
    if since == nil { since = now }
  }

  mutating func count(_ bytes: Int, _ now: ContinuousClock.Instant) {
    self.bytes += bytes
    touch(now)
  }

  /// Restarts the idle timeout and the window after a pause of our own.
  mutating func goOn(_ now: ContinuousClock.Instant) {
    (moved, since, bytes) = (now, now, 0)
  }

  /// The time over which the rate is averaged. It is longer than the idle timeout, which reports a silence as such.
  private var window: Duration { timeouts.idle * 2 }

  /// The expired timeout, if any. While `isOurs` (the receiver or the source is slow), only `whole` counts.
  mutating func expiry(at now: ContinuousClock.Instant, isOurs: Bool) -> Expiry? {
    if let whole = timeouts.whole, now - start >= whole { return .whole(whole) }
    guard !isOurs else { return nil }
    if let moved, now - moved >= timeouts.idle { return .idle(timeouts.idle) }
    guard let since, !timeouts.isTrickle, now - since >= window else { return nil }
    if Double(bytes) < window / .seconds(1) * Double(TransferClock.leastRate) { return .slow(window) }
    (self.since, bytes) = (now, 0)
    return nil
  }

  func next(after now: ContinuousClock.Instant, isOurs: Bool) -> ContinuousClock.Instant {
    var next = (isOurs ? now : moved ?? now) + timeouts.idle
    if !isOurs, !timeouts.isTrickle, let since { next = min(next, since + window) }
    return timeouts.whole.map { min(start + $0, next) } ?? next
  }
}

/// The clock of one turn of libcurl's thread, read at most once a turn. Only that thread uses it.
final class TurnTime {
  private let clock: @Sendable () -> ContinuousClock.Instant
  private var read: ContinuousClock.Instant?

  init(_ clock: @escaping @Sendable () -> ContinuousClock.Instant) { self.clock = clock }

  var now: ContinuousClock.Instant {
    let now = read ?? clock()
    read = now
    return now
  }

  func pass() { read = nil }
}
