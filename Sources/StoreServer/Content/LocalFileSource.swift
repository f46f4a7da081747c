import FileStores

/// A file of the server's own as a source.
struct LocalFileSource: ByteSource {
  let file: LocalFile
  let bytes: UInt64
  let pool: BlockingPool

  var size: UInt64? { bytes }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(file: file, pool: pool, offset: offset)
  }

  private struct Reading: ByteReading {
    let file: LocalFile
    let pool: BlockingPool
    var offset: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      let (file, at) = (file, offset)
      let bytes = try await pool.run { () throws(StoreError) -> [UInt8] in try file.read(512 * 1024, at: at) }
      offset += UInt64(bytes.count)
      return bytes.isEmpty ? nil : bytes[...]
    }
  }
}
