public import FileStores

/// What a request sends after its header.
public enum HTTPBody: Sendable {
  /// Nothing.
  case empty
  /// Bytes in memory.
  case bytes([UInt8])
  /// A source's bytes, from an offset on. With `length`, exactly so many are sent, and a source that ends before them
  /// is `badInput`; without, all that there are, in chunks.
  case source(any ByteSource, from: UInt64, length: UInt64?)

  /// How many bytes will be sent, when that is known.
  public var length: UInt64? {
    switch self {
    case .empty: 0
    case .bytes(let bytes): UInt64(bytes.count)
    case .source(_, _, let length): length
    }
  }
}
