/// Escapes and entities.
enum InlineText {
  /// A text without the backslashes of escapes, and with entities as their characters.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.endIndex, bytes[index + 1].isPunctuation {
        text.append(bytes[index + 1])
        index += 2
      } else if let entity = entity(bytes, at: index) {
        text.append(contentsOf: entity.characters.utf8)
        index = entity.end
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `&name;`, `&#number;` or `&#xnumber;`.
  static func entity(_ bytes: ArraySlice<UInt8>, at start: Int) -> (characters: String, end: Int)? {
    guard bytes[start] == UInt8(ascii: "&") else { return nil }
    var index = start + 1
    guard index < bytes.endIndex else { return nil }
    if bytes[index] == UInt8(ascii: "#") {
      index += 1
      let isHexadecimal = index < bytes.endIndex && bytes[index].lowercased == UInt8(ascii: "x")
      if isHexadecimal { index += 1 }
      let first = index
      var value: UInt32 = 0
      while index < bytes.endIndex, index - first < (isHexadecimal ? 6 : 7),
        let digit = digit(bytes[index], isHexadecimal)
      {
        value = value * (isHexadecimal ? 16 : 10) + digit
        index += 1
      }
      guard index > first, index < bytes.endIndex, bytes[index] == UInt8(ascii: ";") else { return nil }
      let scalar = value == 0 ? nil : Unicode.Scalar(value)
      return (String(scalar ?? "\u{FFFD}"), index + 1)
    }
    while index < bytes.endIndex, bytes[index].isAlphanumeric, index - start < 40 { index += 1 }
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: ";"),
      let characters = EntityTable.characters(of: bytes[(start + 1)..<index])
    else { return nil }
    return (characters, index + 1)
  }

  private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> UInt32? {
    if byte.isDigit { return UInt32(byte - 0x30) }
    let letter = byte.lowercased
    return isHexadecimal && letter >= 0x61 && letter <= 0x66 ? UInt32(letter - 0x61 + 10) : nil
  }
}

/// Text that stands outside of inlines, such as the words after a fence.
public enum MarkdownText {
  /// The text without the backslashes of escapes, and with entities as their characters.
  public static func decoded(_ bytes: ArraySlice<UInt8>) -> String { InlineText.decoded(bytes) }
}
