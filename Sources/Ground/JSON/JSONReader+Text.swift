extension JSONReader {
  /// Reads a string from its opening quote.
  mutating func string() throws(Fault) -> String {
    position += 1
    var text = ""
    var start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let piece = try piece(from: start)
        position += 1
        return text.isEmpty ? piece : text + piece
      case UInt8(ascii: "\\"):
        text += try piece(from: start)
        text.unicodeScalars.append(try escape())
        start = position
      case 0x0A, 0x0D: throw fault("a text does not end on its line")
      case 0..<0x20: throw fault("a text contains a control character")
      default: position += 1
      }
    }
    throw fault("a text does not end")
  }

  private mutating func piece(from start: Int) throws(Fault) -> String {
    guard let piece = String(validating: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self) else {
      throw fault("a text is not UTF-8")
    }
    return piece
  }

  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    position += 1
    guard let byte = next else { throw fault("a text does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar()
    default: throw fault("\\\(String(Unicode.Scalar(byte))) is not an escape of JSON")
    }
  }

  private mutating func scalar() throws(Fault) -> Unicode.Scalar {
    let unit = try hexUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // The first half of a surrogate pair takes the second half if that follows.
    let before = position
    if unit < 0xDC00, take("\\u"), let low = try? hexUnit(), 0xDC00...0xDFFF ~= low,
      let scalar = Unicode.Scalar(0x10000 + ((UInt32(unit) - 0xD800) << 10) + (UInt32(low) - 0xDC00))
    {
      return scalar
    }
    position = before
    guard options.mendsHalfPairs else { throw fault("half of a surrogate pair is missing") }
    return "\u{FFFD}"
  }

  private mutating func hexUnit() throws(Fault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("four hexadecimal digits must follow \\u")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  /// Reads a number from its first character.
  mutating func number() throws(Fault) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    let first = next
    let whole = skipDigits()
    guard whole == 1 || (whole > 1 && first != UInt8(ascii: "0")) else {
      throw fault("a number is not valid JSON")
    }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      if skipDigits() == 0 { throw fault("a digit must follow the point") }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      if skipDigits() == 0 { throw fault("a digit must follow the e") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let fraction = Double(text), fraction.isFinite else { throw fault("a number is too large") }
    return .fraction(fraction)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = next, 0x30...0x39 ~= byte { position += 1 }
    return position - start
  }
}
