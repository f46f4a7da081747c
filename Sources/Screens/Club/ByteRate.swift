/// A rate as it is typed: `500K`, `2M`, `1.5 MiB/s`, `off`. Powers of 1,024; without a unit, bytes a second.
enum ByteRate {
  /// Bytes a second, nil for `off`; throws nothing, as the outer nil says that it is none.
  static func read(_ text: String) -> UInt64?? {
    let word = text.lowercased().filter { $0 != " " }
    if word == "off" { return .some(nil) }
    let number = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = Double(number), value > 0, let factor = factors[String(word.dropFirst(number.count))] else {
      return nil
    }
    let bytes = value * factor
    return bytes >= 1 && bytes < 1e15 ? .some(UInt64(bytes)) : nil
  }

  private static let factors: [String: Double] = {
    var factors: [String: Double] = [:]
    for (unit, factor) in [("", 1.0), ("k", 1024), ("m", 1_048_576), ("g", 1_073_741_824)] {
      for ending in unit.isEmpty ? ["", "b"] : ["", "b", "ib"] {
        factors[unit + ending] = factor
        factors[unit + ending + "/s"] = factor
      }
    }
    return factors
  }()
}
