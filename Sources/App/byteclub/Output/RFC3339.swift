import Basics
import FileStores

/// Always in UTC.
enum RFC3339 {
  /// `2026-03-01T12:00:00Z`; a fraction has no trailing zeros.
  static func text(_ time: Timestamp) -> String {
    let (seconds, nanoseconds) = time.parts
    let text = CivilTime(secondsSince1970: Int(seconds)).utc
    guard nanoseconds > 0 else { return text }
    var fraction = String(String(1_000_000_000 + nanoseconds).dropFirst())
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return text.dropLast() + "." + fraction + "Z"
  }
}
