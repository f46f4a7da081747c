/// Times as the API writes them: UTC, whole seconds, `2015-05-12T15:50:38Z`.
enum WireTime {
  /// A second taken apart, in UTC.
  struct Parts {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    /// 0 is a Sunday.
    let weekday: Int
  }

  /// A second since 1970, from the year 0 to the year 9999, as a date and a time of day.
  static func parts(_ seconds: Int64) -> Parts {
    let seconds = Int(min(max(seconds, -62_167_219_200), 253_402_300_799))
    let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let rest = seconds - day * 86_400
    // Days to a date: https://howardhinnant.github.io/date_algorithms.html, civil_from_days.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return Parts(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: ofYear - (153 * shiftedMonth + 2) / 5 + 1,
      hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60,
      // 1970 began on a Thursday.
      weekday: ((day + 4) % 7 + 7) % 7)
  }

  /// The text of a second since 1970, from the year 0 to the year 9999.
  static func text(_ seconds: Int64) -> String {
    let parts = parts(seconds)
    var text: [UInt8] = []
    text.reserveCapacity(20)
    append(parts.year, 4, "-", to: &text)
    append(parts.month, 2, "-", to: &text)
    append(parts.day, 2, "T", to: &text)
    append(parts.hour, 2, ":", to: &text)
    append(parts.minute, 2, ":", to: &text)
    append(parts.second, 2, "Z", to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes a number with leading zeros, and what comes after it.
  static func append(_ value: Int, _ width: Int, _ mark: Unicode.Scalar, to text: inout [UInt8]) {
    var power = 1
    for _ in 1..<width { power *= 10 }
    while power > 0 {
      text.append(UInt8(48 + value / power % 10))
      power /= 10
    }
    text.append(UInt8(ascii: mark))
  }

  /// The second that a text names; nil unless it is written exactly so.
  static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58, bytes[16] == 58,
      bytes[19] == 90, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1...12).contains(month), hour < 24, minute < 60, second < 60,
      (1...days(month, year)).contains(day)
    else { return nil }
    // A date to days: the same source, days_from_civil.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear
    return Int64((era * 146_097 + ofEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second)
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy { (48...57).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1) - 48 } : nil
  }
}
