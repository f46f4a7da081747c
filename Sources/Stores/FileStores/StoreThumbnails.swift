public protocol StoreThumbnails: Sendable {
  /// The number of pictures for one request; the store splits longer lists.
  var batchFiles: Int { get }

  /// The number of simultaneous requests.
  var questionsAtOnce: Int { get }

  /// The longest side, in pixels, of the largest copies that the store makes.
  var largestSide: Int { get }

  /// Small copies of pictures, as JPEG: one result for each path, in their order.
  ///
  /// - A copy has the shape of its picture and fits into a square of `side` pixels, or the largest that the store has.
  ///   It may be smaller than that square if the picture is.
  /// - `entry` has the revision of the copied picture.
  /// - Each picture may fail by itself: `notFound`; `unsupported` if the store makes no copy of such a file (no
  ///   picture, unreadable, or too large): read the file itself.
  /// - Throws: an error that concerns all of them.
  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>]
}

extension StoreThumbnails {
  public var questionsAtOnce: Int { 1 }
}

public struct StoreThumbnail: Sendable, Hashable {
  public let entry: FileEntry
  public let bytes: [UInt8]

  public init(of entry: FileEntry, bytes: [UInt8]) {
    (self.entry, self.bytes) = (entry, bytes)
  }
}
