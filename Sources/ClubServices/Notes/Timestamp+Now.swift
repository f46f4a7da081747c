import FileStores
import Glibc

extension Timestamp {
  /// The date in the local time zone, as `2031-01-09`.
  var localDate: String {
    var seconds = time_t(self.seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
  }
}
