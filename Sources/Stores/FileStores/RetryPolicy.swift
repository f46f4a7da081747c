internal import POSIX

public struct RetryPolicy: Sendable, Hashable {
  /// A call that must wait longer than five minutes fails at once; the error says when to come back.
  public static let longestWait = Duration.seconds(300)

  /// Tries without progress, including the first.
  public let attempts: Int
  /// The longest first pause; each further one is up to twice as long. The pause is drawn between half and all of it.
  public let firstPause: Duration
  /// The longest pause, unless the store asks for a longer one (`retryAfter`), up to `longestWait`.
  public let longestPause: Duration

  public init(attempts: Int = 5, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(30)) {
    self.attempts = max(1, attempts)
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// The pause before try number `next` (2 is the first repetition); nil for no try. `draw` is from 0 up to 1. A server that
  /// says nothing until a time limit is asked twice at most, and once if the limit is more than a minute.
  package func pause(before next: Int, after error: StoreError, draw: Double) -> Duration? {
    let most = error.silence.map { min(attempts, $0 > .seconds(60) ? 1 : 2) } ?? attempts
    return next <= most ? pause(after: error, failures: next - 1, draw: draw) : nil
  }

  /// The pause after `failures` (at least 1) failures in a row, whatever `attempts` is; nil if waiting is no help.
  package func pause(after error: StoreError, failures: Int, draw: Double) -> Duration? {
    guard error.isTemporary, (error.retryAfter ?? .zero) <= RetryPolicy.longestWait else { return nil }
    var pause = firstPause
    for _ in 1..<max(1, failures) where pause < longestPause { pause = pause * 2 }
    let own = min(pause, longestPause) * (0.5 + 0.5 * min(max(draw, 0), 1))
    // Never earlier than the store asked for. The jitter comes on top, so that clients do not come back all at once.
    guard let asked = error.retryAfter else { return own }
    return asked + min(own, .seconds(1))
  }
}

extension StoreError {
  /// The same error with a remedy that says when to come back, by this machine's clock. `now` is in seconds since 1970.
  public func comingBack(after wait: Duration, now: Int64) -> StoreError {
    let moment = now.addingReportingOverflow(wait.components.seconds)
    let time = moment.overflow ? nil : StoreError.clockTime(moment.partialValue, now: now)
    return StoreError(
      kind, message, remedy: time.map { "Come back \($0)." } ?? "The server does not say when.", path: path,
      retryAfter: wait, current: current)
  }

  /// The error of `comingBack` if the store asks for more than `RetryPolicy.longestWait`; otherwise the same error.
  public func limitingWait(now: Int64) -> StoreError {
    guard let wait = retryAfter, wait > RetryPolicy.longestWait else { return self }
    return comingBack(after: wait, now: now)
  }

  /// "at 14:35", with the date unless it is today; nil for a year outside of the calendar.
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
