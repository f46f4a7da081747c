public enum ByteCount {
  private static let units: [StaticString] = [" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"]

  /// `340 B`, `1.2 KiB`, `27.0 MiB`, in powers of 1,024. Negative numbers count as zero.
  public static func text(_ bytes: Int) -> String { short(bytes).string }

  public static func text(_ bytes: UInt64) -> String { text(Int(clamping: bytes)) }

  /// Without a heap allocation, for drawing.
  public static func short(_ bytes: Int) -> ShortText {
    let (tenths, unit) = rounded(max(0, bytes))
    var text = ShortText()
    append(tenths, unit, to: &text)
    text.append(units[unit])
    return text
  }

  /// `12.1 of 27.0 MiB`, both in the total's unit. The first is rounded down and reaches the second only at the end.
  public static func text(_ done: Int, of total: Int) -> String {
    let (tenths, unit) = rounded(max(0, total))
    let part = done >= total ? tenths : Int(Double(max(0, done)) * 10 / scale(unit))
    var text = ShortText()
    append(min(part, tenths), unit, to: &text)
    text.append(" of ")
    append(tenths, unit, to: &text)
    text.append(units[unit])
    return text.string
  }

  public static func rate(_ bytesPerSecond: Int) -> String { text(bytesPerSecond) + "/s" }

  /// Tenths of a unit, below 10,240 except in the largest unit.
  private static func rounded(_ bytes: Int) -> (tenths: Int, unit: Int) {
    if bytes < 1024 { return (bytes * 10, 0) }
    var unit = 1
    while unit < units.count - 1, (Double(bytes) * 10 / scale(unit)).rounded() >= 10_240 { unit += 1 }
    return (Int((Double(bytes) * 10 / scale(unit)).rounded()), unit)
  }

  private static func scale(_ unit: Int) -> Double { Double(UInt64(1) << UInt64(10 * unit)) }

  private static func append(_ tenths: Int, _ unit: Int, to text: inout ShortText) {
    text.append(tenths / 10)
    guard unit > 0 else { return }
    text.append(".")
    text.append(tenths % 10)
  }
}

extension Int {
  /// `1,000`.
  public var grouped: String {
    let digits = Array(String(magnitude).utf8)
    var text = self < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
