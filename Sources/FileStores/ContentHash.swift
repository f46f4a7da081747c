internal import COpenSSL

/// The checksum that Dropbox calls `content_hash`: SHA-256 over the SHA-256 of each block of 4 MiB.
/// Source: https://www.dropbox.com/developers/reference/content-hash
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let hex: String

  /// Takes a hash from outside; nil unless it is 64 hexadecimal digits.
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

  /// The hash of bytes in memory.
  public init(of bytes: some Sequence<UInt8>) {
    let hasher = ContentHasher()
    hasher.update(Array(bytes)[...])
    self = hasher.finish()
  }

  /// The hexadecimal digits.
  public var description: String { hex }
}

/// Makes a `ContentHash` of bytes that come in pieces, or the digests that it is made of. Used from one task at a time.
public final class ContentHasher {
  /// 4 MiB.
  public static let blockBytes = 4 * 1024 * 1024
  private let block = SHA256()
  private var inBlock = 0
  private var done = BlockDigests()

  /// Starts an empty message.
  public init() {}

  /// Adds bytes.
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

  /// The hash of all that was added; afterwards the hasher is ready for the next message.
  public func finish() -> ContentHash { finishBlocks().hash }

  /// The digests of the blocks of all that was added, the last one with what there is of it; afterwards the hasher is
  /// ready for the next message.
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

/// SHA-256 (FIPS 180-4) by OpenSSL: about 1.1 GB/s a core. Used from one task at a time.
public final class SHA256 {
  private let context: OpaquePointer?

  /// Starts an empty message.
  public init() {
    context = co_sha256_new()
    precondition(context != nil, "no memory for a SHA-256 context")
  }

  deinit { co_sha256_free(context) }

  /// Adds bytes.
  public func update(_ bytes: ByteChunk) {
    bytes.withUnsafeBytes { co_sha256_update(context, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes of the digest; afterwards ready for the next message.
  public func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      co_sha256_finish(context, buffer.baseAddress)
      count = 32
    }
  }

  /// The digest of bytes in memory, as 64 lower-case hexadecimal digits.
  public static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    hexadecimal(digest(of: Array(bytes)))
  }

  static func digest(of bytes: [UInt8]) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes[...])
    return hash.finish()
  }

  static func hexadecimal(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
