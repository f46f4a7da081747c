/// A run of a file's bytes.
public typealias ByteChunk = ArraySlice<UInt8>

/// Bytes to be written, pulled one chunk at a time.
public protocol ByteSource: Sendable {
  /// How many bytes there will be, when that is known. A store holds the source to it.
  var size: UInt64? { get }
  /// When the content last changed, for a store that keeps a file's own time; nil for the moment of the writing.
  var modified: Timestamp? { get }
  /// Starts a reading at `offset`. A store may open a source more than once (a retry), one reading at a time.
  /// - Throws: what hinders reading, as a `StoreError`.
  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading
  /// The store can have the source's first `count` bytes. A store calls this while it writes, from any thread, one call
  /// at a time; a smaller count than before means that the bytes go once more. Returns at once.
  func delivered(_ count: UInt64)
}

extension ByteSource {
  /// The moment of the writing.
  public var modified: Timestamp? { nil }
  /// Ignores the count.
  public func delivered(_ count: UInt64) {}
}

/// One reading of a source.
public protocol ByteReading: Sendable {
  /// The next bytes; nil at the end.
  mutating func next() async throws(StoreError) -> ByteChunk?
}

/// Bytes in memory as a source.
public struct DataSource: ByteSource {
  private let bytes: [UInt8]
  private let chunkSize: Int
  /// When the content last changed; nil for the moment of the writing.
  public let modified: Timestamp?

  /// Wraps bytes; they are handed out in chunks of `chunkSize` bytes.
  public init(_ bytes: some Sequence<UInt8>, chunkSize: Int = 256 * 1024, modified: Timestamp? = nil) {
    self.bytes = Array(bytes)
    self.chunkSize = chunkSize
    self.modified = modified
  }

  /// How many bytes there will be.
  public var size: UInt64? { UInt64(bytes.count) }

  /// Starts a reading at an offset; see `ByteSource`.
  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(rest: bytes.dropFirst(Int(clamping: offset)), chunkSize: chunkSize)
  }

  private struct Reading: ByteReading {
    var rest: ByteChunk
    let chunkSize: Int
    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(chunkSize) }
      return rest.prefix(chunkSize)
    }
  }
}
