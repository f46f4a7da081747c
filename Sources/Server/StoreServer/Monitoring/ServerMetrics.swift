import Synchronization

/// The counters of one server since its start.
final class ServerMetrics: Sendable {
  /// Upper bounds of the histogram's buckets, in seconds. A request for changes may wait 480 seconds.
  static let bounds: [Double] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600]

  struct Place: Hashable, Sendable {
    let club: String
    let call: String
  }

  struct Calls: Sendable {
    /// Answers by the first digit of their status; index 0 is unused.
    var byClass = [UInt64](repeating: 0, count: 6)
    /// Requests by the first bound that is not smaller than their duration; the last entry is for longer ones.
    var buckets = [UInt64](repeating: 0, count: ServerMetrics.bounds.count + 1)
    var seconds: Double = 0
    var received: UInt64 = 0
    var sent: UInt64 = 0

    var count: UInt64 { buckets.reduce(0, +) }
  }

  private let calls = Mutex<[Place: Calls]>([:])
  private let open = Atomic(0)

  var connections: Int { open.load(ordering: .relaxed) }

  func connectionOpened() { open.wrappingAdd(1, ordering: .relaxed) }

  func connectionClosed() { open.wrappingSubtract(1, ordering: .relaxed) }

  func note(_ record: AccessRecord) {
    let place = Place(club: record.club ?? "", call: record.call)
    let bucket = ServerMetrics.bounds.firstIndex { record.seconds <= $0 } ?? ServerMetrics.bounds.count
    calls.withLock { calls in
      var known = calls[place] ?? Calls()
      known.byClass[min(max(record.status / 100, 1), 5)] += 1
      known.buckets[bucket] += 1
      known.seconds += record.seconds
      known.received &+= record.received
      known.sent &+= record.sent
      calls[place] = known
    }
  }

  /// All counters, by club and call.
  var all: [(place: Place, calls: Calls)] {
    calls.withLock { $0 }.sorted { ($0.key.club, $0.key.call) < ($1.key.club, $1.key.call) }.map { ($0.key, $0.value) }
  }
}
