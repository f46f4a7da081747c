import Synchronization

/// Holds tasks until it is opened. Nothing here looks at time.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var comers = 0
    /// Of those who came, the ones that wait or have waited. Who is counted here can be released.
    var arrivals = 0
    var held: [Int: CheckedContinuation<Void, Never>] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Waits until the gate is open; with `whileNotCancelled`, at most until the task is cancelled.
  public func wait(whileNotCancelled: Bool = true) async {
    let id = state.withLock { state in
      state.comers += 1
      return state.comers
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watchers = state.withLock { state in
          state.arrivals += 1
          if state.isOpen || (whileNotCancelled && Task.isCancelled) {
            continuation.resume()
          } else {
            state.held[id] = continuation
          }
          let arrivals = state.arrivals
          let ready = state.watchers.filter { $0.count <= arrivals }
          state.watchers.removeAll { $0.count <= arrivals }
          return ready
        }
        for watcher in watchers { watcher.continuation.resume() }
      }
    } onCancel: {
      guard whileNotCancelled else { return }
      state.withLock { $0.held.removeValue(forKey: id) }?.resume()
    }
  }

  /// Returns when so many have come in all, whether or not they have gone on.
  public func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.arrivals >= count { continuation.resume() } else { state.watchers.append((count, continuation)) }
      }
    }
  }

  /// How many have come so far.
  public var arrived: Int { state.withLock { $0.arrivals } }

  /// Lets one go on that waits.
  public func release() {
    state.withLock { state in
      state.held.keys.min().flatMap { state.held.removeValue(forKey: $0) }
    }?.resume()
  }

  /// Lets all go on, now and later.
  public func open() {
    let held = state.withLock { state in
      defer { state.held = [:] }
      state.isOpen = true
      return state.held.values.map { $0 }
    }
    for continuation in held { continuation.resume() }
  }
}
