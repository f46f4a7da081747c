import Synchronization

/// Takes a content hash on a thread beside the task that brings the bytes: while some are hashed, the next can come.
///
/// Used by one task at a time. Chunks are hashed in the order of the calls; at most 1 MiB and a chunk wait.
public final class ContentHashLane: Sendable {
  private struct State {
    var waiting: [ByteChunk] = []
    /// What waits, and what is being hashed.
    var bytes = 0
    var isWorking = false
    var limit = 0
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private static let mostBytes = 1 << 20
  /// Handing over so few bytes costs more than hashing them.
  private static let fewBytes = 64 << 10
  private let state = Mutex(State())
  private let hasher = Mutex(ContentHasher())
  private let pool: BlockingPool

  /// Starts an empty message; `pool` lends the thread.
  public init(pool: BlockingPool) { self.pool = pool }

  /// Adds bytes. Returns when not too many wait.
  public func add(_ bytes: ByteChunk) async {
    let (isOwn, starts) = state.withLock { state -> (Bool, Bool) in
      if !state.isWorking, bytes.count <= ContentHashLane.fewBytes { return (true, false) }
      state.waiting.append(bytes)
      state.bytes += bytes.count
      defer { state.isWorking = true }
      return (false, !state.isWorking)
    }
    if isOwn { hasher.withLock { $0.update(bytes) } }
    if starts { pool.submit { [self] in work() } }
    await wait(until: ContentHashLane.mostBytes)
  }

  /// The hash of all that was added; afterwards the lane is ready for the next message.
  public func finish() async -> ContentHash {
    await wait(until: 0)
    return hasher.withLock { $0.finish() }
  }

  private func wait(until limit: Int) async {
    if state.withLock({ $0.bytes <= limit }) { return }
    await withUnsafeContinuation { continuation in
      let isThere = state.withLock { state -> Bool in
        if state.bytes <= limit { return true }
        (state.limit, state.waiter) = (limit, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func work() {
    while let chunks = next() {
      for chunk in chunks {
        hasher.withLock { $0.update(chunk) }
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
          state.bytes -= chunk.count
          return state.bytes <= state.limit ? state.waiter.take() : nil
        }
        waiter?.resume()
      }
    }
  }

  private func next() -> [ByteChunk]? {
    state.withLock { state in
      defer { state.waiting = [] }
      if state.waiting.isEmpty { state.isWorking = false }
      return state.waiting.isEmpty ? nil : state.waiting
    }
  }
}
