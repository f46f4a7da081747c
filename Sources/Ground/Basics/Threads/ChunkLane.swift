internal import Synchronization

private let mostBytes = 1 << 20

/// Works on chunks on a thread of a pool, in the order of the calls, while the task fetches more. Used by one task at a
/// time; at most 1 MiB and a chunk wait. After a failure the work ends, and every call throws it.
package final class ChunkLane<Failure: Error>: Sendable {
  private struct State {
    var waiting: [ArraySlice<UInt8>] = []
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
    _ bytes: ArraySlice<UInt8>, _ work: @escaping @Sendable (ArraySlice<UInt8>) throws(Failure) -> Void
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

  private func run(_ work: (ArraySlice<UInt8>) throws(Failure) -> Void) {
    while let chunks = next() {
      for chunk in chunks {
        var failure: Failure?
        do throws(Failure) { try work(chunk) } catch { failure = error }
        guard isToGoOn(after: chunk, failure) else { return }
      }
    }
  }

  private func isToGoOn(after chunk: ArraySlice<UInt8>, _ failure: Failure?) -> Bool {
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

  private func next() -> [ArraySlice<UInt8>]? {
    state.withLock { state in
      defer { state.waiting = [] }
      if state.waiting.isEmpty { state.isWorking = false }
      return state.waiting.isEmpty ? nil : state.waiting
    }
  }
}
