public import FileStores
import Synchronization

/// Whether the store of a club behind a network answers, from the reports of its calls. Safe to use from any thread.
public final class StoreConnection: Sendable {
  /// How it stands.
  public enum State: Sendable, Hashable {
    /// Nothing was answered yet.
    case unknown
    /// The last call was answered.
    case online
    /// Calls fail since this moment (seconds since 1970), for this reason.
    case offline(since: Int64, StoreError)
    /// The store asks for no calls before this moment (seconds since 1970).
    case waiting(until: Int64, StoreError)
  }

  /// The pauses of the store's calls.
  public let pauses = CallPauses()

  private struct Inner {
    var state = State.unknown
    // No handler of a stream's end takes the lock: it runs in the midst of a cancellation, for which yielding under the
    // lock waits.
    var listeners: [AsyncStream<State>.Continuation] = []
    var nextPause = 0
    var pauses: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let inner = Mutex(Inner())
  private let now: @Sendable () -> Int64

  /// Nothing is known yet. `now` tells the seconds since 1970.
  public init(now: @escaping @Sendable () -> Int64 = { Timestamp.now().seconds }) { self.now = now }

  /// How it stands now.
  public var state: State { inner.withLock(\.state) }

  /// Takes a report of a call, as a `CallObserver`.
  public func observe(_ report: CallReport) {
    let now = now()
    inner.withLock { inner in
      if case .answered = report { for pause in inner.pauses.values { pause.yield() } }
      let next = StoreConnection.next(inner.state, report, now)
      guard next != inner.state else { return }
      inner.state = next
      inner.listeners.removeAll { if case .terminated = $0.yield(next) { true } else { false } }
    }
  }

  /// The present state and each later one, until the task is cancelled; a state that was passed quickly may be left out.
  public func states() -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
    inner.withLock { inner in
      inner.listeners.append(continuation)
      continuation.yield(inner.state)
    }
    return stream
  }

  /// Waits for so long, or until the store answers again after it did not. Any answer ends the pause after a quarter of
  /// it: what fails alone is not asked for with each answer to something else.
  /// - Throws: `CancellationError`.
  public func pause(_ duration: Duration, clock: any Clock<Duration>) async throws(CancellationError) {
    let (answers, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (number, isAway) = inner.withLock { inner in
      inner.nextPause += 1
      inner.pauses[inner.nextPause] = continuation
      return (inner.nextPause, inner.state != .online)
    }
    await withTaskGroup { group in
      group.addTask {
        do { try await clock.sleep(for: duration) } catch { return }
      }
      group.addTask {
        if !isAway {
          do { try await clock.sleep(for: duration / 4, tolerance: .milliseconds(50)) } catch { return }
        }
        for await _ in answers { return }
      }
      await group.next()
      group.cancelAll()
    }
    inner.withLock { _ = $0.pauses.removeValue(forKey: number) }
    if Task.isCancelled { throw CancellationError() }
  }

  /// A store that fails at one call (`server`) answers others: that alone says nothing of the connection.
  private static func next(_ state: State, _ report: CallReport, _ now: Int64) -> State {
    switch report {
    case .asks: return state
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
