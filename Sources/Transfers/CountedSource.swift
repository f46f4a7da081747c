import FileStores
import Synchronization

/// A source that reports what was taken from it: a chunk counts when the next one is asked for, as the store has then
/// done with it.
final class CountedSource: ByteSource {
  private let source: any ByteSource
  private let report: OldTransferReport
  private let wasOpened = Mutex(false)

  init(_ source: any ByteSource, _ report: OldTransferReport) {
    self.source = source
    self.report = report
  }

  var size: UInt64? { source.size }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let isAgain = wasOpened.withLock { was in
      defer { was = true }
      return was
    }
    if isAgain || offset > 0 { try await report.resumed(at: offset) }
    return Reading(reading: try await source.open(at: offset), report: report, count: offset)
  }

  private struct Reading: ByteReading {
    var reading: any ByteReading
    let report: OldTransferReport
    /// Bytes that were handed out.
    var count: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      try await report.progressed(to: count)
      guard let chunk = try await reading.next() else {
        try await report.advanced(to: .finishing)
        return nil
      }
      count += UInt64(chunk.count)
      return chunk
    }
  }
}
