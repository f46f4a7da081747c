internal import Dispatch
internal import Synchronization

/// Where what happened elsewhere waits for the loop. Any thread may send; the loop drains.
public final class Mailbox<Action: Sendable>: Sendable {
  private struct State {
    var actions: [Action?] = []
    var newest: [String: Int] = [:]
    var effects = 0
  }

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void
  private let ended = DispatchSemaphore(value: 0)

  /// `wake` is called, on the sender's thread, when the first action comes into an empty mailbox and when the last
  /// effect has ended.
  public init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Leaves an action. Actions are drained in the order in which they came.
  ///
  /// With `replacing`, an action of the same name that has not been drained yet is dropped: only the newest of a
  /// transfer's progress is of interest.
  public func send(_ action: Action, replacing name: String? = nil) {
    let wasEmpty = state.withLock { state in
      let wasEmpty = state.actions.isEmpty
      if let name {
        if let old = state.newest[name] { state.actions[old] = nil }
        state.newest[name] = state.actions.count
      }
      state.actions.append(action)
      return wasEmpty
    }
    if wasEmpty { wake() }
  }

  /// Takes all that is there.
  public func drain() -> [Action] {
    state.withLock { state in
      guard !state.actions.isEmpty else { return [] }
      let actions = state.actions
      state.actions.removeAll(keepingCapacity: true)
      state.newest.removeAll(keepingCapacity: true)
      return actions.compactMap { $0 }
    }
  }

  /// Nothing waits and no effect runs: nothing will happen until the next event.
  public var isIdle: Bool { state.withLock { $0.actions.isEmpty && $0.effects == 0 } }

  /// Blocks until no effect runs, or so many seconds have passed.
  /// - Returns: whether none runs.
  func waitForEffects(seconds: Double) -> Bool {
    let deadline = DispatchTime.now() + seconds
    while state.withLock({ $0.effects > 0 }) {
      if ended.wait(timeout: deadline) == .timedOut { return false }
    }
    return true
  }

  func effectStarts() { state.withLock { $0.effects += 1 } }

  func effectEnded() {
    let last = state.withLock { state in
      state.effects -= 1
      return state.effects == 0
    }
    guard last else { return }
    ended.signal()
    wake()
  }
}
