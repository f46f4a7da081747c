import FileStores

/// Bytes of which those from some place on wait at a gate.
struct HeldSource: ByteSource {
  private let bytes: [UInt8]
  private let mark: Int
  private let gate: Gate

  init(_ bytes: [UInt8], from mark: Int, gate: Gate) {
    (self.bytes, self.mark, self.gate) = (bytes, mark, gate)
  }

  var size: UInt64? { UInt64(bytes.count) }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(rest: bytes.dropFirst(Int(offset)), mark: mark, gate: gate)
  }

  private struct Reading: ByteReading {
    var rest: ByteChunk
    let mark: Int
    let gate: Gate

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if rest.startIndex >= mark {
        await gate.pass()
        if Task.isCancelled { throw .cancelled("Reading") }
      }
      guard !rest.isEmpty else { return nil }
      let count = rest.startIndex < mark ? min(100_000, mark - rest.startIndex) : 100_000
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
