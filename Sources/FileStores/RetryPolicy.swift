/// How often and how soon a call is tried again.
public struct RetryPolicy: Sendable, Hashable {
  /// Who is asked to wait longer than this (five minutes) gives up at once, and says when to come back.
  public static let longestWait = Duration.seconds(300)

  /// Tries in all without progress, the first among them.
  public let attempts: Int
  /// The longest first pause; each further one is up to twice as long. The pause is drawn between half and all of it.
  public let firstPause: Duration
  /// No pause of our own choosing is longer. A store's wish (`retryAfter`) is kept up to `longestWait`.
  public let longestPause: Duration

  /// Makes a policy.
  public init(attempts: Int = 5, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(30)) {
    self.attempts = max(1, attempts)
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// The pause before try number `next` (2 is the first repetition); `draw` is from 0 up to 1. Nil when there shall be
  /// no such try.
  package func pause(before next: Int, after error: StoreError, draw: Double) -> Duration? {
    guard error.isTemporary, next <= attempts, (error.retryAfter ?? .zero) <= RetryPolicy.longestWait else {
      return nil
    }
    var pause = firstPause
    for _ in 0..<max(0, next - 2) where pause < longestPause { pause = pause * 2 }
    let own = min(pause, longestPause) * (0.5 + 0.5 * min(max(draw, 0), 1))
    // Never earlier than the store asked for; the jitter comes on top, so that not all come back at once.
    guard let told = error.retryAfter else { return own }
    return told + min(own, .seconds(1))
  }
}
