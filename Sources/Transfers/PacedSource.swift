import FileStores

/// A file, or a piece of it, that goes up: read and hashed as it is sent, no faster than is allowed. What the store can
/// have of it goes to `meter`.
struct PacedSource: ByteSource {
  let file: SourceFile
  let line: TransferLine
  let meter: UploadMeter
  /// Where it ends.
  let end: UInt64

  var size: UInt64? { end }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(file: file, line: line, end: end, offset: offset)
  }

  func delivered(_ count: UInt64) { meter.delivered(count) }

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
