import Synchronization

/// Counts wrong tokens by client address, which slows guessing. A right token is always accepted.
final class FailureLimit: Sendable {
  private struct Count {
    var failures: Int
    var since: Int64
  }

  private let counts = Mutex<[String: Count]>([:])
  private let most: Int
  private let noted = Atomic<UInt64>(0)

  /// All failures since the start.
  var total: UInt64 { noted.load(ordering: .relaxed) }

  /// - Parameter most: wrong tokens a minute from one address.
  init(most: Int) { self.most = most }

  /// Seconds; nil if the address may try now.
  func wait(_ peer: String, at second: Int64) -> Int? {
    counts.withLock { counts in
      guard let count = counts[peer], second - count.since < 60, count.failures > most else { return nil }
      return Int(max(1, 60 - (second - count.since)))
    }
  }

  /// Counts a failure. Returns the seconds to wait if the address has failed too often.
  func note(_ peer: String, at second: Int64) -> Int? {
    noted.wrappingAdd(1, ordering: .relaxed)
    return counts.withLock { counts in
      if counts.count > 10_000 { counts = counts.filter { second - $0.value.since < 60 } }
      var count = counts[peer] ?? Count(failures: 0, since: second)
      if second - count.since >= 60 { count = Count(failures: 0, since: second) }
      count.failures += 1
      counts[peer] = count
      return count.failures > most ? Int(max(1, 60 - (second - count.since))) : nil
    }
  }
}
