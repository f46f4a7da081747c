/// What holds a number of bytes a second over all who take from it. A value without a clock: times are given to it, as
/// a duration since any fixed point.
///
/// Who comes while nothing is owed takes all that it wants, and those after it wait until that is paid: over time the
/// rate is exact, whatever the pieces. What was not used for a while is not saved up, but for a twentieth of a second.
public struct TokenBucket: Sendable, Hashable {
  /// Bytes a second; nil for no limit. A change holds for what is owed already, too.
  public private(set) var rate: UInt64?
  private var balance = 0.0
  private var counted: Duration

  /// Starts with nothing owed.
  public init(rate: UInt64?, at now: Duration) {
    self.rate = rate
    counted = now
  }

  /// Another rate from `now` on.
  public mutating func setRate(_ rate: UInt64?, at now: Duration) {
    settle(now)
    if self.rate == nil || rate == nil { balance = 0 }
    self.rate = rate
  }

  /// Takes `bytes`.
  /// - Returns: nil when they may go now; otherwise after what time to ask again, and nothing was taken.
  public mutating func take(_ bytes: Int, at now: Duration) -> Duration? {
    guard let rate else { return nil }
    settle(now)
    guard balance < 0 else {
      balance -= Double(bytes)
      return nil
    }
    // Rounded up, so that who waits exactly so long need not come twice.
    return .nanoseconds(Int64((-balance / Double(max(1, rate)) * 1e9).rounded(.up)) + 1)
  }

  private mutating func settle(_ now: Duration) {
    guard let rate, now > counted else {
      counted = max(counted, now)
      return
    }
    let (seconds, attoseconds) = (now - counted).components
    let passed = Double(seconds) + Double(attoseconds) * 1e-18
    balance = min(balance + passed * Double(rate), Double(rate) / 20)
    counted = now
  }
}
