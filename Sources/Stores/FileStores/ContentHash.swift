public import Basics
internal import Synchronization

/// Dropbox's `content_hash`: SHA-256 over the SHA-256 of each block of 4 MiB. Source:
/// https://www.dropbox.com/developers/reference/content-hash
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let hex: String

  /// nil unless the text is 64 hexadecimal digits.
  public init?(hex: String) {
    guard hex.utf8.count == 64 else { return nil }
    var isSmall = true
    for byte in hex.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): break
      case UInt8(ascii: "A")...UInt8(ascii: "F"): isSmall = false
      default: return nil
      }
    }
    self.hex = isSmall ? hex : hex.lowercased()
  }

  init(digest: [UInt8]) {
    hex = SHA256.hexadecimal(digest)
  }

  public init(of bytes: some Sequence<UInt8>) {
    let hasher = ContentHasher()
    hasher.update(Array(bytes)[...])
    self = hasher.finish()
  }

  public var description: String { hex }
}

/// Computes the `ContentHash` or the block digests of bytes in pieces. Used from one task at a time.
public final class ContentHasher {
  public static let blockBytes = 4 * 1024 * 1024
  private let block = SHA256()
  private var inBlock = 0
  private var done = BlockDigests()

  public init() {}

  public func update(_ bytes: ByteChunk) {
    var rest = bytes
    while !rest.isEmpty {
      let piece = rest.prefix(ContentHasher.blockBytes - inBlock)
      block.update(piece)
      inBlock += piece.count
      rest = rest.dropFirst(piece.count)
      if inBlock == ContentHasher.blockBytes { closeBlock() }
    }
  }

  /// The hash of all added bytes; afterwards the hasher is ready for the next message.
  public func finish() -> ContentHash { finishBlocks().hash }

  /// The block digests of all added bytes; afterwards the hasher is ready for the next message. The last block may be
  /// short.
  public func finishBlocks() -> BlockDigests {
    if inBlock > 0 { closeBlock() }
    defer { done = BlockDigests() }
    return done
  }

  private func closeBlock() {
    done.append(block.finish())
    inBlock = 0
  }
}

/// The SHA-256 of each block of 4 MiB, 32 bytes each, in order. Source:
/// https://www.dropbox.com/developers/reference/content-hash
public struct BlockDigests: Sendable, Equatable {
  public static let blockBytes = UInt64(ContentHasher.blockBytes)
  public static let digestBytes = 32
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public var count: Int { bytes.count / BlockDigests.digestBytes }

  public subscript(number: Int) -> ByteChunk {
    bytes[number * BlockDigests.digestBytes..<(number + 1) * BlockDigests.digestBytes]
  }

  public mutating func append(_ digest: some Collection<UInt8>) { bytes += digest }

  public var hash: ContentHash { ContentHash(digest: SHA256.digest(of: bytes)) }
}

/// Computes a content hash on another thread than the task that brings the bytes. Used by one task at a time; reusable
/// after `finish`. At most 1 MiB and a chunk wait.
public final class ContentHashLane: Sendable {
  /// Handing over fewer bytes costs more than hashing them.
  private static let fewBytes = 64 << 10
  private let hasher = Mutex(ContentHasher())
  private let lane: ChunkLane<Never>

  public init(pool: BlockingPool) { lane = ChunkLane(pool: pool) }

  public func add(_ bytes: ByteChunk) async {
    if bytes.count <= ContentHashLane.fewBytes, lane.isIdle { return hasher.withLock { $0.update(bytes) } }
    await lane.add(bytes) { [self] bytes in hasher.withLock { $0.update(bytes) } }
  }

  public func finish() async -> ContentHash { await finishBlocks().hash }

  public func finishBlocks() async -> BlockDigests {
    await lane.finish()
    return hasher.withLock { $0.finishBlocks() }
  }
}
