import FileStores

/// One piece of a file that goes up in pieces: read, hashed and paced as it is sent, so that little of it is in memory.
struct PieceSource: ByteSource {
  let file: SourceFile
  let line: TransferLine
  /// Where the piece ends.
  let end: UInt64

  var size: UInt64? { end }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(file: file, line: line, end: end, offset: offset)
  }

  private struct Reading: ByteReading {
    let file: SourceFile
    let line: TransferLine
    let end: UInt64
    var offset: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard offset < end else { return nil }
      let bytes = try await file.read(from: offset, count: min(await line.chunkBytes, Int(clamping: end - offset)))
      try await line.take(bytes.count)
      offset += UInt64(bytes.count)
      return bytes[...]
    }
  }
}
