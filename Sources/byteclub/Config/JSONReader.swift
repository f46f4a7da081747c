/// Reads JSON (RFC 8259) and says on which line it is wrong.
struct JSONReader {
  /// Why a text is no JSON.
  struct Fault: Error, Equatable {
    /// The line, from 1.
    let line: Int
    /// A clause: `a "," or "}" is missing`.
    let reason: String
  }

  private static let deepest = 100
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value that the whole of `bytes` spells. Of two members with one key both are kept, in their order.
  static func read(_ bytes: [UInt8]) throws(Fault) -> JSONNode {
    var reader = JSONReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    let node = try reader.value()
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.fault("there is something after the end") }
    return node
  }

  private mutating func value() throws(Fault) -> JSONNode {
    skipSpace()
    let start = line
    guard let byte = peek() else { throw fault("the text ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return JSONNode(value: .object(try members()), line: start)
    case UInt8(ascii: "["): return JSONNode(value: .array(try elements()), line: start)
    case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), line: start)
    case UInt8(ascii: "-"), 0x30...0x39: return JSONNode(value: .number(try number()), line: start)
    default: break
    }
    let words: [(String, JSONValue)] = [("null", .null), ("true", .bool(true)), ("false", .bool(false))]
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return JSONNode(value: value, line: start)
    }
    if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") { throw fault("JSON has no comments") }
    throw fault("a value was expected")
  }

  private mutating func members() throws(Fault) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      guard peek() == UInt8(ascii: "\"") else { throw fault("a key in double quotes was expected") }
      let start = line
      let key = try string()
      skipSpace()
      guard take(":") else { throw fault("a \":\" is missing after \"\(key)\"") }
      var node = try value()
      node.line = start
      members.append(JSONMember(key: key, node: node))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw fault("a \",\" or \"}\" is missing") }
    }
  }

  private mutating func elements() throws(Fault) -> [JSONNode] {
    try enter()
    defer { depth -= 1 }
    var nodes: [JSONNode] = []
    skipSpace()
    if take("]") { return nodes }
    while true {
      nodes.append(try value())
      skipSpace()
      if take("]") { return nodes }
      guard take(",") else { throw fault("a \",\" or \"]\" is missing") }
    }
  }

  private mutating func enter() throws(Fault) {
    position += 1
    depth += 1
    guard depth <= JSONReader.deepest else { throw fault("values are nested too deeply") }
  }

  private mutating func string() throws(Fault) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw fault("a text is not UTF-8") }
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: try escaped())
      case 0..<0x20: throw fault("a text is not closed on its line")
      default: text.append(byte)
      }
    }
    throw fault("a text is not closed")
  }

  private mutating func escaped() throws(Fault) -> [UInt8] {
    guard let byte = peek() else { throw fault("a text is not closed") }
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
        guard low & 0xFC00 == 0xDC00 else { throw fault("half of a surrogate pair is missing") }
        code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair is missing") }
      return Array(String(scalar).utf8)
    default: throw fault("\\\(String(Unicode.Scalar(byte))) is no escape that JSON knows")
    }
  }

  private mutating func hexadecimal() throws(Fault) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
    else { throw fault("four hexadecimal digits must follow \\u") }
    position += 4
    return code
  }

  private mutating func number() throws(Fault) -> String {
    let start = position
    _ = take("-")
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else {
      throw fault("a number is not written as JSON wants it")
    }
    if take("."), digits() == 0 { throw fault("a digit must follow the point") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { throw fault("a digit must follow the e") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }
  private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }
}
