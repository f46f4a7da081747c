import FileStores
import Synchronization

/// Writes what a task brings on one of the pool's threads, while more comes.
///
/// Used by one task at a time. Chunks are written in the order of the calls; at most `mostBytes` and a chunk wait. After
/// a failure nothing is written any more, and every call throws it.
final class PartLane: Sendable {
  private struct State {
    var waiting: [ByteChunk] = []
    /// What waits, and what is being written.
    var bytes = 0
    var isWorking = false
    var failure: LocalFileFault?
    var limit = 0
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private static let mostBytes = 1 << 20
  private let state = Mutex(State())
  private let pool: BlockingPool

  /// `pool` lends the thread.
  init(pool: BlockingPool) { self.pool = pool }

  /// Adds bytes, which `write` writes: the same for all. Returns when not too many wait.
  func add(
    _ bytes: ByteChunk, _ write: @escaping @Sendable (ByteChunk) throws(LocalFileFault) -> Void
  ) async throws(LocalFileFault) {
    let starts = state.withLock { state in
      guard state.failure == nil else { return false }
      state.waiting.append(bytes)
      state.bytes += bytes.count
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if starts { pool.submit { [self] in work(write) } }
    try await wait(until: Self.mostBytes)
  }

  /// Returns when all is written.
  func finish() async throws(LocalFileFault) { try await wait(until: 0) }

  private func wait(until limit: Int) async throws(LocalFileFault) {
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

  private func work(_ write: (ByteChunk) throws(LocalFileFault) -> Void) {
    while let chunk = next() {
      var failure: LocalFileFault?
      do throws(LocalFileFault) { try write(chunk) } catch { failure = error }
      guard wrote(chunk.count, failure) else { return }
    }
  }

  /// False when nothing more is to be written.
  private func wrote(_ count: Int, _ failure: LocalFileFault?) -> Bool {
    let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      state.bytes -= count
      if let failure {
        (state.failure, state.waiting, state.bytes, state.isWorking) = (failure, [], 0, false)
      }
      return state.bytes <= state.limit ? state.waiter.take() : nil
    }
    waiter?.resume()
    return failure == nil
  }

  private func next() -> ByteChunk? {
    state.withLock { state in
      if state.waiting.isEmpty { state.isWorking = false }
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}
