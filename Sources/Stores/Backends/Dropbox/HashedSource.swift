internal import Basics
internal import FileStores
internal import Synchronization

/// Hashes a source while it is read, and checks its size before the last bytes.
final class HashedSource: ByteSource {
  private struct State {
    var lane: ContentHashLane?
    var isWhole = false
  }

  private let base: any ByteSource
  private let checked: LengthCheckedSource
  private let pool: BlockingPool
  private let state = Mutex(State())

  init(_ base: any ByteSource, size: UInt64, for path: StorePath, pool: BlockingPool) {
    (self.base, self.pool) = (base, pool)
    checked = LengthCheckedSource(base, size: size, for: path)
  }

  var size: UInt64? { checked.size }
  var isWhole: Bool { state.withLock { $0.isWhole } }

  func delivered(_ count: UInt64) { base.delivered(count) }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let lane = offset == 0 ? ContentHashLane(pool: pool) : nil
    state.withLock { $0 = State(lane: lane) }
    return Reading(base: try await checked.reading(at: offset), lane: lane, source: self)
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
    var base: LengthCheckedSource.Reading
    let lane: ContentHashLane?
    let source: HashedSource

    mutating func next() async throws(StoreError) -> ByteChunk? {
      let chunk = try await base.next()
      if let lane, let chunk { await lane.add(chunk) }
      if lane != nil, base.isWhole { source.state.withLock { $0.isWhole = true } }
      return chunk
    }
  }
}
