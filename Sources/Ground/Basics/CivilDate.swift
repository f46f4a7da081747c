/// A day of the Gregorian calendar, also before its introduction.
public struct CivilDate: Sendable, Hashable {
  public let year: Int
  public let month: Int
  public let day: Int

  public init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  /// Years begin in March, so the leap day is last; 719,468 days lie between 0000-03-01 and 1970-01-01. Source:
  /// https://howardhinnant.github.io/date_algorithms.html (civil_from_days).
  public init(daysSince1970 days: Int) {
    let (era, dayOfEra) = (days + 719_468).dividedDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    month = march < 10 ? march + 3 : march - 9
    day = dayOfYear - (153 * march + 2) / 5 + 1
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  /// The same source (days_from_civil).
  public var daysSince1970: Int {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 0 is Sunday.
  public var weekday: Int { (daysSince1970 + 4).dividedDown(by: 7).rest }

  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A second of a day in UTC, without leap seconds.
public struct CivilTime: Sendable, Hashable {
  public let date: CivilDate
  public let hour: Int
  public let minute: Int
  public let second: Int

  public init(_ date: CivilDate, hour: Int, minute: Int, second: Int) {
    (self.date, self.hour, self.minute, self.second) = (date, hour, minute, second)
  }

  public init(secondsSince1970 seconds: Int) {
    let (day, rest) = seconds.dividedDown(by: 86_400)
    self.init(CivilDate(daysSince1970: day), hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60)
  }

  /// As UTC (RFC 3339): `2026-03-01T12:00:00Z`. For the years 0 to 9999.
  public var utc: String {
    func digits(_ value: Int, _ count: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = "\(digits(date.year, 4))-\(digits(date.month))-\(digits(date.day))"
    return "\(day)T\(digits(hour)):\(digits(minute)):\(digits(second))Z"
  }

  public var secondsSince1970: Int { date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second }
}

extension Int {
  /// Rounds down; the rest is never negative.
  fileprivate func dividedDown(by divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
