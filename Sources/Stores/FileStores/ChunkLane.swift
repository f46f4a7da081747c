import Synchronization

private let mostBytes = 1 << 20

/// Works on chunks on a thread of a pool, in the order of the calls, while the task fetches more. Used by one task at a
/// time; at most 1 MiB and a chunk wait. After a failure the work ends, and every call throws it.
package final class ChunkLane<Failure: Error>: Sendable {
  private struct State {
    var waiting: [ByteChunk] = []
    var bytes = 0
    var isWorking = false
    var failure: Failure?
    var limit = 0
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let pool: BlockingPool

  package init(pool: BlockingPool) { self.pool = pool }

  package var isIdle: Bool { state.withLock { !$0.isWorking } }

  /// Adds bytes for `work`, which is the same for all. Returns when not too many wait.
  package func add(
    _ bytes: ByteChunk, _ work: @escaping @Sendable (ByteChunk) throws(Failure) -> Void
  ) async throws(Failure) {
    let starts = state.withLock { state in
      guard state.failure == nil else { return false }
      state.waiting.append(bytes)
      state.bytes += bytes.count
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if starts { pool.submit { [self] in run(work) } }
    try await wait(until: mostBytes)
  }

  package func finish() async throws(Failure) { try await wait(until: 0) }

  private func wait(until limit: Int) async throws(Failure) {
    if state.withLock({ $0.bytes > limit }) {
      await withUnsafeContinuation { continuation in
        let isThere = state.withLock { state in
          if state.bytes <= limit { return true }
          (state.limit, state.waiter) = (limit, continuation)
          return false
        }
        if isThere { continuation.resume() }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func run(_ work: (ByteChunk) throws(Failure) -> Void) {
    while let chunks = next() {
      for chunk in chunks {
        var failure: Failure?
        do throws(Failure) { try work(chunk) } catch { failure = error }
        guard isToGoOn(after: chunk, failure) else { return }
      }
    }
  }

  private func isToGoOn(after chunk: ByteChunk, _ failure: Failure?) -> Bool {
    let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      state.bytes -= chunk.count
      if let failure {
        (state.failure, state.waiting, state.bytes, state.isWorking) = (failure, [], 0, false)
      }
      return state.bytes <= state.limit ? state.waiter.take() : nil
    }
    waiter?.resume()
    return failure == nil
  }

  private func next() -> [ByteChunk]? {
    state.withLock { state in
      defer { state.waiting = [] }
      if state.waiting.isEmpty { state.isWorking = false }
      return state.waiting.isEmpty ? nil : state.waiting
    }
  }
}

/// Passes pieces of content from a reading task to a sending task. One piece waits while another is sent, so memory
/// stays small, and disk and network work at the same time; or, for less memory, the next piece is read when the last one
/// is sent. Cancelling a task ends its wait at once.
public final class ChunkHandoff: Sendable {
  private struct State {
    var slot: ByteChunk?
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
  public func send(_ chunk: ByteChunk) async -> Bool {
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
  public func next() async throws -> ByteChunk? {
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
