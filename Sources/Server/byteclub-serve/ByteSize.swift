import ArgumentParser

/// A number of bytes as typed: `500M`, `10G`, `1.5TiB`, in powers of 1024.
struct ByteSize: ExpressibleByArgument {
  static let form = "a number with K, M, G or T, such as 500M or 10G"
  private static let units: [(Character, UInt64)] = [("k", 10), ("m", 20), ("g", 30), ("t", 40)]
  /// More than any disk has, and exact in SQLite.
  private static let most: UInt64 = 1 << 60

  let bytes: UInt64

  init?(argument: String) {
    var text = argument.lowercased()[...]
    if text.hasSuffix("ib") { text = text.dropLast(2) } else if text.hasSuffix("b") { text = text.dropLast() }
    var shift: UInt64 = 0
    if let unit = ByteSize.units.first(where: { text.last == $0.0 }) {
      shift = unit.1
      text = text.dropLast()
    }
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(text) else { return nil }
    let bytes = number * Double(UInt64(1) << shift)
    guard bytes >= 0, bytes <= Double(ByteSize.most) else { return nil }
    self.bytes = UInt64(bytes)
  }

  /// The shortest form that `init(argument:)` reads as the same number.
  static func text(_ bytes: UInt64) -> String {
    let unit = units.last { bytes > 0 && bytes.isMultiple(of: 1 << $0.1) }
    return unit.map { "\(bytes >> $0.1)" + $0.0.uppercased() } ?? "\(bytes)"
  }
}

/// A quota of `run`: for all clubs, or for one.
struct QuotaOption: ExpressibleByArgument {
  /// nil for all clubs.
  let club: String?
  let bytes: UInt64

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = parts.last, let size = ByteSize(argument: String(last)) else { return nil }
    club = parts.count == 2 ? String(parts[0]) : nil
    bytes = size.bytes
  }
}
