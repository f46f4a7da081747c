/// Time as ZIP's headers have it (APPNOTE.TXT, 4.4.6): in steps of two seconds, from 1980 to 2107. The format does not say
/// whose time it is; here it is UTC.
enum DOSTime {
  private static let first: Int64 = 315_532_800
  private static let last: Int64 = 4_354_819_198

  /// The time in the lower half, the date in the upper. What is earlier or later than can be said is the first or last
  /// that can.
  static func word(_ seconds: Int64) -> UInt32 {
    let seconds = min(max(seconds, first), last)
    let (year, month, day) = date(days: seconds / 86_400)
    let second = seconds % 86_400
    let time = (second / 3600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2
    return UInt32((year - 1980) << 25 | month << 21 | day << 16 | time)
  }

  /// The date so many days after 1970-01-01. Years are counted from March, so that the leap day is the last of one.
  private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 719,468 days lie between 0000-03-01 and 1970-01-01; 400 years have 146,097.
    let all = days + 719_468
    let (era, dayOfEra) = (all / 146_097, all % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * march + 2) / 5 + 1
    let month = march < 10 ? march + 3 : march - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }
}
