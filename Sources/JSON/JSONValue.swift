/// A JSON value (RFC 8259). Members keep their order, which some clients of servers rely on.
public indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number without point and exponent that fits.
  case integer(Int64)
  /// Any other number; always finite when it was read.
  case fraction(Double)
  case string(String)
  case array([JSONValue])
  /// Members in their order, all of them, also when two have one key.
  case object([JSONMember])

  /// An object of members in the order in which they are written; those whose value is nil are left out.
  public static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  /// A whole number; one that does not fit becomes the nearest that does.
  public static func number(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: value)) }

  /// The value of a member; nil when there is none or it is `null`, or this is no object. Of two with one key, the last
  /// counts; keys are compared byte by byte.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self,
      let found = members.last(where: { $0.key.utf8.elementsEqual(key.utf8) })?.value, found != .null
    else { return nil }
    return found
  }

  /// The text of a string.
  public var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A boolean's value.
  public var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The values of an array.
  public var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// This object with more members at its end, or at its beginning; any other value as it is.
  public func adding(_ more: [JSONMember], first: Bool = false) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(first ? more + members : members + more)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
