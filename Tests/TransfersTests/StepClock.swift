import Synchronization

/// A clock that goes on when it is told to.
final class StepClock: Clock {
  struct Instant: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
  }

  private let time = Mutex(Duration.zero)

  var now: Instant { Instant(time: time.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws { throw CancellationError() }
  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}
