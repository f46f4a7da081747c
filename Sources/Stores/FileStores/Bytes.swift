public typealias ByteChunk = ArraySlice<UInt8>

public protocol ByteSource: Sendable {
  /// The number of bytes, if known. A store checks it.
  var size: UInt64? { get }
  /// The time of the last change of the content, for a store that keeps it; nil for the time of the write.
  var modified: Timestamp? { get }
  /// Starts a reading at `offset`. A store may open a source more than once (a retry), one reading at a time.
  /// - Throws: a `StoreError` if the bytes cannot be read.
  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading
  /// Called during a write, from any thread, one call at a time, after the store has taken the first `count` bytes. A
  /// smaller count than before means a repetition. Must return at once.
  func delivered(_ count: UInt64)
}

extension ByteSource {
  public var modified: Timestamp? { nil }
  public func delivered(_ count: UInt64) {}
}

public protocol ByteReading: Sendable {
  /// The next bytes; nil at the end.
  mutating func next() async throws(StoreError) -> ByteChunk?
}

public struct DataSource: ByteSource {
  private let bytes: [UInt8]
  private let chunkSize: Int
  /// The time of the last change of the content; nil for the time of the write.
  public let modified: Timestamp?

  public init(_ bytes: some Sequence<UInt8>, chunkSize: Int = 256 * 1024, modified: Timestamp? = nil) {
    self.bytes = Array(bytes)
    self.chunkSize = chunkSize
    self.modified = modified
  }

  public var size: UInt64? { UInt64(bytes.count) }

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
