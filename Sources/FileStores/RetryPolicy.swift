internal import Glibc

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

extension StoreError {
  /// The same error for a member whom the store asks to stay away too long to wait for it: the remedy says when to come
  /// back, by this machine's clock.
  /// - Parameter now: seconds since 1970.
  public func comingBack(after wait: Duration, now: Int64) -> StoreError {
    let moment = now.addingReportingOverflow(wait.components.seconds)
    let time = moment.overflow ? nil : StoreError.clockTime(moment.partialValue, now: now)
    return StoreError(
      kind, message, remedy: time.map { "Come back \($0)." } ?? "The server does not say when.", path: path,
      retryAfter: wait, current: current)
  }

  /// The same error, or, where the store asks to stay away longer than `RetryPolicy.longestWait`, that of `comingBack`.
  public func limitingWait(now: Int64) -> StoreError {
    guard let wait = retryAfter, wait > RetryPolicy.longestWait else { return self }
    return comingBack(after: wait, now: now)
  }

  /// "at 14:35", with the day when that is another one; nil for a year that no calendar has.
  private static func clockTime(_ seconds: Int64, now: Int64) -> String? {
    guard let then = local(seconds), let today = local(now), then.tm_year < 8100 else { return nil }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "at \(two(then.tm_hour)):\(two(then.tm_min))"
    guard then.tm_year != today.tm_year || then.tm_yday != today.tm_yday else { return time }
    return "on \(then.tm_year + 1900)-\(two(then.tm_mon + 1))-\(two(then.tm_mday)) \(time)"
  }

  private static func local(_ seconds: Int64) -> tm? {
    var (moment, parts) = (time_t(seconds), tm())
    return localtime_r(&moment, &parts) == nil ? nil : parts
  }
}
