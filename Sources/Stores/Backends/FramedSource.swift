internal import FileStores

struct FramedSource: ByteSource {
  let head: [UInt8]
  let source: any ByteSource
  let offset: UInt64
  let length: UInt64?
  let tail: [UInt8]

  var size: UInt64? { length.map { UInt64(head.count) + $0 + UInt64(tail.count) } }

  func open(at start: UInt64) async throws(StoreError) -> any ByteReading {
    let skipped = min(start, UInt64(head.count))
    var rest = start - skipped
    let inside = min(rest, length ?? rest)
    rest -= inside
    return Reading(
      ahead: head.dropFirst(Int(clamping: skipped)), source: try await source.open(at: offset + inside),
      left: length.map { $0 - inside }, behind: tail.dropFirst(Int(clamping: rest)))
  }

  private struct Reading: ByteReading {
    var ahead: ByteChunk
    var source: (any ByteReading)?
    var left: UInt64?
    var behind: ByteChunk

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if !ahead.isEmpty {
        defer { ahead = [] }
        return ahead
      }
      if let chunk = try await inside() { return chunk }
      defer { behind = [] }
      return behind.isEmpty ? nil : behind
    }

    private mutating func inside() async throws(StoreError) -> ByteChunk? {
      guard let chunk = try await source?.next() else {
        source = nil
        if let left, left > 0 { throw StoreError(.badInput, "The source ended \(left) bytes too early.") }
        return nil
      }
      guard let left else { return chunk }
      guard UInt64(chunk.count) <= left else { throw StoreError(.badInput, "The source has more bytes than its size.") }
      self.left = left - UInt64(chunk.count)
      return chunk
    }
  }
}
