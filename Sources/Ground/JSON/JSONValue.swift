/// A JSON value (RFC 8259). Members keep their order because some clients of servers rely on it.
public indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number without point and exponent that fits.
  case integer(Int64)
  /// Any other number; always finite if it was read.
  case fraction(Double)
  case string(String)
  case array([JSONValue])
  /// All members in order, including duplicate keys.
  case object([JSONMember])

  /// An object of members in the order given; members with a nil value are left out.
  public static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  /// A whole number, clamped to 64 bits.
  public static func number(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: value)) }

  /// The value of a member; nil if it is missing or `null`, or if this is no object. The last of duplicate keys counts;
  /// keys compare byte by byte.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self,
      let found = members.last(where: { $0.key.utf8.elementsEqual(key.utf8) })?.value, found != .null
    else { return nil }
    return found
  }

  /// The text of a string; nil for other values.
  public var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a number without a fraction; nil for other values.
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The value of any number; nil for other values.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .fraction(let value): value
    default: nil
    }
  }
  /// The value of a boolean; nil for other values.
  public var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The values of an array; nil for other values.
  public var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// This object with more members at its end or beginning; any other value unchanged.
  public func adding(_ more: [JSONMember], first: Bool = false) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(first ? more + members : members + more)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

public struct JSONMember: Sendable, Equatable {
  public let key: String
  public let value: JSONValue
  /// The place of the key; nil if it was not read or not recorded.
  public let place: JSONPlace?

  public init(_ key: String, _ value: JSONValue, place: JSONPlace? = nil) {
    self.key = key
    self.value = value
    self.place = place
  }
}

/// A place in a text, for messages to people.
public struct JSONPlace: Sendable, Equatable {
  /// Counted from 1.
  public let line: Int
  /// Counted from 1, in bytes.
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
