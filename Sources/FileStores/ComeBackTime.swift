internal import Glibc

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
