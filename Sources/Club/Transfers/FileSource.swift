public import Basics
public import FileStores

/// A file of this machine as a source of bytes, with the content at the making of the value; after a change, reads
/// throw `badInput`. Reads block the pool's threads only.
public struct FileSource: ByteSource {
  private static let chunkBytes = 1024 * 1024

  public let path: String
  let stamp: LocalFile.Stamp
  let pool: BlockingPool

  /// Inspects the file at `path`, following links.
  /// - Throws: `notFound`; `notPermitted`; `badInput` if it is not a regular file (a pipe does not block).
  public init(path: String, pool: BlockingPool) async throws(StoreError) {
    self = try await Self.open(path, pool).source
  }

  private init(path: String, stamp: LocalFile.Stamp, pool: BlockingPool) {
    (self.path, self.stamp, self.pool) = (path, stamp, pool)
  }

  static func open(
    _ path: String, _ pool: BlockingPool
  ) async throws(StoreError) -> (source: FileSource, file: LocalFile) {
    let what = "byteclub could not open the file \"\(path)\""
    let (file, stamp) = try await pool.blocking(what) { () throws(LocalFileFault) in
      let file = try LocalFile.open(path)
      return (file, try file.stamp())
    }
    guard stamp.isRegular else {
      let what = stamp.isFolder ? "a folder" : "not a regular file"
      throw StoreError(.badInput, "\"\(path)\" is \(what).", remedy: "Choose a file.")
    }
    return (FileSource(path: path, stamp: stamp, pool: pool), file)
  }

  /// Identifies this content of the file; see `TransferOrder.sourceStamp`.
  public var stampText: String { stamp.text }

  /// The size in bytes when the value was made.
  public var size: UInt64? { stamp.size }

  public var modified: Timestamp? {
    Timestamp(seconds: Int64(stamp.modified[0]), nanoseconds: Int64(stamp.modified[1]))
  }

  /// - Throws: `badInput` if the file has changed; `notFound`; `notPermitted`.
  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let (now, file) = try await Self.open(path, pool)
    guard now.stamp == stamp else { throw changed }
    return Reading(source: self, file: file, offset: min(offset, stamp.size))
  }

  /// Reads `count` bytes from `offset`, fewer at the end, and passes them to `look` on the pool's thread.
  /// - Throws: `badInput` if the file has changed.
  func read(
    _ file: LocalFile, from offset: UInt64, count: Int, _ look: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) async throws(StoreError) -> [UInt8] {
    if Task.isCancelled { throw .cancelled("Reading \"\(path)\"") }
    let wanted = Int(clamping: min(UInt64(max(0, count)), stamp.size - min(offset, stamp.size)))
    let bytes: [UInt8]? = try await pool.blocking("byteclub could not read the file \"\(path)\"") {
      () throws(LocalFileFault) in
      let bytes = try file.read(from: offset, count: wanted)
      // A stamp read after the bytes holds for them.
      guard bytes.count == wanted, try file.stamp() == stamp else { return nil }
      look(bytes)
      return bytes
    }
    guard let bytes else { throw changed }
    return bytes
  }

  private var changed: StoreError {
    StoreError(
      .badInput, "\"\(path)\" changed during the upload.", remedy: "Upload it again when no program writes it.")
  }

  private struct Reading: ByteReading {
    let source: FileSource
    let file: LocalFile
    var offset: UInt64

    mutating func next() async throws(StoreError) -> ByteChunk? {
      let bytes = try await source.read(file, from: offset, count: FileSource.chunkBytes)
      offset += UInt64(bytes.count)
      return bytes.isEmpty ? nil : bytes[...]
    }
  }
}

extension FileSource {
  /// Fills a buffer from an offset of the file. Returns the number of bytes: fewer than fit at the file's end, 0 if
  /// reading failed.
  public typealias Fill = (_ target: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// Lets `look` read the file in any order, on a thread of the pool.
  ///
  /// A read error takes precedence over an error of `look`: a picture that cannot be read is not a broken picture.
  /// - Throws: `badInput` if the file has changed; `notFound`; `notPermitted`; read errors; errors of `look`.
  public func reading<Value: Sendable>(
    _ look: @escaping @Sendable (_ fill: @escaping Fill) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let what = "byteclub could not read the file \"\(path)\""
    let found: Result<Value, StoreError>? = try await pool.blocking(what) { () throws(LocalFileFault) in
      let file = try LocalFile.open(path)
      guard try file.stamp() == stamp else { return nil }
      var failure: LocalFileFault?
      let value = Result { () throws(StoreError) in
        try look { target, offset in
          do throws(LocalFileFault) {
            return try file.read(into: target, from: UInt64(max(0, offset)))
          } catch {
            failure = error
            return 0
          }
        }
      }
      if let failure { throw failure }
      return try file.stamp() == stamp ? value : nil
    }
    guard let found else { throw changed }
    return try found.get()
  }

  /// Lends the open file to `body`, such as for another process, and checks afterwards that nobody changed it.
  /// - Throws: as `reading`.
  public func lending<Value: Sendable>(
    _ body: (OpenFile) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let (now, file) = try await Self.open(path, pool)
    guard now.stamp == stamp else { throw changed }
    let value = await Result.catching { () throws(StoreError) in try await body(file) }
    let after = try await pool.blocking("byteclub could not read the file \"\(path)\"") { () throws(LocalFileFault) in
      try file.stamp()
    }
    guard after == stamp else { throw changed }
    return try value.get()
  }
}
