extension JSON {
  /// The text of this value on one line. With `asciiOnly`, what is not printable ASCII is escaped by UTF-16 units, as
  /// the API's headers want it.
  func text(asciiOnly: Bool = false) -> String {
    var text: [UInt8] = []
    write(to: &text, asciiOnly)
    return String(decoding: text, as: UTF8.self)
  }

  private func write(to text: inout [UInt8], _ asciiOnly: Bool) {
    switch self {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .integer(let value): text += String(value).utf8
    case .fraction(let value): text += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let string): JSON.write(string, to: &text, asciiOnly)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", ".utf8 }
        element.write(to: &text, asciiOnly)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", ".utf8 }
        JSON.write(member.key, to: &text, asciiOnly)
        text += ": ".utf8
        member.value.write(to: &text, asciiOnly)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ string: String, to text: inout [UInt8], _ asciiOnly: Bool) {
    text.append(UInt8(ascii: "\""))
    if string.utf8.allSatisfy({ isPlain($0) }) {
      text += string.utf8
    } else {
      escape(string, to: &text, asciiOnly)
    }
    text.append(UInt8(ascii: "\""))
  }

  /// Printable ASCII that stands for itself.
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func escape(_ string: String, to text: inout [UInt8], _ asciiOnly: Bool) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\"".utf8
      case "\\": text += "\\\\".utf8
      case "\n": text += "\\n".utf8
      case "\r": text += "\\r".utf8
      case "\t": text += "\\t".utf8
      default:
        if scalar.value < 0x20 || (asciiOnly && scalar.value > 0x7E) {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { text += escaped(unit) }
        } else {
          text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
      }
    }
  }

  private static func escaped(_ unit: UInt16) -> String.UTF8View {
    let digits = String(unit, radix: 16)
    return ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
  }
}
