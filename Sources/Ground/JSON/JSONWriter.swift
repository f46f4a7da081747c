extension JSONValue {
  /// This value on one line, without spaces, as ASCII. All else and 0x7F are escaped, which makes it valid in a header.
  public var ascii: String { written { $0.value > 0x7E } }

  /// This value on one line, without spaces, in UTF-8. Characters that must not reach a terminal are escaped: controls,
  /// bidi marks, zero-width characters and separators.
  public var encoded: String { written(JSONValue.couldDriveATerminal) }

  /// As `encoded`, with a space after each comma and colon: simple clients parse answers by such patterns.
  public var spaced: String { written(isSpaced: true, JSONValue.couldDriveATerminal) }

  /// As `ascii`, with a space after each comma and colon.
  public var spacedASCII: String { written(isSpaced: true) { $0.value > 0x7E } }

  private func written(isSpaced: Bool = false, _ mustEscape: (Unicode.Scalar) -> Bool) -> String {
    var bytes: [UInt8] = []
    write(to: &bytes, isSpaced, mustEscape)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8], _ isSpaced: Bool, _ mustEscape: (Unicode.Scalar) -> Bool) {
    func mark(_ mark: Unicode.Scalar, _ bytes: inout [UInt8]) {
      bytes.append(UInt8(ascii: mark))
      if isSpaced { bytes.append(UInt8(ascii: " ")) }
    }
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    // JSON cannot express infinite numbers and NaN.
    case .fraction(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let text): JSONValue.write(text, to: &bytes, mustEscape)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { mark(",", &bytes) }
        value.write(to: &bytes, isSpaced, mustEscape)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { mark(",", &bytes) }
        JSONValue.write(member.key, to: &bytes, mustEscape)
        mark(":", &bytes)
        member.value.write(to: &bytes, isSpaced, mustEscape)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8], _ mustEscape: (Unicode.Scalar) -> Bool) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      case "\u{20}"..."\u{7E}": bytes.append(UInt8(scalar.value))
      default:
        guard scalar.value < 0x20 || mustEscape(scalar) else {
          bytes += String(scalar).utf8
          continue
        }
        for unit in String(scalar).utf16 { escape(unit, to: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func escape(_ unit: UInt16, to bytes: inout [UInt8]) {
    let digits = String(unit, radix: 16)
    bytes += "\\u".utf8
    bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
    bytes += digits.utf8
  }

  private static func couldDriveATerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
