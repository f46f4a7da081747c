public import Basics
public import FileStores

/// The caption of a photo: a note beside it, named after the photo (`pier.jpg.md`).
public struct Caption: Sendable {
  /// The note. Its `revision` is the base of a later save.
  public let entry: FileEntry
  public let text: [UInt8]

  /// A longer caption is an error of kind `tooLarge`.
  public static let mostBytes = 64 << 10

  /// On one line, for a place without room for more.
  public var line: String {
    let lines = String(decoding: text.prefix(Caption.mostLineBytes), as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.joined(separator: " ").trimmed
  }

  /// More than any screen shows.
  private static let mostLineBytes = 1024

  private static let ending = Array(".md".utf8)

  /// The caption's note of a photo.
  /// - Throws: `badName` if the name is too long.
  public static func path(of photo: StorePath) throws(StoreError) -> StorePath {
    try photo.parent.appending(Array(photo.name) + ending)
  }

  static func filePath(of photo: StorePath) -> StorePath { photo.parent.descending((Array(photo.name) + ending)[...]) }

  /// The photo of a caption's note, by its name; nil for other notes.
  public static func photo(of path: StorePath) -> StorePath? {
    guard path.name.count > ending.count, path.name.suffix(ending.count).elementsEqual(ending),
      PhotoName.isPicture(path.name.dropLast(ending.count))
    else { return nil }
    return path.parent.descending(path.name.dropLast(ending.count))
  }
}

/// A photo that a search found: by its name, or by these lines of its caption.
public struct FoundPhoto: Sendable {
  public let entry: FileEntry
  public let lines: [TextFinder.Line]
}

public struct PhotoSearch: Sendable {
  /// By path.
  public let found: [FoundPhoto]
  /// All photos of the club.
  public let total: Int
  /// An error of a caption or of the store's index; the other matches were found all the same.
  public let failure: StoreError?
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
