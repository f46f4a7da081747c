private let mostBytes = 1 << 20

/// Works on chunks on a thread of a pool, in the order of the calls, while the task fetches more. Used by one task at a
/// time; at most 1 MiB and a chunk wait. After a failure the work ends, and every call throws it.
package final class ChunkLane<Failure: Error>: Sendable {
  private struct State {
    var waiting: [ArraySlice<UInt8>] = []
    var bytes = 0
    var isWorking = false
    var failure: Failure?
  }

  private let state = WaitableState(State())
  private let pool: BlockingPool

  package init(pool: BlockingPool) { self.pool = pool }

  package var isIdle: Bool { state.read { !$0.isWorking } }

  /// Adds bytes for `work`, which is the same for all. Returns when not too many wait.
  package func add(
    _ bytes: ArraySlice<UInt8>, _ work: @escaping @Sendable (ArraySlice<UInt8>) throws(Failure) -> Void
  ) async throws(Failure) {
    let starts = state.change { state in
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

  /// A cancelled task waits on: what it added is still worked on.
  private func wait(until limit: Int) async throws(Failure) {
    await state.waitThoughCancelled { $0.bytes <= limit }
    if let failure = state.read({ $0.failure }) { throw failure }
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
    state.change { state in
      state.bytes -= chunk.count
      if let failure {
        (state.failure, state.waiting, state.bytes, state.isWorking) = (failure, [], 0, false)
      }
    }
    return failure == nil
  }

  private func next() -> [ArraySlice<UInt8>]? {
    state.change { state in
      defer { state.waiting = [] }
      if state.waiting.isEmpty { state.isWorking = false }
      return state.waiting.isEmpty ? nil : state.waiting
    }
  }
}
