/// Times as version 1 writes them: `Sat, 10 Aug 2013 23:21:03 +0000`, always 31 characters.
enum V1Time {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// The text of a second since 1970.
  static func text(_ seconds: Int64) -> String {
    // 2013-08-10T23:21:03Z
    let wire = WireTime.text(seconds)
    let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let day = Int((Double(clamped) / 86_400).rounded(.down))
    let parts = wire.dropLast().split { $0 == "-" || $0 == "T" }.map(String.init)
    let month = months[(Int(parts[1]) ?? 1) - 1]
    // 1970 began on a Thursday.
    let name = days[((day % 7) + 7) % 7]
    return "\(name), \(parts[2]) \(month) \(parts[0]) \(parts[3]) +0000"
  }
}
