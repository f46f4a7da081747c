internal import Glibc

/// How fast a transfer is, and how long it may still take. A value without a clock: times are given to it, as a
/// duration since any fixed point.
///
/// The rate is an exponential moving average over about five seconds, weighted by time: how often progress is told
/// does not matter, and while nothing comes it falls.
public struct TransferRate: Sendable, Hashable {
  /// After so many seconds a sample counts 1/e of what it did.
  private static let windowSeconds = 5.0
  /// Before so many seconds of data a guess says little (field experience: nothing is shown for about three seconds).
  private static let guessAfterSeconds = 3.0
  /// After so many seconds without a byte a guess says nothing.
  private static let stalledAfterSeconds = 10.0

  private let start: Duration
  private let first: UInt64
  private var bytes: UInt64
  /// When and at which count the average was last brought up to date.
  private var sampled: Duration
  private var averaged: UInt64
  private var average = 0.0

  /// Starts at a count of `bytes`: those that had been there before say nothing about the rate.
  public init(at now: Duration, bytes: UInt64 = 0) {
    start = now
    first = bytes
    self.bytes = bytes
    sampled = now
    averaged = bytes
  }

  /// Takes the count of all bytes so far. A time before the last one counts as the last one; a smaller count starts
  /// over from there.
  public mutating func record(_ total: UInt64, at now: Duration) {
    guard total >= bytes else {
      self = TransferRate(at: max(now, sampled), bytes: total)
      return
    }
    bytes = total
    let seconds = (now - sampled).inSeconds
    // Bytes that come while no time passes are averaged in when some has passed.
    guard total > averaged, seconds > 0 else { return }
    let keep = exp(-seconds / Self.windowSeconds)
    average = average * keep + Double(total - averaged) / seconds * (1 - keep)
    averaged = total
    sampled = now
  }

  /// Bytes a second as of `now`; nil while nothing is known. Never negative.
  public func bytesPerSecond(at now: Duration) -> Double? {
    let filled = 1 - exp(-(sampled - start).inSeconds / Self.windowSeconds)
    guard filled > 0, averaged > first else { return nil }
    // A pause that is longer than the time between two counts tends to be is a pause: the average falls.
    let idle = max(0, (now - sampled).inSeconds - 1)
    return max(0, average / filled * exp(-idle / Self.windowSeconds))
  }

  /// Whole seconds that are left of `total` bytes, rounded up; nil while a guess would say nothing: before three
  /// seconds of data (one second, when a quarter is done), without a total, and while nothing has come for ten seconds.
  public func secondsLeft(of total: UInt64?, at now: Duration) -> Int? {
    guard let total else { return nil }
    guard bytes < total else { return 0 }
    let seen = (sampled - start).inSeconds
    let isClear = seen >= 1 && bytes - first >= (total - min(first, total)) / 4
    guard seen >= Self.guessAfterSeconds || isClear, (now - sampled).inSeconds < Self.stalledAfterSeconds,
      let rate = bytesPerSecond(at: now), rate >= 1
    else { return nil }
    let seconds = (Double(total - bytes) / rate).rounded(.up)
    // More than a hundred days is no guess.
    return seconds < 8_640_000 ? Int(seconds) : nil
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
