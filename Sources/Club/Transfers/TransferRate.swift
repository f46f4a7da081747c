internal import POSIX

/// The speed and the remaining time of a transfer. A value without a clock: callers pass times, as durations since any
/// fixed point.
///
/// The rate is an exponential moving average over about five seconds, weighted by time. It falls while no bytes come.
public struct TransferRate: Sendable, Hashable {
  private static let windowSeconds = 5.0
  private static let guessAfterSeconds = 3.0
  private static let stalledAfterSeconds = 10.0

  private let start: Duration
  private let first: UInt64
  private var bytes: UInt64
  private var sampled: Duration
  private var averaged: UInt64
  private var average = 0.0

  public init(at now: Duration, bytes: UInt64 = 0) {
    start = now
    first = bytes
    self.bytes = bytes
    sampled = now
    averaged = bytes
  }

  /// Takes the count of all bytes so far. A smaller count starts over.
  public mutating func record(_ total: UInt64, at now: Duration) {
    guard total >= bytes else {
      self = TransferRate(at: max(now, sampled), bytes: total)
      return
    }
    bytes = total
    let seconds = (now - sampled).inSeconds
    // Bytes that come while no time passes join a later average.
    guard total > averaged, seconds > 0 else { return }
    let keep = exp(-seconds / Self.windowSeconds)
    average = average * keep + Double(total - averaged) / seconds * (1 - keep)
    averaged = total
    sampled = now
  }

  /// Bytes a second at `now`; nil if unknown.
  public func bytesPerSecond(at now: Duration) -> Double? {
    let filled = 1 - exp(-(sampled - start).inSeconds / Self.windowSeconds)
    guard filled > 0, averaged > first else { return nil }
    let idle = max(0, (now - sampled).inSeconds - 1)
    return max(0, average / filled * exp(-idle / Self.windowSeconds))
  }

  /// Whole seconds that remain of `total` bytes, rounded up. nil before three seconds of data (one second if a quarter
  /// is done), without a total, after ten seconds without a byte, and above a hundred days.
  public func secondsLeft(of total: UInt64?, at now: Duration) -> Int? {
    guard let total else { return nil }
    guard bytes < total else { return 0 }
    let seen = (sampled - start).inSeconds
    let isClear = seen >= 1 && bytes - first >= (total - min(first, total)) / 4
    guard seen >= Self.guessAfterSeconds || isClear, (now - sampled).inSeconds < Self.stalledAfterSeconds,
      let rate = bytesPerSecond(at: now), rate >= 1
    else { return nil }
    let seconds = (Double(total - bytes) / rate).rounded(.up)
    return seconds < 8_640_000 ? Int(seconds) : nil
  }
}

extension Duration {
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
