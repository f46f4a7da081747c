internal import Dispatch
internal import Synchronization

/// Actions for the loop. Any thread may send; the loop drains.
public final class Mailbox<Action: Sendable>: Sendable {
  private struct State {
    var actions: [Action?] = []
    var newest: [String: Int] = [:]
    var effects = 0
  }

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void
  private let ended = DispatchSemaphore(value: 0)

  /// The sender's thread calls `wake` for the first action in an empty mailbox and at the end of the last effect.
  public init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Actions are drained in order. With `replacing`, a queued action of the same name is dropped: only the newest
  /// progress of a transfer matters.
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

  public func drain() -> [Action] {
    state.withLock { state in
      guard !state.actions.isEmpty else { return [] }
      let actions = state.actions
      state.actions.removeAll(keepingCapacity: true)
      state.newest.removeAll(keepingCapacity: true)
      return actions.compactMap { $0 }
    }
  }

  /// Nothing then happens until the next event.
  public var isIdle: Bool { state.withLock { $0.actions.isEmpty && $0.effects == 0 } }

  public var hasEffects: Bool { state.withLock { $0.effects > 0 } }

  /// Blocks at most `seconds`; returns true if no effect runs.
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

/// An effect's actions. Any thread may send; order is kept.
public struct Sender<Action: Sendable>: Sendable {
  private let body: @Sendable (Action, String?) -> Void

  /// The closure must return at once.
  public init(_ body: @escaping @Sendable (Action, _ replacing: String?) -> Void) { self.body = body }

  /// With `replacing`, a queued action of the same name is dropped.
  public func send(_ action: Action, replacing name: String? = nil) { body(action, name) }

  public func map<Inner>(_ outer: @escaping @Sendable (Inner) -> Action) -> Sender<Inner> {
    Sender<Inner> { send(outer($0), replacing: $1) }
  }
}
