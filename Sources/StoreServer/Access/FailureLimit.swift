import Synchronization

/// Counts wrong tokens by the address they come from, so that guessing is slow. A right token always counts as right.
final class FailureLimit: Sendable {
  private struct Count {
    var failures: Int
    var since: Int64
  }

  private let counts = Mutex<[String: Count]>([:])
  private let most: Int

  /// At most `most` failures a minute from one address.
  init(most: Int) { self.most = most }

  /// The seconds to wait when there have been too many failures already; nil when there is no need.
  func wait(_ peer: String, at second: Int64) -> Int? {
    counts.withLock { counts in
      guard let count = counts[peer], second - count.since < 60, count.failures > most else { return nil }
      return Int(max(1, 60 - (second - count.since)))
    }
  }

  /// Notes a failure.
  /// - Returns: the seconds to wait, when there have been too many.
  func note(_ peer: String, at second: Int64) -> Int? {
    counts.withLock { counts in
      if counts.count > 10_000 { counts = counts.filter { second - $0.value.since < 60 } }
      var count = counts[peer] ?? Count(failures: 0, since: second)
      if second - count.since >= 60 { count = Count(failures: 0, since: second) }
      count.failures += 1
      counts[peer] = count
      return count.failures > most ? Int(max(1, 60 - (second - count.since))) : nil
    }
  }
}
