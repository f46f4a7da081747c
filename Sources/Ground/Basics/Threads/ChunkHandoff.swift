internal import Synchronization

/// Passes pieces of content from a reading task to a sending task. One piece waits while another is sent, so memory
/// stays small, and disk and network work at the same time; or, for less memory, the next piece is read when the last one
/// is sent. Cancelling a task ends its wait at once.
public final class ChunkHandoff: Sendable {
  private struct State {
    var slot: ArraySlice<UInt8>?
    /// True when the receiver wants another piece than the one that is there, so that its last one is done.
    var isAsked = false
    var isFinished = false
    var isStopped = false
    var failure: (any Error)?
    var sender: CheckedContinuation<Void, Never>?
    var receiver: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let readsAhead: Bool

  /// - Parameter readsAhead: false to keep the sender until its piece is sent.
  public init(readsAhead: Bool = true) { self.readsAhead = readsAhead }

  /// Hands over a piece once there is room. Returns false if no more are wanted, or the task is cancelled.
  public func send(_ chunk: ArraySlice<UInt8>) async -> Bool {
    await wait(\.sender) { $0.slot == nil || $0.isStopped }
    let (isTaken, receiver) = state.withLock { state in
      guard state.slot == nil, !state.isStopped, !Task.isCancelled else {
        return (false, CheckedContinuation<Void, Never>?.none)
      }
      (state.slot, state.isAsked) = (chunk, false)
      return (true, state.receiver.take())
    }
    receiver?.resume()
    guard isTaken, !readsAhead else { return isTaken }
    await wait(\.sender) { $0.isAsked || $0.isStopped }
    return state.withLock { !$0.isStopped } && !Task.isCancelled
  }

  public func finish(_ error: (any Error)? = nil) {
    let receiver = state.withLock { state in
      (state.isFinished, state.failure) = (true, error)
      return state.receiver.take()
    }
    receiver?.resume()
  }

  /// The next piece; nil at the end.
  /// - Throws: the sender's error; `CancellationError` if the task is cancelled while no piece waits.
  public func next() async throws -> ArraySlice<UInt8>? {
    state.withLock { state in
      if state.slot == nil { state.isAsked = true }
      return state.sender.take()
    }?.resume()
    await wait(\.receiver) { $0.slot != nil || $0.isFinished }
    let (chunk, isOver, failure, sender) = state.withLock { state in
      (state.slot.take(), state.isFinished, state.failure, state.sender.take())
    }
    sender?.resume()
    if let chunk { return chunk }
    if let failure { throw failure }
    if !isOver { throw CancellationError() }
    return nil
  }

  public func stop() {
    let sender = state.withLock { state in
      (state.isStopped, state.slot) = (true, nil)
      return state.sender.take()
    }
    sender?.resume()
  }

  private func wait(
    _ waiter: any WritableKeyPath<State, CheckedContinuation<Void, Never>?> & Sendable, _ isReady: (State) -> Bool
  ) async {
    while !Task.isCancelled, !state.withLock({ isReady($0) }) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let goesOn = state.withLock { state in
            if Task.isCancelled || isReady(state) { return true }
            state[keyPath: waiter] = continuation
            return false
          }
          if goesOn { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0[keyPath: waiter].take() }?.resume()
      }
    }
  }
}
