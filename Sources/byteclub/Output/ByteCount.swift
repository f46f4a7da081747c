/// Sizes for people: binary units, as the screens show them.
enum ByteCount {
  private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// `340 B`, `1.2 KiB`, `27.0 MiB`.
  static func text(_ bytes: UInt64) -> String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var value = Double(bytes) / 1024
    var unit = 0
    while value >= 1023.95, unit + 1 < units.count {
      value /= 1024
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
