/// Times as version 1 writes them: `Sat, 10 Aug 2013 23:21:03 +0000`, always 31 characters.
enum V1Time {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The text of a second since 1970. With another `zone`, `GMT`, it is what fields of HTTP have.
  static func text(_ seconds: Int64, zone: StaticString = "+0000") -> String {
    let parts = WireTime.parts(seconds)
    var text: [UInt8] = []
    text.reserveCapacity(31)
    text += days[parts.weekday].utf8
    text += ", ".utf8
    WireTime.append(parts.day, 2, " ", to: &text)
    text += months[parts.month - 1].utf8
    text.append(UInt8(ascii: " "))
    WireTime.append(parts.year, 4, " ", to: &text)
    WireTime.append(parts.hour, 2, ":", to: &text)
    WireTime.append(parts.minute, 2, ":", to: &text)
    WireTime.append(parts.second, 2, " ", to: &text)
    return String(decoding: text, as: UTF8.self) + "\(zone)"
  }
}
