import FileStores

/// A file that goes up by a single put: reports what was taken, and hands it out no faster than is allowed. A chunk
/// counts when the next one is asked for, as the store has then done with it.
struct PacedSource: ByteSource {
  let file: SourceFile
  let line: TransferLine
  /// True when a count was told before, so that another start has to be said.
  let isAgain: Bool

  var size: UInt64? { file.bytes }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    if isAgain || offset > 0 { try await line.resumed(at: offset) }
    return Reading(file: file, line: line, offset: offset)
  }

  private struct Reading: ByteReading {
    let file: SourceFile
    let line: TransferLine
    var offset: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if offset > 0 { try await line.progressed(to: offset) }
      let bytes = try await file.read(from: offset, count: await line.chunkBytes)
      guard !bytes.isEmpty else { return nil }
      try await line.take(bytes.count)
      offset += UInt64(bytes.count)
      return bytes[...]
    }
  }
}
