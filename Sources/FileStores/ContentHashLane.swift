import Synchronization

/// Takes a content hash on a thread beside the task that brings the bytes: while some are hashed, the next can come.
///
/// Used by one task at a time. Chunks are hashed in the order of the calls; at most 1 MiB and a chunk wait.
public final class ContentHashLane: Sendable {
  /// Handing over so few bytes costs more than hashing them.
  private static let fewBytes = 64 << 10
  private let hasher = Mutex(ContentHasher())
  private let lane: ChunkLane<Never>

  /// Starts an empty message; `pool` lends the thread.
  public init(pool: BlockingPool) { lane = ChunkLane(pool: pool) }

  /// Adds bytes. Returns when not too many wait.
  public func add(_ bytes: ByteChunk) async {
    if bytes.count <= ContentHashLane.fewBytes, lane.isIdle { return hasher.withLock { $0.update(bytes) } }
    await lane.add(bytes) { [self] bytes in hasher.withLock { $0.update(bytes) } }
  }

  /// The hash of all that was added; afterwards the lane is ready for the next message.
  public func finish() async -> ContentHash { await finishBlocks().hash }

  /// The digests of the blocks of all that was added; afterwards the lane is ready for the next message.
  public func finishBlocks() async -> BlockDigests {
    await lane.finish()
    return hasher.withLock { $0.finishBlocks() }
  }
}
