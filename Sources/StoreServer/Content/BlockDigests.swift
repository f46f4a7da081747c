import FileStores

/// The SHA-256 of each block of 4 MiB that some bytes have, 32 bytes each, in order: what a `ContentHash` is made of.
/// Source: https://www.dropbox.com/developers/reference/content-hash
struct BlockDigests: Sendable, Equatable {
  static let blockBytes = UInt64(ContentHasher.blockBytes)
  static let digestBytes = 32
  private(set) var bytes: [UInt8] = []

  /// How many blocks there are.
  var count: Int { bytes.count / BlockDigests.digestBytes }

  /// The digest of one block.
  subscript(number: Int) -> ByteChunk {
    bytes[number * BlockDigests.digestBytes..<(number + 1) * BlockDigests.digestBytes]
  }

  /// Adds the digest of the next block.
  mutating func append(_ digest: some Collection<UInt8>) { bytes += digest }

  /// The checksum of all that has these blocks.
  var hash: ContentHash? { ContentHash(hex: SHA256.hexadecimal(of: bytes)) }
}
