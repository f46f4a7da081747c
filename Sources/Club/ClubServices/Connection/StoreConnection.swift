import Basics
public import FileStores
internal import Synchronization

/// The reachability of a club's store, from the reports of its calls. Any thread may use it.
public final class StoreConnection: Sendable {
  public enum State: Sendable, Hashable {
    case unknown
    case online
    /// Calls have failed since this time (seconds since 1970) with this error.
    case offline(since: Int64, StoreError)
    /// The store allows no calls before this time (seconds since 1970).
    case waiting(until: Int64, StoreError)
  }

  public let pauses = CallPauses()

  private let followed = WaitableState(State.unknown)
  private let answers = ChangeCount()
  private let now: @Sendable () -> Int64
  private let waits = Atomic<Int>(0)

  /// Seconds since 1970.
  public init(now: @escaping @Sendable () -> Int64 = { Timestamp.now().seconds }) { self.now = now }

  public var state: State { followed.value }

  /// The error of the last call while the store does not answer; nil otherwise.
  public var absence: StoreError? { if case .offline(_, let error) = state { error } else { nil } }

  /// The number of calls until now that had to wait before their next try.
  var pausesAsked: Int { waits.load(ordering: .relaxed) }

  public func observe(_ report: CallReport) {
    if case .waits = report { waits.wrappingAdd(1, ordering: .relaxed) }
    let now = now()
    if case .answered = report { answers.fire() }
    followed.change { $0 = StoreConnection.next($0, report, now) }
  }

  public func states() -> AsyncStream<State> { followed.values() }

  /// Waits for the duration, or until the store answers after an outage. If the store is online, any answer ends the
  /// pause after a quarter of it, so that a failing request is not repeated at each answer to others.
  /// - Throws: `CancellationError`.
  public func pause(_ duration: Duration, clock: any Clock<Duration>) async throws(CancellationError) {
    let seen = answers.number
    let isAway = state != .online
    await withTaskGroup { group in
      group.addTask {
        do { try await clock.sleep(for: duration) } catch { return }
      }
      group.addTask {
        if !isAway {
          do { try await clock.sleep(for: duration / 4, tolerance: .milliseconds(50)) } catch { return }
        }
        await self.answers.wait(past: seen)
      }
      await group.next()
      group.cancelAll()
    }
    if Task.isCancelled { throw CancellationError() }
  }

  /// A `server` error says nothing about the connection: other calls may succeed.
  private static func next(_ state: State, _ report: CallReport, _ now: Int64) -> State {
    switch report {
    case .asks, .unreadable: return state
    case .answered: return .online
    case .waits(let error, let pause):
      guard error.kind == .rateLimited else { return next(state, .failed(error), now) }
      let until = now.addingReportingOverflow(max(1, pause.components.seconds))
      return .waiting(until: until.overflow ? .max : until.partialValue, error)
    case .failed(let error):
      guard error.kind == .offline else { return state }
      if case .offline(let since, _) = state { return .offline(since: since, error) }
      return .offline(since: now, error)
    }
  }
}
