/// Text in addresses, header fields and forms (RFC 3986, section 2; application/x-www-form-urlencoded).
public enum PercentEncoding {
  /// Everything but letters, digits and `-._~` becomes `%` and two capital digits (also RFC 5849, section 3.6).
  public static func encoded(_ text: String, keepingSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: "/") where keepingSlashes: bytes.append(byte)
      default: bytes += escape(byte).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `%` and two capital digits.
  public static func escape(_ byte: UInt8) -> String {
    String(decoding: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]], as: UTF8.self)
  }

  /// nil for a broken escape or invalid UTF-8. `plusIsSpace` is for a query or a form, not for a path.
  public static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = true) -> String? {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let value = escaped(rest) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The byte of two leading hexadecimal digits; nil without them.
  public static func escaped(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    guard let high = bytes.first.flatMap(digit), let low = bytes.dropFirst().first.flatMap(digit) else { return nil }
    return high << 4 | low
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension PercentEncoding {
  public static func form(_ pairs: some Sequence<(String, String)>) -> String {
    pairs.map { encoded($0.0) + "=" + encoded($0.1) }.joined(separator: "&")
  }

  /// The names and values of a query or a form, at most `most`, in order; nil for undecodable ones.
  public static func pairs(
    ofForm text: some StringProtocol, most: Int = .max
  ) -> [(name: String?, value: String?)] {
    text.split(separator: "&", maxSplits: most).prefix(most).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
    }
  }
}
