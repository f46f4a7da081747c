import Synchronization

/// Counts wrong tokens and passwords by client address, which slows guessing. A right token is always accepted.
final class FailureLimit: Sendable {
  private struct Count {
    var failures = 0
    let since: Int64

    func hasEnded(at second: Int64) -> Bool { !(0..<60).contains(second - since) }
  }

  private struct State {
    var counts: [ClientAddress: Count] = [:]
    /// The addresses by the beginnings of their counts, from `first` on.
    var order: [ClientAddress] = []
    var first = 0
  }

  private let state = Mutex(State())
  private let most: Int
  private let mostAddresses: Int
  private let noted = Atomic<UInt64>(0)

  /// All failures since the start.
  var total: UInt64 { noted.load(ordering: .relaxed) }

  /// The addresses that are remembered.
  var addresses: Int { state.withLock { $0.counts.count } }

  /// - Parameter most: wrong tokens a minute from one address.
  /// - Parameter addresses: the most that are remembered; the count that began first goes first.
  init(most: Int, addresses: Int = 10_000) { (self.most, mostAddresses) = (most, max(1, addresses)) }

  /// Seconds; nil if the address may try now.
  func wait(_ peer: String, at second: Int64) -> Int? {
    let address = ClientAddress(peer)
    return state.withLock { state in
      guard let count = state.counts[address], !count.hasEnded(at: second), count.failures > most else { return nil }
      return Int(max(1, 60 - (second - count.since)))
    }
  }

  /// Counts a failure. Returns the seconds to wait if the address has failed too often.
  func note(_ peer: String, at second: Int64) -> Int? {
    noted.wrappingAdd(1, ordering: .relaxed)
    let address = ClientAddress(peer)
    return state.withLock { state in
      if state.counts[address]?.hasEnded(at: second) == true || state.counts[address] == nil {
        makeRoom(&state, at: second)
        state.counts[address] = Count(since: second)
        state.order.append(address)
      }
      state.counts[address]?.failures += 1
      guard let count = state.counts[address], count.failures > most else { return nil }
      return Int(max(1, 60 - (second - count.since)))
    }
  }

  /// Forgets the counts that have ended, and one more if the table is full. Each costs one look in all.
  private func makeRoom(_ state: inout State, at second: Int64) {
    while state.first < state.order.count {
      let oldest = state.order[state.first]
      let hasEnded = state.counts[oldest]?.hasEnded(at: second) ?? true
      guard hasEnded || state.counts.count >= mostAddresses else { break }
      state.counts[oldest] = nil
      state.first += 1
    }
    if state.first > mostAddresses {
      state.order.removeFirst(state.first)
      state.first = 0
    }
  }
}
