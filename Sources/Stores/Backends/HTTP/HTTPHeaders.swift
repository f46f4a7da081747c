/// Header fields in order. Lookup ignores case (RFC 9110, section 5.1).
///
/// A field cannot break out of its line: names keep only token characters, and a field with an empty name is dropped.
/// Control characters in a value (CR, LF and NUL included) become spaces, and its ends are trimmed.
public struct HTTPHeaders: Sendable, Hashable {
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String
  }

  public private(set) var fields: [Field] = []

  public init() {}

  /// The first value with the name. Setting replaces all fields of the name; nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.same($0.name, name) }?.value }
    set {
      let place = fields.firstIndex { HTTPHeaders.same($0.name, name) } ?? fields.endIndex
      fields.removeAll { HTTPHeaders.same($0.name, name) }
      if let newValue, let field = HTTPHeaders.field(name, newValue) { fields.insert(field, at: place) }
    }
  }

  public func values(of name: String) -> [String] {
    fields.filter { HTTPHeaders.same($0.name, name) }.map(\.value)
  }

  public mutating func append(_ name: String, _ value: String) {
    if let field = HTTPHeaders.field(name, value) { fields.append(field) }
  }

  private static func field(_ name: String, _ value: String) -> Field? {
    let token = name.utf8.allSatisfy(isToken) ? name : String(decoding: name.utf8.filter(isToken), as: UTF8.self)
    guard !token.isEmpty else { return nil }
    if isClean(value) { return Field(name: token, value: value) }
    let clean = value.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
    let start = clean.firstIndex { $0 != 0x20 } ?? clean.endIndex
    let end = clean.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start
    return Field(name: token, value: String(decoding: clean[start..<end], as: UTF8.self))
  }

  private static func isClean(_ value: String) -> Bool {
    guard let first = value.utf8.first, let last = value.utf8.last else { return true }
    return first != 0x20 && last != 0x20 && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  static func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
  }

  static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

struct HeaderReader {
  /// In bytes; no server has reason to send more.
  private static let limit = 256 << 10

  private var status = 0
  private var fields = HTTPHeaders()
  private var size = 0
  private(set) var response: HTTPResponse?
  var hasBegun: Bool { status != 0 }
  private(set) var maySendBody = false

  /// Takes a line with its line end. Returns false if the header is too long.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    size += line.count
    guard size <= HeaderReader.limit else { return false }
    var end = line.endIndex
    while end > line.startIndex, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    let text = line[..<end]
    if text.isEmpty {
      if status == 100 { maySendBody = true }
      if status >= 200, response == nil { response = HTTPResponse(status, headers: fields) }
    } else if text.starts(with: "HTTP/".utf8) {
      // A new response: the previous one was interim, or libcurl has sent the request again.
      (status, fields, response) = (HeaderReader.status(of: text), HTTPHeaders(), nil)
    } else if text.first == 0x20 || text.first == 0x09 {
      // A folded field's continuation, which servers must not send any more (RFC 9112, section 5.2).
    } else if response == nil, let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      fields.append(String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    return true
  }

  private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
    let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { 0x30...0x39 ~= $0 }
    return digits.count == 3 ? digits.reduce(0) { $0 * 10 + Int($1) - 0x30 } : 0
  }
}
