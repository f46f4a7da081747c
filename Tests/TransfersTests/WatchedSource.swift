import FileStores
import Synchronization

/// Bytes that tell how many of them were taken, and may lie about how many there are.
final class WatchedSource: ByteSource {
  private let source: DataSource
  private let count = Mutex(0)
  let size: UInt64?

  init(_ bytes: [UInt8], chunkSize: Int, size: UInt64? = nil) {
    source = DataSource(bytes, chunkSize: chunkSize)
    self.size = size ?? UInt64(bytes.count)
  }

  /// Bytes handed out.
  var taken: Int { count.withLock { $0 } }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(reading: try await source.open(at: offset), owner: self)
  }

  private struct Reading: ByteReading {
    var reading: any ByteReading
    let owner: WatchedSource

    mutating func next() async throws(StoreError) -> ByteChunk? {
      let chunk = try await reading.next()
      owner.count.withLock { $0 += chunk?.count ?? 0 }
      return chunk
    }
  }
}
