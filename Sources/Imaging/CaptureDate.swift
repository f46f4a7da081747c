/// When a picture was taken, by the camera's clock; EXIF has no time zone here.
public struct CaptureDate: Sendable, Equatable, Comparable {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day, 1 to 31.
  public let day: Int
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 60.
  public let second: Int

  /// Reads EXIF's `YYYY:MM:DD HH:MM:SS`; nil when it is anything else or no date.
  public init?(exif text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 19 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for digit in digits[range] {
        guard (0x30...0x39).contains(digit) else { return nil }
        value = value * 10 + Int(digit - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year >= 1, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Earlier comes first.
  public static func < (one: CaptureDate, other: CaptureDate) -> Bool { one.sortKey < other.sortKey }

  private var sortKey: Int { ((((year * 100 + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second }
}

extension CaptureDate: CustomStringConvertible {
  /// `2024-05-31 18:04:09`.
  public var description: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let digits = String(year)
    return String(repeating: "0", count: 4 - digits.count) + digits
      + "-\(two(month))-\(two(day)) \(two(hour)):\(two(minute)):\(two(second))"
  }
}
