import FileStores
import TextUI

/// A file as a line of a listing.
enum FileLine {
  /// The name (or what is `shown` instead), as bytes; when `isLong`, behind size and time.
  static func bytes(_ entry: FileEntry, isLong: Bool, shown: some Collection<UInt8>) -> [UInt8] {
    guard isLong else { return Array(shown) }
    return Array(columns(size: entry.size, time: entry.modified).utf8) + Array(shown)
  }

  /// The name, as bytes; when `isLong`, behind size and time.
  static func bytes(_ entry: FileEntry, isLong: Bool) -> [UInt8] {
    bytes(entry, isLong: isLong, shown: entry.path.name)
  }

  /// Size and time in columns, for what stands before a name.
  static func columns(size: UInt64?, time: Timestamp?) -> String {
    let size = size.map { ByteCount.text($0) } ?? "-"
    let time = time.map { RFC3339.text(Timestamp(seconds: $0.seconds)) } ?? "-"
    return pad(size, 10) + "  " + time + String(repeating: " ", count: max(0, 20 - time.count)) + "  "
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
