/// Header fields in their order. Names are looked up without regard to case (RFC 9110, section 5.1).
///
/// A field cannot break out of its line: of a name only token characters are kept, and a field without a name is
/// left out; control characters of a value (CR, LF and NUL among them) become spaces, and its ends are trimmed.
public struct HTTPHeaders: Sendable, Hashable {
  /// A name and its value.
  public struct Field: Sendable, Hashable {
    /// As it was given, or came.
    public let name: String
    /// Without control characters.
    public let value: String
  }

  /// All fields, in order.
  public private(set) var fields: [Field] = []

  /// No fields.
  public init() {}

  /// The named value: of the first such field when read, of the only one when set; nil takes all of them away.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.same($0.name, name) }?.value }
    set {
      let place = fields.firstIndex { HTTPHeaders.same($0.name, name) } ?? fields.endIndex
      fields.removeAll { HTTPHeaders.same($0.name, name) }
      if let newValue, let field = HTTPHeaders.field(name, newValue) { fields.insert(field, at: place) }
    }
  }

  /// The values of all fields of that name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { HTTPHeaders.same($0.name, name) }.map(\.value)
  }

  /// Puts a field at the end, beside others of its name.
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

  /// Whether a value is as it should be already, as most are.
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

  /// Whether two names are one: ASCII letters alone lose their case.
  static func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
  }

  /// An ASCII letter in lower case, any other byte as it is.
  static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Fields in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}
