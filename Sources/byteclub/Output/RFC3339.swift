import Basics
import FileStores

/// Always in UTC.
enum RFC3339 {
  /// `2026-03-01T12:00:00Z`; a fraction has no trailing zeros.
  static func text(_ time: Timestamp) -> String {
    var (seconds, nanoseconds) = Int(time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
    let time = CivilTime(secondsSince1970: seconds)
    var text = "\(digits(time.date.year, 4))-\(digits(time.date.month, 2))-\(digits(time.date.day, 2))T"
    text += "\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))"
    if nanoseconds > 0 {
      var fraction = digits(nanoseconds, 9)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
