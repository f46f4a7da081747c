public import FileStores

/// When a transfer that met a fault is tried again.
public struct TransferRetry: Sendable, Hashable {
  /// Tries without a byte of progress after which a failing store (`server`) is a failure. No network (`offline`) and
  /// being asked to come later (`rateLimited`) never are.
  public let attempts: Int
  /// The longest first pause; each further one is up to twice as long. The pause is drawn between half and all of it.
  public let firstPause: Duration
  /// No pause of our own choosing is longer. A store's wish (`retryAfter`) is kept up to `RetryPolicy.longestWait`; a
  /// longer one is a failure.
  public let longestPause: Duration

  /// Makes a policy.
  public init(attempts: Int = 8, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(60)) {
    self.attempts = max(1, attempts)
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// The pause after `failures` failures without progress between them (at least one); `draw` is from 0 up to 1. Nil
  /// when there shall be no other try.
  public func pause(after error: StoreError, failures: Int, draw: Double) -> Duration? {
    guard error.isTemporary, error.kind != .server || failures < attempts,
      (error.retryAfter ?? .zero) <= RetryPolicy.longestWait
    else { return nil }
    var pause = firstPause
    for _ in 1..<max(1, failures) where pause < longestPause { pause = pause * 2 }
    let own = min(pause, longestPause) * (0.5 + 0.5 * min(max(draw, 0), 1))
    // Never earlier than told; the jitter comes on top, so that not all come back at once.
    guard let told = error.retryAfter else { return own }
    return told + min(own, .seconds(1))
  }
}
