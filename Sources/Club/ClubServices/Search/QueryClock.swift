public import Basics
public import FileStores

/// The day and the zone by which a search understands `since:` and `before:`.
public struct QueryClock: Sendable {
  public let today: CivilDate
  /// The seconds of local time from UTC at a moment.
  private let offset: @Sendable (Timestamp) -> Int

  public init(now: Timestamp, offset: @escaping @Sendable (Timestamp) -> Int = { _ in 0 }) {
    today = OnThisDay.day(of: now, offset: offset(now))
    self.offset = offset
  }

  /// For searches in which no day matters.
  public static let utc = QueryClock(now: Timestamp(seconds: 0))

  /// This machine's clock and zone.
  public static var local: QueryClock { QueryClock(now: .now()) { $0.localOffset } }

  /// The start of a day that is written as a part of a search: `today`, `7d`, `2026-11`; nil for other texts.
  func moment(of text: String) -> Timestamp? { day(of: text.lowercased()).map(start) }

  /// The first moment of a day; where clocks change at midnight, to the second.
  func start(of day: CivilDate) -> Timestamp {
    let utc = Int64(day.daysSince1970) * 86_400
    let guess = utc - Int64(offset(Timestamp(seconds: utc)))
    return Timestamp(seconds: utc - Int64(offset(Timestamp(seconds: guess))))
  }

  private func day(of text: String) -> CivilDate? {
    switch text {
    case "today": return today
    case "yesterday": return CivilDate(daysSince1970: today.daysSince1970 - 1)
    default: break
    }
    if let unit = text.last, let count = Self.number(text.dropLast(), digits: 1...4) {
      switch unit {
      case "d": return CivilDate(daysSince1970: today.daysSince1970 - count)
      case "w": return CivilDate(daysSince1970: today.daysSince1970 - 7 * count)
      case "m": return monthsBefore(count)
      case "y": return monthsBefore(12 * count)
      default: break
      }
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard 1...3 ~= parts.count, let year = Self.number(parts[0], digits: 4...4) else { return nil }
    guard parts.count > 1 else { return CivilDate(year: year, month: 1, day: 1) }
    guard let month = Self.number(parts[1], digits: 1...2), 1...12 ~= month else { return nil }
    guard parts.count > 2 else { return CivilDate(year: year, month: month, day: 1) }
    guard let day = Self.number(parts[2], digits: 1...2), 1...CivilDate.days(inMonth: month, of: year) ~= day else {
      return nil
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// The last day of a month that has no such day.
  private func monthsBefore(_ count: Int) -> CivilDate {
    let months = today.year * 12 + today.month - 1 - count
    let (year, month) = (months / 12, months % 12 + 1)
    guard months >= 0 else { return CivilDate(year: 0, month: 1, day: 1) }
    return CivilDate(year: year, month: month, day: min(today.day, CivilDate.days(inMonth: month, of: year)))
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    digits ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
  }
}
