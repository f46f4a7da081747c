internal import CPlatform
internal import POSIX
internal import Synchronization

/// The time of `ContinuousClock`, with sleeps by the program's own timer thread.
///
/// `Task.sleep` on `ContinuousClock` asks libdispatch for a timer, past the hooks of the runtime (Swift 6.3). That
/// starts libdispatch's threads, which poll once a second until exit and end the program when no descriptor is left.
public struct TimerClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  public init() {}

  public var now: Instant { .now }
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until the deadline; returns at once if it is past. Ignores the tolerance.
  /// - Throws: `CancellationError` once the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (seconds, attoseconds) = (deadline - now).components
    let (nanoseconds, isLate) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let pause = isLate ? Int64.max : nanoseconds + attoseconds / 1_000_000_000
    let (end, isNever) = cp_now().addingReportingOverflow(max(0, pause))
    let answer = PendingAnswer<Void>()
    TimerThread.shared.call(at: isNever ? .max : end) { answer.give(()) }
    guard await answer.value() != nil else { throw CancellationError() }
  }
}

extension Clock<Duration> {
  /// The time since now.
  public func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }

  /// The time since now, and sleeps until such a time, at most about `tolerance` late.
  public func sleepingStopwatch() -> (
    elapsed: @Sendable () -> Duration,
    sleep: @Sendable (_ until: Duration, _ tolerance: Duration?) async throws -> Void
  ) {
    let start = now
    return (
      { start.duration(to: now) },
      { time, tolerance in try await sleep(until: start.advanced(by: time), tolerance: tolerance) }
    )
  }
}

public final class TimerThread: Sendable {
  /// Opens its descriptor at the first use, and starts its thread with the first call.
  public static let shared = TimerThread()

  private struct Call: Sendable {
    let time: Int64
    let body: @Sendable () -> Void
  }

  private struct State {
    /// Ordered by time, the earliest last. Calls at equal times run in the order of their addition.
    var calls: [Call] = []
    var isWatched = false
  }

  private let state = Mutex(State())
  /// Negative if no descriptor was free.
  private let timer = cp_timer_open()

  /// Calls `body` on the timer's thread, which it must not hold up. `time` is nanoseconds of `CLOCK_BOOTTIME`.
  public func call(at time: Int64, _ body: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      var (low, high) = (0, state.calls.count)
      while low < high {
        let middle = (low + high) / 2
        if state.calls[middle].time > time { low = middle + 1 } else { high = middle }
      }
      state.calls.insert(Call(time: time, body: body), at: low)
      if low == state.calls.count - 1, timer >= 0 { cp_timer_set(timer, time) }
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard starts else { return }
    while !DetachedThread.start({ while true { self.wait() } }) {
      // The caller's thread does the work, until the system has a free one or nothing is due.
      usleep(10_000)
      callDue()
      guard hasCalls() else { return }
    }
  }

  private func hasCalls() -> Bool {
    state.withLock { state in
      state.isWatched = !state.calls.isEmpty
      return state.isWatched
    }
  }

  private func wait() {
    if timer >= 0 { cp_timer_wait(timer) } else { usleep(10_000) }
    callDue()
  }

  private func callDue() {
    let due = state.withLock { state in
      let now = cp_now()
      var due: [Call] = []
      while let next = state.calls.last, next.time <= now {
        state.calls.removeLast()
        due.append(next)
      }
      if let next = state.calls.last, timer >= 0 { cp_timer_set(timer, next.time) }
      return due
    }
    for call in due { call.body() }
  }
}
