internal import Basics

/// By the camera's clock.
public struct CaptureDate: Sendable, Equatable, Comparable {
  public let year: Int
  public let month: Int
  public let day: Int
  public let hour: Int
  public let minute: Int
  /// 0 to 60.
  public let second: Int
  /// The camera's time from UTC, as `+02:00`, where the file has it.
  public internal(set) var zone: String?

  /// The seconds between finding the place and taking the picture. With more, the clocks may just as well differ.
  private static let mostLag = 60

  /// EXIF's `YYYY:MM:DD HH:MM:SS`.
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

  /// Of GPS: a day as `YYYY:MM:DD`, and the seconds of that day.
  init?(utcDay day: String, seconds: Double) {
    guard seconds >= 0, seconds < 86_400 else { return nil }
    let whole = Int(seconds)
    self.init(exif: "\(day) " + [whole / 3600, whole / 60 % 60, whole % 60].map(Self.two).joined(separator: ":"))
    zone = "+00:00"
  }

  /// ISO 8601, as XMP has it: `YYYY-MM-DDTHH:MM`, where seconds, their parts and a time zone may follow.
  init?(iso text: String) {
    let rest = text.dropFirst(16)
    self.init(exif: String(text.prefix(16)) + (rest.first == ":" ? rest.prefix(3) : ":00"))
    zone = Self.zone(String(rest.drop { !"+-Z".contains($0) }))
  }

  /// EXIF's `+HH:MM`, or ISO 8601's `Z`; nil for other texts.
  static func zone(_ text: String) -> String? {
    if text == "Z" { return "+00:00" }
    let isZone = (text.hasPrefix("+") || text.hasPrefix("-")) && text.dropFirst(3).first == ":"
    return isZone && CaptureDate(exif: "2000:01:01 \(text.dropFirst()):00") != nil ? text : nil
  }

  /// Cameras without a zone leave it to the time of the satellites, which belongs to a moment shortly before.
  func zoned(by located: CaptureDate?) -> CaptureDate {
    guard zone == nil, let located else { return self }
    let (away, quarter) = (secondsByClock - located.secondsByClock, 900)
    let offset = Int((Double(away) / Double(quarter)).rounded()) * quarter
    guard (-12 * 3600...14 * 3600).contains(offset), (-5...Self.mostLag).contains(away - offset) else { return self }
    var date = self
    let minutes = abs(offset) / 60
    date.zone = (offset < 0 ? "-" : "+") + Self.two(minutes / 60) + ":" + Self.two(minutes % 60)
    return date
  }

  /// Since 1970 began, as if the camera's clock showed UTC.
  public var secondsByClock: Int {
    CivilTime(CivilDate(year: year, month: month, day: day), hour: hour, minute: minute, second: second)
      .secondsSince1970
  }

  /// The zone in seconds.
  public var secondsFromUTC: Int? {
    guard let zone, let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)) else { return nil }
    return (zone.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// By the cameras' clocks.
  public static func < (one: CaptureDate, other: CaptureDate) -> Bool { one.secondsByClock < other.secondsByClock }
}

extension CaptureDate: CustomStringConvertible {
  /// `2024-05-31 18:04:09, UTC+02:00`, where the time zone is known.
  public var zoned: String { zone.map { "\(self), UTC\($0)" } ?? description }

  /// `2024-05-31 18:04:09`.
  public var description: String {
    let digits = String(year)
    return String(repeating: "0", count: 4 - digits.count) + digits
      + "-\(Self.two(month))-\(Self.two(day)) \(Self.two(hour)):\(Self.two(minute)):\(Self.two(second))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
