import Synchronization

/// A clock that stands still until a test moves it. Tasks never sleep in real time.
///
/// A sleep with a tolerance is one that nothing depends on: it never moves the clock, and is counted separately.
public final class ManualClock: Clock, Sendable {
  /// A point in this clock's time.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public let offset: Duration
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let isDozing: Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [UInt64: Sleeper] = [:]
    var cancelled: Set<UInt64> = []
    var tickets: UInt64 = 0
    var slept: [Duration] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var awaited: Int { sleepers.count { !$0.value.isDozing } }

    mutating func takeDue() -> [Sleeper] {
      let due = sleepers.filter { $0.value.deadline <= now }.sorted { $0.value.deadline < $1.value.deadline }
      for (ticket, _) in due { sleepers[ticket] = nil }
      return due.map(\.value)
    }
  }

  private let state = Mutex(State())
  private let advancesOnSleep: Bool

  /// A clock at zero. With `advancesOnSleep`, each sleep advances the clock and returns at once.
  public init(advancesOnSleep: Bool = false) {
    self.advancesOnSleep = advancesOnSleep
  }

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The durations of all sleeps without a tolerance, in the order of their start.
  public var slept: [Duration] { state.withLock { $0.slept } }
  /// The number of present sleeps with a tolerance.
  public var dozing: Int { state.withLock { $0.sleepers.count - $0.awaited } }

  /// Returns when the clock reaches `deadline`; throws if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Sleeper(deadline: deadline, isDozing: tolerance != nil, continuation: continuation), ticket)
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: ticket)
        if sleeper == nil { state.cancelled.insert(ticket) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the clock and wakes due sleepers, earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      return state.takeDue()
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Returns once at least `count` tasks sleep on this clock without a tolerance.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        if state.awaited >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if ready { continuation.resume() }
    }
  }

  private func begin(_ sleeper: Sleeper, _ ticket: UInt64) {
    enum Outcome { case wake, cancel, wait }
    let (outcome, due, watchers) = state.withLock { state in
      var watchers: [CheckedContinuation<Void, Never>] = []
      if !sleeper.isDozing { state.slept.append(state.now.duration(to: sleeper.deadline)) }
      if state.cancelled.remove(ticket) != nil { return (Outcome.cancel, [Sleeper](), watchers) }
      if advancesOnSleep, !sleeper.isDozing { state.now = max(state.now, sleeper.deadline) }
      let due = state.takeDue()
      if sleeper.deadline <= state.now { return (.wake, due, watchers) }
      state.sleepers[ticket] = sleeper
      let count = state.awaited
      watchers = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      return (.wait, due, watchers)
    }
    for other in due { other.continuation.resume() }
    switch outcome {
    case .wake: sleeper.continuation.resume()
    case .cancel: sleeper.continuation.resume(throwing: CancellationError())
    case .wait: for watcher in watchers { watcher.resume() }
    }
  }
}
