/// Small copies of pictures, made by the store.
public protocol StoreThumbnails: Sendable {
  /// How many pictures one question to the store may name. More may be asked for; they are asked for in turn.
  var batchFiles: Int { get }

  /// How many questions may be under way at once.
  var questionsAtOnce: Int { get }

  /// The longest side, in pixels, of the largest copies that the store makes.
  var largestSide: Int { get }

  /// Small copies of pictures, as JPEG: one result for each path, in their order.
  ///
  /// - A copy has the shape of its picture and fits into a square of `side` pixels, or the largest that the store has.
  ///   It may be smaller than that square when the picture is.
  /// - `entry` says of which revision it is.
  /// - One that fails is a failure of its own: `notFound`; `unsupported` when the store makes no copy of such a file
  ///   (no picture, one that it cannot read, or too large for it): read the file itself.
  /// - Throws: what hinders all of them.
  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>]
}

extension StoreThumbnails {
  /// One question after the other.
  public var questionsAtOnce: Int { 1 }
}

/// A small copy of a picture.
public struct StoreThumbnail: Sendable, Hashable {
  /// The file that it is of.
  public let entry: FileEntry
  /// A JPEG.
  public let bytes: [UInt8]

  /// Makes a copy.
  public init(of entry: FileEntry, bytes: [UInt8]) {
    (self.entry, self.bytes) = (entry, bytes)
  }
}
