/// The SHA-256 of each block of 4 MiB that some bytes have, 32 bytes each, in order: what a `ContentHash` is made of.
/// Source: https://www.dropbox.com/developers/reference/content-hash
public struct BlockDigests: Sendable, Equatable {
  /// 4 MiB.
  public static let blockBytes = UInt64(ContentHasher.blockBytes)
  /// 32.
  public static let digestBytes = 32
  /// All digests, one after the other.
  public private(set) var bytes: [UInt8] = []

  /// Of no bytes.
  public init() {}

  /// How many blocks there are.
  public var count: Int { bytes.count / BlockDigests.digestBytes }

  /// The digest of one block, which must be there.
  public subscript(number: Int) -> ByteChunk {
    bytes[number * BlockDigests.digestBytes..<(number + 1) * BlockDigests.digestBytes]
  }

  /// Adds the digest of the next block.
  public mutating func append(_ digest: some Collection<UInt8>) { bytes += digest }

  /// The checksum of all that has these blocks.
  public var hash: ContentHash { ContentHash(digest: SHA256.digest(of: bytes)) }
}
