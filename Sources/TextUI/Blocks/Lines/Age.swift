/// How long ago something was, as people read it. Takes moments as seconds since 1970; has no clock.
public enum Age {
  private static let minute = 60
  private static let hour = 3600
  private static let day = 86_400
  private static let week = 7 * 86_400
  /// Nine weeks; what is older is shown by its date.
  private static let dated = 63 * 86_400

  /// `now`, `2 min`, `2 h`, `3 d`, `5 w`, or `2026-03-01` for what is older than nine weeks or more than a minute in
  /// the future. `offset` is the local time's distance from UTC in seconds.
  public static func text(of moment: Int, now: Int, offset: Int = 0) -> String {
    let (age, overflow) = now.subtractingReportingOverflow(moment)
    switch age {
    case _ where overflow, dated..., ..<(-minute): return date(of: moment, offset: offset)
    case ..<minute: return "now"
    case ..<hour: return "\(age / minute) min"
    case ..<day: return "\(age / hour) h"
    case ..<week: return "\(age / day) d"
    default: return "\(age / week) w"
    }
  }

  /// In how many seconds the text will be another one; nil when never.
  public static func secondsUntilChange(of moment: Int, now: Int) -> Int? {
    let (age, overflow) = now.subtractingReportingOverflow(moment)
    switch age {
    case _ where overflow, dated...: return nil
    case ..<(-minute): return -minute - age
    case ..<minute: return minute - age
    case ..<hour: return minute - age % minute
    case ..<day: return hour - age % hour
    case ..<week: return day - age % day
    default: return week - age % week
    }
  }

  /// `2026-03-01`: the day of a moment in the Gregorian calendar.
  public static func date(of moment: Int, offset: Int = 0) -> String {
    // Days are counted from 1 March of the year 0, so that a leap day is a year's last. Limited to four-digit years.
    let seconds = min(max(moment, -62_135_596_800), 253_402_300_799) + min(max(offset, -day), day)
    let days = floorDivide(seconds, day) + 719_468
    let era = floorDivide(days, 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9, 2))-\(padded(date, 2))"
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }

  private static func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
