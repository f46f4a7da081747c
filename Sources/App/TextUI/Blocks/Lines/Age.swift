internal import Basics

/// The age of a moment, which is in seconds since 1970.
public enum Age {
  private static let minute = 60
  private static let hour = 3600
  private static let day = 86_400
  private static let week = 7 * 86_400
  /// Nine weeks; older moments are shown as dates.
  private static let dated = 63 * 86_400

  /// `now`, `2 min`, `2 h`, `3 d`, `5 w`; `2026-03-01` from nine weeks on, or beyond a minute in the future. `offset`
  /// is the seconds of local time from UTC.
  public static func text(of moment: Int, now: Int, offset: Int = 0) -> String {
    short(of: moment, now: now, offset: offset).string
  }

  /// In a sentence: `just now`, `2 min ago`, `on 2026-03-01`.
  public static func ago(of moment: Int, now: Int) -> String {
    let text = text(of: moment, now: now)
    if text == "now" { return "just now" }
    return text.contains("-") ? "on \(text)" : "\(text) ago"
  }

  /// Without a heap allocation, for drawing.
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

  /// Whole minutes; constant for moments shown as dates. The text changes only if this number does.
  public static func minutes(of moment: Int, now: Int) -> Int {
    let (age, overflow) = now.subtractingReportingOverflow(moment)
    return overflow || age >= dated || age < -minute ? -2 : age < 0 ? -1 : age / minute
  }

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

  public static func date(of moment: Int, offset: Int = 0) -> String { shortDate(of: moment, offset: offset).string }

  /// `2026-03-01 14:05`.
  public static func time(of moment: Int, offset: Int) -> String {
    "\(date(of: moment, offset: offset)) \(civil(moment, offset).utc.dropFirst(11).prefix(5))"
  }

  private static func civil(_ moment: Int, _ offset: Int) -> CivilTime {
    CivilTime(
      secondsSince1970: min(max(moment, -62_135_596_800), 253_402_300_799) + min(max(offset, -day), day))
  }

  private static func shortDate(of moment: Int, offset: Int) -> ShortText {
    let date = civil(moment, offset).date
    var text = ShortText()
    text.append(date.year, digits: 4)
    text.append("-")
    text.append(date.month, digits: 2)
    text.append("-")
    text.append(date.day, digits: 2)
    return text
  }
}

public enum TimeSpan {
  private static let units: [(seconds: Int, name: String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]

  /// `4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`; `> 99 d` beyond. A second unit of zero is left out; negative
  /// durations count as zero.
  public static func text(seconds: Int) -> String {
    let seconds = max(0, seconds)
    guard seconds < 100 * 86_400 else { return "> 99 d" }
    guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0 s" }
    let text = "\(seconds / units[first].seconds) \(units[first].name)"
    guard first + 1 < units.count else { return text }
    let rest = seconds % units[first].seconds / units[first + 1].seconds
    return rest == 0 ? text : text + " \(rest) \(units[first + 1].name)"
  }
}
