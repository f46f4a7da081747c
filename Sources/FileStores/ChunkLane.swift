import Synchronization

private let mostBytes = 1 << 20

/// Works on chunks on one of a pool's threads, while the task that brings them goes for more.
///
/// Used by one task at a time. Chunks are worked on in the order of the calls; at most 1 MiB and a chunk wait. After a
/// failure nothing is worked on any more, and every call throws it.
package final class ChunkLane<Failure: Error>: Sendable {
  private struct State {
    var waiting: [ByteChunk] = []
    /// What waits, and what is being worked on.
    var bytes = 0
    var isWorking = false
    var failure: Failure?
    var limit = 0
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let pool: BlockingPool

  /// `pool` lends the thread.
  package init(pool: BlockingPool) { self.pool = pool }

  /// Whether all that was added is done.
  package var isIdle: Bool { state.withLock { !$0.isWorking } }

  /// Adds bytes, for `work` to be done on them: the same for all. Returns when not too many wait.
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

  /// Returns when all that was added is done.
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
