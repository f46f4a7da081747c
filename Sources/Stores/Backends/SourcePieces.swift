internal import FileStores

/// The bytes of a source in pieces of one size. The last, perhaps shorter piece comes only after the source has ended
/// at its declared size.
struct SourcePieces {
  private var reading: any ByteReading
  private let declared: UInt64?
  private let path: StorePath
  private let pieceBytes: Int
  private var total: UInt64 = 0
  private var buffer: [UInt8] = []
  private let whole = ContentHasher()

  init(_ source: any ByteSource, for path: StorePath, pieceBytes: Int) async throws(StoreError) {
    declared = source.size
    reading = try await source.open(at: 0)
    self.path = path
    self.pieceBytes = pieceBytes
  }

  /// The next piece. An empty source has one empty piece; do not call after the last.
  mutating func next() async throws(StoreError) -> (bytes: [UInt8], isLast: Bool) {
    while buffer.count <= pieceBytes {
      guard let chunk = try await reading.next() else { return try last() }
      if Task.isCancelled { throw .cancelled("The writing of \"\(path)\"", path: path) }
      total += UInt64(chunk.count)
      if let declared, total > declared { throw .wrongLength(path, declared: declared, given: nil) }
      buffer.append(contentsOf: chunk)
    }
    let piece = Array(buffer.prefix(pieceBytes))
    buffer.removeFirst(pieceBytes)
    whole.update(piece[...])
    return (piece, false)
  }

  private mutating func last() throws(StoreError) -> (bytes: [UInt8], isLast: Bool) {
    if let declared, total != declared { throw .wrongLength(path, declared: declared, given: total) }
    whole.update(buffer[...])
    defer { buffer = [] }
    return (buffer, true)
  }

  func finishHash() -> ContentHash { whole.finish() }
}
