/// Reads JSON (RFC 8259).
struct JSONReader {
  /// Why a text is no JSON: a clause.
  struct Fault: Error, Equatable {
    let reason: String
  }

  private static let deepest = 64
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that the whole of `bytes` spells.
  static func read(_ bytes: [UInt8]) throws(Fault) -> JSON {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.position == bytes.count else { throw Fault(reason: "there is something after the end") }
    return value
  }

  private mutating func value() throws(Fault) -> JSON {
    skipSpace()
    guard let byte = peek() else { throw Fault(reason: "the text ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return .object(try members())
    case UInt8(ascii: "["): return .array(try elements())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    default: break
    }
    for (word, value) in [("null", JSON.null), ("true", .bool(true)), ("false", .bool(false))]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw Fault(reason: "a value was expected at byte \(position)")
  }

  private mutating func members() throws(Fault) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      guard peek() == UInt8(ascii: "\"") else { throw Fault(reason: "a key was expected at byte \(position)") }
      let key = try string()
      skipSpace()
      guard take(":") else { throw Fault(reason: "a \":\" is missing at byte \(position)") }
      members.append(JSONMember(key, try value()))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw Fault(reason: "a \",\" or \"}\" is missing at byte \(position)") }
    }
  }

  private mutating func elements() throws(Fault) -> [JSON] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSON] = []
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value())
      skipSpace()
      if take("]") { return elements }
      guard take(",") else { throw Fault(reason: "a \",\" or \"]\" is missing at byte \(position)") }
    }
  }

  private mutating func enter() throws(Fault) {
    position += 1
    depth += 1
    guard depth <= JSONReader.deepest else { throw Fault(reason: "values are nested too deeply") }
  }

  private mutating func string() throws(Fault) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw Fault(reason: "a text is not UTF-8") }
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: try escaped())
      case 0..<0x20: throw Fault(reason: "a control character stands in a text")
      default: text.append(byte)
      }
    }
    throw Fault(reason: "a text is not closed")
  }

  private mutating func escaped() throws(Fault) -> [UInt8] {
    guard let byte = peek() else { throw Fault(reason: "a text is not closed") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if code & 0xFC00 == 0xD800, bytes[position...].starts(with: "\\u".utf8) {
        position += 2
        let low = try hexadecimal()
        guard low & 0xFC00 == 0xDC00 else { throw Fault(reason: "half of a surrogate pair is missing") }
        code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(code) else { throw Fault(reason: "half of a surrogate pair is missing") }
      return Array(String(scalar).utf8)
    default: throw Fault(reason: "an unknown escape stands in a text")
    }
  }

  private mutating func hexadecimal() throws(Fault) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard digits.count == 4, isHexadecimal, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw Fault(reason: "four hexadecimal digits must follow \\u") }
    position += 4
    return code
  }

  private mutating func number() throws(Fault) -> JSON {
    let start = position
    var isWhole = true
    _ = take("-")
    let whole = digits()
    var isSound = whole > 0 && (whole == 1 || bytes[position - whole] != UInt8(ascii: "0"))
    if take(".") {
      isWhole = false
      isSound = digits() > 0 && isSound
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      isSound = digits() > 0 && isSound
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isSound, let value = Double(text) else { throw Fault(reason: "a number is not written as JSON wants it") }
    if isWhole, let value = Int64(text) { return .integer(value) }
    return .fraction(value)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }
}
