/// Uploads in pieces, which can go on after a break, another process, or a reboot.
///
/// The order is begin, append (any number, at growing offsets), finish; or abandon.
public protocol ResumableUploads: Sendable {
  /// Bytes that an append should carry, but for the last.
  var pieceBytes: Int { get }
  /// Starts one. Nothing is visible at `path` before `finish`.
  func begin(_ path: StorePath) async throws(StoreError) -> UploadSession
  /// Appends bytes at an offset, durably.
  /// - Returns: the offset that the store now has.
  /// - Throws: `conflict` when the store does not have exactly `offset` bytes (ask `offset(of:)`, then go on from
  ///   there); `notFound` when the session is gone.
  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64
  /// Appends `count` of a source's bytes, from its byte `offset` on: as `append` of bytes, without having them all in
  /// memory where the store can do so. What the source throws is thrown on; one that ends before is `badInput`.
  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64
  /// How many bytes the store has.
  func offset(of session: UploadSession) async throws(StoreError) -> UInt64
  /// Gives the bytes their name. Conditions are those of `put`.
  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry
  /// Throws away what was sent. A session that is gone is no error.
  func abandon(_ session: UploadSession) async throws(StoreError)
}

extension ResumableUploads {
  /// Reads the bytes, then appends them.
  public func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var reading = try await source.open(at: offset)
    while bytes.count < count {
      guard let chunk = try await reading.next() else {
        throw StoreError(.badInput, "The source ended after \(offset + UInt64(bytes.count)) bytes.")
      }
      bytes.append(contentsOf: chunk.prefix(count - bytes.count))
    }
    let reached = try await append(bytes[...], to: session, at: offset)
    source.delivered(reached)
    return reached
  }
}

/// An upload under way, by the store's word for it.
public struct UploadSession: Hashable, Sendable {
  /// The store's word; printable ASCII.
  public let id: String
  /// Wraps the store's word.
  public init(_ id: String) { self.id = id }
}
