import Basics
import FileStores
import Synchronization

/// The file of an upload, opened once, read and hashed in one pass. All bytes come from one content: once the file has
/// changed, reading throws `badInput` and `isChanged` is true.
final class UploadSource: Sendable {
  /// Bytes per read when they are hashed but not sent.
  private static let hashedBytes = 4 << 20

  private struct Hash {
    let hasher = ContentHasher()
    var count: UInt64 = 0
    var isChanged = false
    var known: ContentHash?
  }

  let source: FileSource
  private let file: LocalFile
  private let hash = Mutex(Hash())
  private let probe: TransferSettings.ReadProbe?

  /// - Throws: errors of `FileSource`.
  init(path: String, pool: BlockingPool, _ probe: TransferSettings.ReadProbe? = nil) async throws(StoreError) {
    (source, file) = try await FileSource.open(path, pool)
    self.probe = probe
  }

  var bytes: UInt64 { source.stamp.size }
  /// Identifies this content, also after a restart.
  var stamp: String { source.stampText }

  /// Takes `known` as the hash of this content, unless the file is too new for a certain stamp.
  func trust(_ known: ContentHash, at time: Timestamp) {
    guard source.stamp.isSettled(at: time.seconds) else { return }
    hash.withLock { $0.known = known }
  }

  var isChanged: Bool { hash.withLock { $0.isChanged } }

  func read(from offset: UInt64, count: Int) async throws(StoreError) -> [UInt8] {
    try await hashUp(to: offset)
    return try await readOnce(from: offset, count: count)
  }

  func contentHash() async throws(StoreError) -> ContentHash {
    if let known = hash.withLock({ $0.known }) { return known }
    try await hashUp(to: bytes)
    return hash.withLock { hash in
      let whole = hash.known ?? hash.hasher.finish()
      hash.known = whole
      return whole
    }
  }

  private func hashUp(to offset: UInt64) async throws(StoreError) {
    while true {
      let (count, isKnown) = hash.withLock { ($0.count, $0.known != nil) }
      guard count < offset, !isKnown else { return }
      _ = try await readOnce(from: count, count: min(Self.hashedBytes, Int(clamping: offset - count)))
    }
  }

  private func readOnce(from offset: UInt64, count: Int) async throws(StoreError) -> [UInt8] {
    do throws(StoreError) {
      return try await source.read(file, from: offset, count: count) { [self] read in
        probe?(read.count)
        hash.withLock { hash in
          let end = offset + UInt64(read.count)
          guard hash.known == nil, offset <= hash.count, end > hash.count else { return }
          hash.hasher.update(read[Int(hash.count - offset)...])
          hash.count = end
        }
      }
    } catch {
      if error.kind == .badInput { hash.withLock { $0.isChanged = true } }
      throw error
    }
  }
}

/// The bytes of one request, up to `end`, sent no faster than the limit. Counts the bytes that the store takes.
struct SentPiece: ByteSource {
  private let source: UploadSource
  private let job: JobContext
  private let end: UInt64
  /// Only the newest count waits.
  private let counts: AsyncStream<UInt64>
  private let feed: AsyncStream<UInt64>.Continuation

  init(_ source: UploadSource, upTo end: UInt64, _ job: JobContext) {
    (self.source, self.end, self.job) = (source, end, job)
    (counts, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var size: UInt64? { end }
  var modified: Timestamp? { source.source.modified }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading { Reading(piece: self, offset: offset) }

  func delivered(_ count: UInt64) { feed.yield(count) }

  /// Sends the piece, and reports the delivered bytes to the engine until the store has answered.
  func sent<Value: Sendable>(
    by request: (SentPiece) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    async let reports: Void = report()
    let result = await Result.catching { () throws(StoreError) in try await request(self) }
    feed.finish()
    await reports
    return try result.get()
  }

  private func report() async {
    // Stopping a job also cancels its request.
    for await count in counts where await !job.engine.delivered(job.id, to: count) { return }
  }

  private struct Reading: ByteReading {
    let piece: SentPiece
    var offset: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard offset < piece.end else { return nil }
      let engine = piece.job.engine
      let bytes = try await piece.source.read(
        from: offset, count: min(await engine.chunkBytes, Int(clamping: piece.end - offset)))
      try await engine.take(bytes.count)
      offset += UInt64(bytes.count)
      return bytes[...]
    }
  }
}

/// The size of an upload's next piece in bytes: about a second's worth. Progress is then lively, a kill costs little,
/// and a fast connection does not wait for answers.
struct PieceSize: Sendable, Hashable {
  private static let smallest = 256 * 1024
  /// Pieces that take longer become smaller; pieces that take less than half become larger.
  private static let aim = Duration.milliseconds(1500)

  private let largest: Int
  private let isExact: Bool
  private(set) var bytes: Int

  /// The size keeps to the store's rule: an exact one never changes.
  init(_ rule: UploadPiece, largest: Int) {
    switch rule {
    case .upTo:
      (self.largest, isExact) = (max(1, largest), false)
      bytes = min(self.largest, 4 * Self.smallest)
    case .exactly(let bytes):
      (self.largest, isExact, self.bytes) = (max(1, bytes), true, max(1, bytes))
    }
  }

  mutating func learn(_ sent: Int, took time: Duration) {
    guard !isExact, sent >= min(bytes, ContentHasher.blockBytes) else { return }
    if time > Self.aim {
      bytes = max(min(largest, Self.smallest), bytes / 2)
    } else if time < Self.aim / 2 {
      bytes = min(largest, bytes * 2)
    }
  }

  /// The next piece under a limit of bytes a second: half a second's worth, but at least 16 KiB. A large one ends where a
  /// block of the content hash does: a server that hashes what comes need not read it again.
  func next(limit: UInt64?, at offset: UInt64) -> Int {
    if isExact { return bytes }
    let count = min(bytes, limit.map { max(16 * 1024, Int(clamping: $0 / 2)) } ?? bytes)
    let inBlock = Int(offset % UInt64(ContentHasher.blockBytes))
    return count < ContentHasher.blockBytes ? count : count - (inBlock + count) % ContentHasher.blockBytes
  }
}
