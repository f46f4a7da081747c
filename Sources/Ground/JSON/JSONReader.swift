/// Reads JSON (RFC 8259) from any source: every input ends with a value or a fault.
///
/// Strict: no comments, no trailing commas, nothing after the value, and valid UTF-8. A byte order mark is refused
/// unless `Options` allow it.
public struct JSONReader {
  public struct Options: Sendable {
    public var depth = 64
    /// The most bytes; longer input is refused unread.
    public var mostBytes = 64 << 20
    /// True to record the place of each member.
    public var keepsPlaces = false
    /// True to replace half of a surrogate pair in an escape by U+FFFD; some servers cut names inside a pair.
    public var mendsHalfPairs = false
    /// True to skip a byte order mark at the beginning; some editors write one.
    public var takesByteOrderMark = false

    public init() {}
  }

  /// A syntax error.
  public struct Fault: Error, Equatable {
    public let place: JSONPlace
    /// A clause: `a "," or "}" is missing`.
    public let reason: String

    public init(_ place: JSONPlace, _ reason: String) {
      self.place = place
      self.reason = reason
    }
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let options: Options
  var position = 0
  private var depth = 0
  /// The last computed place: its position, its line number, and the start of that line.
  private var known = (position: 0, line: 1, start: 0)

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: Options) {
    self.bytes = bytes
    self.options = options
  }

  /// The value of the whole of `bytes`.
  public static func read(_ bytes: [UInt8], _ options: Options = Options()) throws(Fault) -> JSONValue {
    // A closure cannot throw a typed error through this function of the standard library.
    let result = bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, options)
      return Result { () throws(Fault) in try reader.document() }
    }
    return try result.get()
  }

  private mutating func document() throws(Fault) -> JSONValue {
    guard bytes.count <= options.mostBytes else { throw fault("the text has more than \(options.mostBytes) bytes") }
    if options.takesByteOrderMark, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw fault("something follows the end") }
    return value
  }

  private mutating func value() throws(Fault) -> JSONValue {
    skipSpace()
    guard let byte = next else { throw fault("the text ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return .object(try members())
    case UInt8(ascii: "["): return .array(try elements())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    case UInt8(ascii: "t") where take("true"): return .bool(true)
    case UInt8(ascii: "f") where take("false"): return .bool(false)
    case UInt8(ascii: "n") where take("null"): return .null
    case UInt8(ascii: "/"), UInt8(ascii: "#"): throw fault("JSON has no comments")
    default: throw fault("a value was expected")
    }
  }

  private mutating func members() throws(Fault) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return members }
    while true {
      skipSpace()
      if next == UInt8(ascii: "/") || next == UInt8(ascii: "#") { throw fault("JSON has no comments") }
      guard next == UInt8(ascii: "\"") else { throw fault("a key in double quotes was expected") }
      let place = options.keepsPlaces ? place(at: position) : nil
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault("a \":\" is missing after \"\(key)\"") }
      members.append(JSONMember(key, try value(), place: place))
      skipSpace()
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else { throw fault("a \",\" or \"}\" is missing") }
    }
  }

  private mutating func elements() throws(Fault) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value())
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw fault("a \",\" or \"]\" is missing") }
    }
  }

  private mutating func enter() throws(Fault) {
    guard depth < options.depth else { throw fault("values are nested too deeply") }
    depth += 1
    position += 1
  }

  // MARK: For the readers of texts and numbers

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  mutating func fault(_ reason: String) -> Fault { Fault(place(at: position), reason) }

  /// Positions usually increase, so all calls together cost one walk through the text.
  private mutating func place(at position: Int) -> JSONPlace {
    if position < known.position { known = (0, 1, 0) }
    for index in known.position..<min(position, bytes.count) where bytes[index] == 0x0A {
      known.line += 1
      known.start = index + 1
    }
    known.position = position
    return JSONPlace(line: known.line, column: position - known.start + 1)
  }
}
