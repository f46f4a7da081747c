import Basics

/// UTC, whole seconds: `2015-05-12T15:50:38Z`.
enum WireTime {
  static func parts(_ seconds: Int64) -> CivilTime {
    CivilTime(secondsSince1970: Int(min(max(seconds, -62_167_219_200), 253_402_300_799)))
  }

  /// Seconds since 1970, clamped to the years 0 to 9999.
  static func text(_ seconds: Int64) -> String {
    let parts = parts(seconds)
    var text: [UInt8] = []
    text.reserveCapacity(20)
    append(parts.date.year, 4, "-", to: &text)
    append(parts.date.month, 2, "-", to: &text)
    append(parts.date.day, 2, "T", to: &text)
    append(parts.hour, 2, ":", to: &text)
    append(parts.minute, 2, ":", to: &text)
    append(parts.second, 2, "Z", to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  static func append(_ value: Int, _ width: Int, _ mark: Unicode.Scalar, to text: inout [UInt8]) {
    var power = 1
    for _ in 1..<width { power *= 10 }
    while power > 0 {
      text.append(UInt8(48 + value / power % 10))
      power /= 10
    }
    text.append(UInt8(ascii: mark))
  }

  /// nil unless the text has exactly this form.
  static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58, bytes[16] == 58,
      bytes[19] == 90, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1...12).contains(month), hour < 24, minute < 60, second < 60,
      (1...CivilDate.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return Int64(CivilTime(date, hour: hour, minute: minute, second: second).secondsSince1970)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy { (48...57).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1) - 48 } : nil
  }
}
