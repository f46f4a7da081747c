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
  }

  private let state = WaitableState(State())
  private let readsAhead: Bool

  /// - Parameter readsAhead: false to keep the sender until its piece is sent.
  public init(readsAhead: Bool = true) { self.readsAhead = readsAhead }

  /// Hands over a piece once there is room. Returns false if no more are wanted, or the task is cancelled.
  public func send(_ chunk: ArraySlice<UInt8>) async -> Bool {
    await state.wait { $0.slot == nil || $0.isStopped }
    let isTaken = state.change { state in
      guard state.slot == nil, !state.isStopped, !Task.isCancelled else { return false }
      (state.slot, state.isAsked) = (chunk, false)
      return true
    }
    guard isTaken, !readsAhead else { return isTaken }
    await state.wait { $0.isAsked || $0.isStopped }
    return state.read { !$0.isStopped } && !Task.isCancelled
  }

  public func finish(_ error: (any Error)? = nil) {
    state.change { ($0.isFinished, $0.failure) = (true, error) }
  }

  /// The next piece; nil at the end.
  /// - Throws: the sender's error; `CancellationError` if the task is cancelled while no piece waits.
  public func next() async throws -> ArraySlice<UInt8>? {
    state.change { if $0.slot == nil { $0.isAsked = true } }
    await state.wait { $0.slot != nil || $0.isFinished }
    let (chunk, isOver, failure) = state.change { ($0.slot.take(), $0.isFinished, $0.failure) }
    if let chunk { return chunk }
    if let failure { throw failure }
    if !isOver { throw CancellationError() }
    return nil
  }

  public func stop() {
    state.change { ($0.isStopped, $0.slot) = (true, nil) }
  }
}
