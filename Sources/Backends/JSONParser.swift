/// Reads JSON (RFC 8259) that came over a network: whatever the bytes are, it ends, with a value or with nil.
///
/// Strict, but for lone surrogates in escapes, which become U+FFFD. Bytes that are no UTF-8 are no JSON.
struct JSONParser {
  /// Arrays and objects within each other; no server's answer is deeper.
  static let deepest = 64

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The value that the whole of `bytes` spells; nil when that is no JSON, or too deep.
  static func value(of bytes: [UInt8]) -> JSONValue? {
    bytes.withUnsafeBufferPointer { buffer in
      var parser = JSONParser(buffer)
      guard let value = parser.value() else { return nil }
      parser.skipSpace()
      return parser.position == buffer.count ? value : nil
    }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  private mutating func value() -> JSONValue? {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return nested { $0.object() }
    case UInt8(ascii: "["): return nested { $0.array() }
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func nested(_ body: (inout JSONParser) -> JSONValue?) -> JSONValue? {
    guard depth < JSONParser.deepest else { return nil }
    depth += 1
    position += 1
    defer { depth -= 1 }
    return body(&self)
  }

  private mutating func object() -> JSONValue? {
    var members: [JSONMember] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard let key = string() else { return nil }
      skipSpace()
      guard take(UInt8(ascii: ":")), let value = value() else { return nil }
      members.append(JSONMember(key: key, value: value))
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func array() -> JSONValue? {
    var values: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    while true {
      guard let value = value() else { return nil }
      values.append(value)
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(values) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text = ""
    var start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let piece = piece(from: start) else { return nil }
        position += 1
        return text.isEmpty ? piece : text + piece
      case UInt8(ascii: "\\"):
        guard let piece = piece(from: start) else { return nil }
        text += piece
        guard let scalar = escape() else { return nil }
        text.unicodeScalars.append(scalar)
        start = position
      case 0..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  private func piece(from start: Int) -> String? {
    String(validating: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
  }

  private mutating func escape() -> Unicode.Scalar? {
    position += 1
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = hexUnit() else { return nil }
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The first half of a pair takes the second along, when that follows.
      let before = position
      if unit < 0xDC00, take("\\u"), let low = hexUnit(), 0xDC00...0xDFFF ~= low {
        return Unicode.Scalar(0x10000 + ((UInt32(unit) - 0xD800) << 10) + (UInt32(low) - 0xDC00))
      }
      position = before
      return "\u{FFFD}"
    default: return nil
    }
  }

  private mutating func hexUnit() -> UInt16? {
    guard bytes.count - position >= 4 else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[position..<(position + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }

  private mutating func number() -> JSONValue? {
    let start = position
    _ = take(UInt8(ascii: "-"))
    guard let first = next, isDigit(first) else { return nil }
    let leading = skipDigits()
    if first == UInt8(ascii: "0"), leading > 1 { return nil }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      if skipDigits() == 0 { return nil }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      if skipDigits() == 0 { return nil }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { return nil }
    return .number(number)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = next, isDigit(byte) { position += 1 }
    return position - start
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
