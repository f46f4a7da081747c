internal import Synchronization

/// What a store that tries again tells of its calls, as it happens.
public enum CallReport: Sendable {
  /// A call goes out, for the first time or again.
  case asks
  /// The store answered a call.
  case answered
  /// A call failed for a while; the next try comes after a pause.
  case waits(StoreError, Duration)
  /// A call failed for a while, and there is no further try.
  case failed(StoreError)
}

/// Takes reports. Called on any thread, between the steps of the calls: returns at once.
public typealias CallObserver = @Sendable (CallReport) -> Void

/// The pauses before further tries that are under way, so that a member can end them. Safe to use from any thread.
public final class CallPauses: Sendable {
  private struct State {
    var next = 0
    var ends: [Int: AsyncStream<Never>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// No pauses yet.
  public init() {}

  /// Ends those that are under way: each call fails with the error that it waited for.
  public func end() {
    let ends = state.withLock { Array($0.ends.values) }
    for end in ends { end.finish() }
  }

  /// Waits for so long.
  /// - Returns: false when the pause was ended before.
  /// - Throws: `CancellationError`.
  func wait(_ pause: Duration, _ clock: any Clock<Duration>) async throws(CancellationError) -> Bool {
    let (endings, continuation) = AsyncStream.makeStream(of: Never.self)
    let number = state.withLock { state in
      state.next += 1
      state.ends[state.next] = continuation
      return state.next
    }
    defer { state.withLock { _ = $0.ends.removeValue(forKey: number) } }
    let isWhole = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        do {
          try await clock.sleep(for: pause)
          return true
        } catch {
          return false
        }
      }
      group.addTask {
        for await _ in endings {}
        return false
      }
      let isWhole = await group.next() ?? false
      group.cancelAll()
      return isWhole
    }
    if Task.isCancelled { throw CancellationError() }
    return isWhole
  }
}
