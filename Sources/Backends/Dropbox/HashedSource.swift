internal import FileStores
internal import Synchronization

/// Hashes a source while it is read, and checks its size before the last bytes.
final class HashedSource: ByteSource {
  private struct State {
    var lane: ContentHashLane?
    var isWhole = false
  }

  private let base: any ByteSource
  private let declared: UInt64
  private let path: StorePath
  private let pool: BlockingPool
  private let state = Mutex(State())

  init(_ base: any ByteSource, size: UInt64, for path: StorePath, pool: BlockingPool) {
    (self.base, declared, self.path, self.pool) = (base, size, path, pool)
  }

  var size: UInt64? { declared }
  var isWhole: Bool { state.withLock { $0.isWhole } }

  func delivered(_ count: UInt64) { base.delivered(count) }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let lane = offset == 0 ? ContentHashLane(pool: pool) : nil
    state.withLock { $0 = State(lane: lane) }
    return Reading(base: try await base.open(at: offset), lane: lane, total: offset, source: self)
  }

  /// The hash of all bytes; call it once. Reads the source again unless one reading delivered all bytes.
  func hash() async throws(StoreError) -> ContentHash {
    if let lane = state.withLock({ $0.isWhole ? $0.lane : nil }) { return await lane.finish() }
    let lane = ContentHashLane(pool: pool)
    var reading = try await base.open(at: 0)
    while let chunk = try await reading.next() { await lane.add(chunk) }
    return await lane.finish()
  }

  private struct Reading: ByteReading {
    var base: any ByteReading
    let lane: ContentHashLane?
    var total: UInt64
    let source: HashedSource
    /// One chunk is held back until the next is known, because the last one needs the size check.
    var held: ByteChunk?
    var isAtEnd = false

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if held == nil { held = try await pull() }
      guard let chunk = held else { return nil }
      held = try await pull()
      return chunk
    }

    private mutating func pull() async throws(StoreError) -> ByteChunk? {
      guard !isAtEnd else { return nil }
      guard let chunk = try await base.next() else {
        isAtEnd = true
        if total != source.declared { throw .wrongLength(source.path, declared: source.declared, given: total) }
        if lane != nil { source.state.withLock { $0.isWhole = true } }
        return nil
      }
      if Task.isCancelled { throw .cancelled("The writing of \"\(source.path)\"", path: source.path) }
      total += UInt64(chunk.count)
      if total > source.declared { throw .wrongLength(source.path, declared: source.declared, given: nil) }
      await lane?.add(chunk)
      return chunk
    }
  }
}
