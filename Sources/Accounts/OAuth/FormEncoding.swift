/// Names and values in one text (application/x-www-form-urlencoded), for queries and bodies.
enum FormEncoding {
  /// `a=1&b=two%20words`: everything but letters, digits, `-`, `.`, `_` and `~` is percent-encoded.
  static func text(_ fields: KeyValuePairs<String, String?>) -> String {
    fields.compactMap { name, value in value.map { "\(encoded(name))=\(encoded($0))" } }.joined(separator: "&")
  }

  /// The fields of a text. Nil when it is not well formed: a broken escape, what is not UTF-8, or a name twice.
  static func fields(of text: Substring) -> [String: String]? {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), let value = parts.count > 1 ? decoded(parts[1]) : "",
        fields.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return fields
  }

  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
          digits.first != UInt8(ascii: "+")
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
