/// How the bytes of a text are to be read. Programs on other systems write UTF-16 and Latin-1, too.
public enum TextEncoding: Sendable, Equatable {
  /// Also ASCII, and a text without bytes.
  case utf8
  /// Begins with a byte order mark.
  case utf16(isBigEndian: Bool)
  /// Latin-1 as Windows has it (code page 1252): letters above ASCII, none of which can be UTF-8.
  case latin1
  /// Damaged UTF-8, or no text.
  case other

  public init(_ bytes: [UInt8]) {
    if bytes.count.isMultiple(of: 2), let mark = TextEncoding.mark(of: bytes) {
      self = mark
    } else if (try? UTF8Span(validating: bytes.span)) != nil {
      self = .utf8
    } else {
      self = TextEncoding.isLatin1(bytes) ? .latin1 : .other
    }
  }

  /// The encoding that the first bytes announce. UTF-32 begins with the mark of UTF-16 and a NUL.
  public static func mark(of beginning: [UInt8]) -> TextEncoding? {
    if beginning.starts(with: [0xFE, 0xFF]) { return .utf16(isBigEndian: true) }
    guard beginning.starts(with: [0xFF, 0xFE]), !beginning.dropFirst(2).starts(with: [0, 0]) else { return nil }
    return .utf16(isBigEndian: false)
  }

  public var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16: "UTF-16"
    case .latin1: "Latin-1"
    case .other: "no text that byteclub can read"
    }
  }

  /// The mark as UTF-8 has it.
  public static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text in UTF-8 without a byte order mark, for showing and searching. Damaged UTF-8 and what is no text stay as they
  /// are.
  public static func shown(_ bytes: [UInt8]) -> [UInt8] {
    switch TextEncoding(bytes) {
    case .utf8: return bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
    case .other: return bytes
    case .latin1: return Array(String(String.UnicodeScalarView(bytes.map(scalar))).utf8)
    case .utf16(let isBigEndian):
      let units = stride(from: 2, to: bytes.count, by: 2).map { place in
        let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
  }

  /// True if the two together are still in one encoding.
  public static func mayJoin(_ text: [UInt8], _ addition: [UInt8]) -> Bool {
    let (its, new) = (TextEncoding(text), TextEncoding(addition))
    switch (its, new) {
    case (.utf16, _), (_, .utf16): return text.isEmpty || addition.isEmpty
    case (.latin1, .utf8): return isASCII(addition)
    case (.utf8, .latin1): return isASCII(text)
    default: return true
    }
  }

  private static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

  /// One letter of UTF-8 above ASCII shows that the text is UTF-8 with a damaged place.
  private static func isLatin1(_ bytes: [UInt8]) -> Bool {
    var continuations = 0
    for byte in bytes.reversed() {
      if byte < 0x20, !(0x09...0x0D).contains(byte) { return false }
      if byte == 0x7F || [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte) { return false }
      // A leading byte with as many continuation bytes behind it as it announces.
      let announced = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC2 ? 1 : 0
      if announced > 0, continuations >= announced { return false }
      continuations = byte & 0xC0 == 0x80 ? continuations + 1 : 0
    }
    return true
  }

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return windows[Int(byte) - 0x80]
  }

  /// 0x80 to 0x9F of code page 1252.
  private static let windows =
    Array(
      "\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}"
        .unicodeScalars)
    + Array(
      "\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}"
        .unicodeScalars)
}
