/// Text in addresses and forms.
enum PercentEncoding {
  /// All but letters, digits and `-._~` as `%` and two capital digits (RFC 5849, section 3.6).
  static func strict(_ text: String) -> String { encoded(text, keepingSlashes: false) }

  /// As `strict`, with slashes as they are.
  static func path(_ text: String) -> String { encoded(text, keepingSlashes: true) }

  /// `name=value&…`, for a query or a form.
  static func pairs(_ pairs: [(String, String)]) -> String {
    pairs.map { strict($0.0) + "=" + strict($0.1) }.joined(separator: "&")
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func encoded(_ text: String, keepingSlashes: Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: "/") where keepingSlashes: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
