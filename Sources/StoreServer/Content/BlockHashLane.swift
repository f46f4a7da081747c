import FileStores
import Synchronization

/// As `ContentHashLane`, for who wants to know what each block has.
///
/// Used by one task at a time. Chunks are hashed in the order of the calls; at most 1 MiB and a chunk wait.
final class BlockHashLane: Sendable {
  private struct State {
    let block = SHA256()
    var inBlock = 0
    var done = BlockDigests()

    mutating func update(_ bytes: ByteChunk) {
      var rest = bytes
      while !rest.isEmpty {
        let piece = rest.prefix(ContentHasher.blockBytes - inBlock)
        block.update(piece)
        inBlock += piece.count
        rest = rest.dropFirst(piece.count)
        if inBlock == ContentHasher.blockBytes { close() }
      }
    }

    mutating func close() {
      done.append(block.finish())
      inBlock = 0
    }
  }

  /// Handing over so few bytes costs more than hashing them.
  private static let fewBytes = 64 << 10
  private let state = Mutex(State())
  private let lane: ChunkLane<Never>

  /// Starts an empty message; `pool` lends the thread.
  init(pool: BlockingPool) { lane = ChunkLane(pool: pool) }

  /// Adds bytes. Returns when not too many wait.
  func add(_ bytes: ByteChunk) async {
    if bytes.count <= BlockHashLane.fewBytes, lane.isIdle { return state.withLock { $0.update(bytes) } }
    await lane.add(bytes) { [self] bytes in state.withLock { $0.update(bytes) } }
  }

  /// The blocks of all that was added, the last one with what there is of it. Nothing is added after this.
  func finish() async -> BlockDigests {
    await lane.finish()
    return state.withLock { state in
      if state.inBlock > 0 { state.close() }
      return state.done
    }
  }
}
