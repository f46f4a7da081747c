import HTTPTypes

/// Names and values as in a query or a form (application/x-www-form-urlencoded).
enum FormText {
  /// The most names that are read; no call has as many.
  private static let mostNames = 256

  /// The names and values; of several with one name, the first.
  static func read(_ text: some StringProtocol) -> [String: String] {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&", maxSplits: mostNames).prefix(mostNames) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), values[name] == nil else { continue }
      values[name] = parts.count > 1 ? decoded(parts[1]) : ""
    }
    return values
  }

  /// The parameters in the address of a request.
  static func query(of head: HTTPRequest) -> [String: String] {
    read(head.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? "")
  }

  /// Text with percent escapes decoded, and `+` where that is a space (in a query and a form, not in a path); nil when it
  /// is not UTF-8 or an escape is cut.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = true) -> String? {
    if !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension FormText {
  /// The header field by which a browser saves an answer as a file of this name (RFC 6266): a plain form of it for old
  /// ones, and all of it.
  static func attachment(_ name: String) -> String {
    var plain = ""
    for scalar in name.unicodeScalars {
      let isPlain = (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
      plain.unicodeScalars.append(isPlain ? scalar : "_")
    }
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded(name))"
  }

  /// Text with everything but unreserved characters escaped (RFC 3986, 2.3).
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
