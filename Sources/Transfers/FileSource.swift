public import FileStores

/// A file of this machine as a source of bytes.
///
/// The bytes are those that the file had when the value was made: when it was changed since, or is changed while it
/// is read, reading throws `badInput`. Reads block on the pool's threads only.
public struct FileSource: ByteSource {
  private static let chunkBytes = 1024 * 1024

  /// Where it is.
  public let path: String
  let stamp: LocalFile.Stamp
  let pool: BlockingPool

  /// Looks at the file at `path`, following links.
  /// - Throws: `notFound`; `notPermitted`; `badInput` when it is not a regular file (a pipe does not block).
  public init(path: String, pool: BlockingPool) async throws(StoreError) {
    self.path = path
    self.pool = pool
    stamp = try await pool.blocking("byteclub could not open the file \"\(path)\"") { () throws(LocalFileFault) in
      try LocalFile.open(path).stamp()
    }
    guard stamp.isRegular else {
      let what = stamp.isFolder ? "a folder" : "not a regular file"
      throw StoreError(.badInput, "\"\(path)\" is \(what).", remedy: "Choose a file.")
    }
  }

  /// Bytes when the value was made.
  public var size: UInt64? { stamp.size }

  /// Opens the file anew.
  /// - Throws: `badInput` when it is not the file that it was; `notFound`; `notPermitted`.
  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let (path, stamp) = (path, stamp)
    let file = try await pool.blocking("byteclub could not open the file \"\(path)\"") { () throws(LocalFileFault) in
      let file = try LocalFile.open(path)
      return try file.stamp() == stamp ? file : nil
    }
    guard let file else { throw Self.changed(path) }
    return Reading(file: file, path: path, stamp: stamp, offset: min(offset, stamp.size), pool: pool)
  }

  static func changed(_ path: String) -> StoreError {
    StoreError(
      .badInput, "\"\(path)\" changed during the upload.",
      remedy: "Upload it again when no program writes it.")
  }

  private struct Reading: ByteReading {
    let file: LocalFile
    let path: String
    let stamp: LocalFile.Stamp
    var offset: UInt64
    let pool: BlockingPool

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if Task.isCancelled { throw .cancelled("Reading \"\(path)\"") }
      let (file, path, stamp, offset) = (file, path, stamp, offset)
      let wanted = Int(clamping: min(UInt64(FileSource.chunkBytes), stamp.size - offset))
      let bytes = try await pool.blocking("byteclub could not read the file \"\(path)\"") { () throws(LocalFileFault) in
        let bytes = try file.read(from: offset, count: wanted)
        // After the bytes were read: what the stamp says now holds for them.
        let now = try file.stamp()
        return bytes.count == wanted && now == stamp ? bytes : nil
      }
      guard let bytes else { throw FileSource.changed(path) }
      self.offset += UInt64(bytes.count)
      return bytes.isEmpty ? nil : bytes[...]
    }
  }
}
