/// A limit of transfers as it is typed: a rate, or that there is none.
package struct ByteRate: Sendable, Equatable {
  /// nil is off.
  package let bytesPerSecond: UInt64?

  /// `500K`, `2M`, `1.5 MiB/s`, `off`. Powers of 1,024; without a unit, bytes a second. nil for what is no rate, or none
  /// from one byte to one PB a second.
  package init?(_ text: String) {
    var word = text.lowercased().filter { $0 != " " }
    if word == "off" {
      bytesPerSecond = nil
      return
    }
    if word.hasSuffix("/s") { word.removeLast(2) }
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let number = Double(digits), let factor = ByteRate.factors[String(word.dropFirst(digits.count))],
      case let bytes = number * factor, bytes >= 1, bytes < 1e15
    else { return nil }
    bytesPerSecond = UInt64(bytes)
  }

  private static let factors: [String: Double] = [
    "": 1, "b": 1, "k": 1024, "kb": 1024, "kib": 1024, "m": 1_048_576, "mb": 1_048_576, "mib": 1_048_576,
    "g": 1_073_741_824, "gb": 1_073_741_824, "gib": 1_073_741_824,
  ]
}
