internal import ClubServices

/// One of the things that the grid shows.
enum GridCell: Sendable, Hashable {
  /// By its row in the table.
  case photo(row: Int)
  case album(Album)
}

/// The member's choices for the grid of a club.
public struct GridChoice: Sendable, Hashable {
  /// Steps from the usual size of the pictures, which follows the room; positive is larger.
  public var size = 0
  /// Heads of days, where the photos are sorted by date.
  public var hasHeads = true
  /// Beside the selected photo, larger; nil where there is much room.
  public var hasPreview: Bool?

  static let sizes = -9...9
  static let sizeStep = 1.25

  public init() {}

  /// A text such as `size 2 heads off preview on`; unknown words change nothing.
  public init(text: String) {
    let words = text.split(separator: " ").map(String.init)
    for (word, value) in zip(words, words.dropFirst()) {
      switch word {
      case "size": size = Int(value).map { min(max($0, Self.sizes.lowerBound), Self.sizes.upperBound) } ?? 0
      case "heads": hasHeads = value != "off"
      case "preview": hasPreview = value == "on" ? true : value == "off" ? false : nil
      default: continue
      }
    }
  }

  public var text: String {
    "size \(size) heads \(hasHeads ? "on" : "off")" + (hasPreview.map { " preview \($0 ? "on" : "off")" } ?? "")
  }
}
