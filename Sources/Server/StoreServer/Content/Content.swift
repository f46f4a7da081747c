import Basics
import FileStores
import Synchronization

/// Bytes of a future file: small ones in memory, large ones in a file of the server's own.
final class Content: Sendable {
  enum Fate {
    /// It is deleted with the last reference, unless it is moved into the club first.
    case removed
    /// It stays and may be moved into the club; its owner notices the move.
    case takeable
    case kept
  }

  let source: any ByteSource
  let size: UInt64
  let blocks: BlockDigests?
  let takeablePath: String?
  fileprivate let file: LocalFile?
  private let known: Mutex<ContentHash?>
  private let pool: BlockingPool

  init(_ bytes: [UInt8], pool: BlockingPool) {
    self.pool = pool
    source = DataSource(bytes)
    size = UInt64(bytes.count)
    (blocks, takeablePath, file) = (nil, nil, nil)
    known = Mutex(nil)
  }

  /// - Parameter blocks: the digests of all blocks, if known; the checksum is derived from them.
  init(
    _ file: LocalFile, size: UInt64, hash: ContentHash? = nil, blocks: BlockDigests? = nil, fate: Fate,
    pool: BlockingPool
  ) {
    self.pool = pool
    source = LocalFileSource(file: file, bytes: size, pool: pool)
    self.size = size
    self.blocks = blocks
    takeablePath = fate == .kept ? nil : file.path
    self.file = fate == .removed ? file : nil
    known = Mutex(hash ?? blocks?.hash)
  }

  fileprivate init(_ source: any ByteSource, size: UInt64, pool: BlockingPool) {
    self.source = source
    self.size = size
    self.pool = pool
    (blocks, takeablePath, file) = (nil, nil, nil)
    known = Mutex(nil)
  }

  deinit { file?.remove() }

  /// A range of the bytes; it keeps the whole alive.
  func part(_ range: Range<UInt64>) -> Content {
    Content(ContentPart(whole: self, range: range), size: UInt64(range.count), pool: pool)
  }

  func hash() async throws(StoreError) -> ContentHash {
    if let hash = known.withLock({ $0 }) { return hash }
    let hasher = ContentHashLane(pool: pool)
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { await hasher.add(chunk) }
    let hash = await hasher.finish()
    known.withLock { $0 = hash }
    return hash
  }

  /// All of them, in memory.
  func bytes() async throws(StoreError) -> [UInt8] {
    var (bytes, reading) = ([UInt8](), try await source.open(at: 0))
    while let chunk = try await reading.next() { bytes += chunk }
    return bytes
  }

  func learn(_ hash: ContentHash?) { if let hash { known.withLock { $0 = hash } } }
}

extension Content {
  /// Renames the server's own file, which then stays.
  func move(to target: String) throws(StoreError) { try file?.rename(to: target) }
}

private struct ContentPart: ByteSource {
  let whole: Content
  let range: Range<UInt64>

  var size: UInt64? { range.upperBound - range.lowerBound }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let start = min(range.lowerBound + offset, range.upperBound)
    return Reading(base: try await whole.source.open(at: start), left: range.upperBound - start)
  }

  private struct Reading: ByteReading {
    var base: any ByteReading
    var left: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard left > 0, let chunk = try await base.next() else { return nil }
      let part = chunk.prefix(Int(clamping: left))
      left -= UInt64(part.count)
      return part
    }
  }
}
