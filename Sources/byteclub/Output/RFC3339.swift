import FileStores

/// Times as scripts read them (RFC 3339), always in UTC.
enum RFC3339 {
  /// `2026-03-01T12:00:00Z`; with a fraction when there is one, without trailing zeros.
  static func text(_ time: Timestamp) -> String {
    let seconds = time.nanoseconds.quotient(by: 1_000_000_000)
    let nanoseconds = time.nanoseconds - seconds * 1_000_000_000
    let days = seconds.quotient(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let (year, month, day) = date(days: Int(days))
    var text = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
    text += "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
    if nanoseconds > 0 {
      var fraction = digits(Int(nanoseconds), 9)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// Year, month and day of a day since 1970-01-01, in the Gregorian calendar. Counts from the first of March of year
  /// 0, so that the leap day is the last of its year.
  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = Int(Int64(shifted).quotient(by: 146_097))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Int64 {
  /// Division that rounds down.
  fileprivate func quotient(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}
