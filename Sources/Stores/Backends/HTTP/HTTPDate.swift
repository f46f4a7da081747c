internal import Basics

/// HTTP dates (RFC 9110, section 5.6.7): the current format and two obsolete ones.
public enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Seconds since 1970, from `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37
  /// 1994`. The weekday is ignored; a two-digit year is 1970 to 2069.
  public static func seconds(of text: String) -> Int64? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT": return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
    case 5: return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
    default: return nil
    }
  }

  /// Seconds since 1970, from `2009-10-12T17:50:30.000Z` without its fraction, as services write times in their answers.
  static func seconds(ofUTC text: String) -> Int64? {
    let numbers = text.split { "-T:.Z".contains($0) }.map { Int($0) }
    guard numbers.count >= 6, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let hour = numbers[3], let minute = numbers[4], let second = numbers[5],
      0...9999 ~= year, 1...12 ~= month, 1...31 ~= day, 0..<24 ~= hour, 0..<60 ~= minute, 0...60 ~= second
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return Int64(CivilTime(date, hour: hour, minute: minute, second: second).secondsSince1970)
  }

  private static func seconds(day: String, month: String, year: String, time: String) -> Int64? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2...2) }
    guard let day = number(day, digits: 1...2), 1...31 ~= day, let year = number(year, digits: 2...4),
      let index = months.firstIndex(of: month.lowercased()), clock.count == 3,
      let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let full = year >= 100 ? year : year < 70 ? 2000 + year : 1900 + year
    let date = CivilDate(year: full, month: index + 1, day: day)
    return Int64(CivilTime(date, hour: hour, minute: minute, second: second).secondsSince1970)
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
    guard digits ~= text.utf8.count, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    return Int(text)
  }
}
