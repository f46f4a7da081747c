import FileStores

/// A part of some content as a source.
struct ContentPart: ByteSource {
  let whole: Content
  let range: Range<UInt64>

  var size: UInt64? { range.upperBound - range.lowerBound }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let start = min(range.lowerBound + offset, range.upperBound)
    return Reading(base: try await whole.source.open(at: start), left: range.upperBound - start)
  }

  private struct Reading: ByteReading {
    var base: any ByteReading
    var left: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard left > 0, let chunk = try await base.next() else { return nil }
      let part = chunk.prefix(Int(clamping: left))
      left -= UInt64(part.count)
      return part
    }
  }
}
