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
    short(of: moment, now: now, offset: offset).string
  }

  /// The same, for drawing.
  public static func short(of moment: Int, now: Int, offset: Int = 0) -> ShortText {
    let (age, overflow) = now.subtractingReportingOverflow(moment)
    func count(_ number: Int, _ unit: StaticString) -> ShortText {
      var text = ShortText()
      text.append(number)
      text.append(unit)
      return text
    }
    switch age {
    case _ where overflow, dated..., ..<(-minute): return shortDate(of: moment, offset: offset)
    case ..<minute:
      var text = ShortText()
      text.append("now")
      return text
    case ..<hour: return count(age / minute, " min")
    case ..<day: return count(age / hour, " h")
    case ..<week: return count(age / day, " d")
    default: return count(age / week, " w")
    }
  }

  /// The age in whole minutes; for what is shown by its date, always the same. As long as this stays, so does the text.
  public static func minutes(of moment: Int, now: Int) -> Int {
    let (age, overflow) = now.subtractingReportingOverflow(moment)
    return overflow || age >= dated || age < -minute ? -2 : age < 0 ? -1 : age / minute
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
  public static func date(of moment: Int, offset: Int = 0) -> String { shortDate(of: moment, offset: offset).string }

  private static func shortDate(of moment: Int, offset: Int) -> ShortText {
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
    var text = ShortText()
    text.append(year, digits: 4)
    text.append("-")
    text.append(month < 10 ? month + 3 : month - 9, digits: 2)
    text.append("-")
    text.append(date, digits: 2)
    return text
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}
