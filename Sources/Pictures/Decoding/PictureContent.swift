public import Basics
public import Imaging

/// The bytes of a picture file behind a descriptor, which a worker reads, too: not in this process's own memory.
public final class PictureContent: Sendable {
  public let count: Int
  let file: OpenFile
  /// In memory, and nobody can change it.
  private let isSealed: Bool

  private init(_ file: OpenFile, count: Int, isSealed: Bool) {
    (self.file, self.count, self.isSealed) = (file, count, isSealed)
  }

  /// - Throws: `unavailable` without a free descriptor or memory.
  public convenience init(_ bytes: [UInt8]) throws(ImageError) {
    let file = try ImageError.supplied { () throws(SystemError) in try OpenFile.inMemory(bytes[...]) }
    self.init(file, count: bytes.count, isSealed: true)
  }

  /// A regular file on disk. Others may change it meanwhile: its user checks that at the end.
  public convenience init(file: OpenFile, count: Int) { self.init(file, count: count, isSealed: false) }

  /// Collects a file's bytes as they arrive.
  public final class Writer {
    private let file: OpenFile
    public private(set) var count = 0

    /// - Throws: `unavailable`.
    public init() throws(ImageError) {
      file = try ImageError.supplied { () throws(SystemError) in try OpenFile.inMemory() }
    }

    /// - Throws: `unavailable`.
    public func append(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
      try ImageError.supplied { () throws(SystemError) in try file.write(bytes, at: UInt64(count)) }
      count += bytes.count
    }

    /// - Throws: `unavailable`.
    public func finish() throws(ImageError) -> PictureContent {
      try ImageError.supplied { () throws(SystemError) in try file.sealContent() }
      return PictureContent(file, count: count, isSealed: true)
    }
  }

  /// For one decoding at a time. The content must outlive it.
  public func input() -> PictureInput {
    PictureInput(count: count) { [file] target, offset in
      // A part that cannot be read looks like the end of the file.
      (try? file.read(into: target, from: UInt64(max(0, offset)))) ?? 0
    }
  }

  /// All metadata, wherever in the file they are. Blocks.
  /// - Throws: as `PictureHeader.read`.
  public func header() throws(ImageError) -> PictureHeader {
    guard isSealed else { return try beginning() }
    return try file.mapped(count) { (bytes) throws(ImageError) in
      guard let bytes else { throw .unsupplied(SystemError(code: 12)) }
      return try PictureHeader.read(bytes)
    }
  }

  /// The metadata that decoding depends on, before the picture's data. Blocks.
  /// - Throws: as `PictureHeader.read`.
  public func beginning() throws(ImageError) -> PictureHeader { try PictureHeader.beginning(of: input()) }

  /// A copy of all bytes in this process's memory. Blocks.
  /// - Throws: `unavailable` if they cannot be read.
  public func bytes() throws(ImageError) -> [UInt8] {
    try ImageError.supplied { () throws(SystemError) in try file.read(from: 0, count: count) }
  }
}

extension ImageError {
  /// The system gave no descriptor or memory for passing a picture to its decoder.
  static func unsupplied(_ error: SystemError) -> ImageError {
    ImageError(
      .unavailable, "byteclub could not hand the picture to its decoder: \(SystemError.text(error.code)).",
      remedy: "Close other programs, then try again.")
  }

  static func supplied<Value>(_ body: () throws(SystemError) -> Value) throws(ImageError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .unsupplied(error) }
  }
}
