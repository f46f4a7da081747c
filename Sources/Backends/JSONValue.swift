/// A JSON value (RFC 8259), as a server sent it or as it will be sent.
enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// Members in their order; of two with one key, the last counts.
  case object([JSONMember])

  /// An object of members in the order in which they are written; those that are nil are left out.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { JSONMember(key: key, value: $0) } })
  }

  /// A member of an object; nil for anything else, and for members that are null.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self,
      let found = members.last(where: { $0.key.utf8.elementsEqual(key.utf8) })?.value, found != .null
    else { return nil }
    return found
  }

  /// A string's text.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A boolean's value.
  var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// An integer's value, when it is not negative.
  var count: UInt64? { if case .integer(let value) = self { UInt64(exactly: value) } else { nil } }
  /// An array's values.
  var values: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// Seconds, as an integer or not; nil when negative or more than 30 days.
  var seconds: Duration? {
    switch self {
    case .integer(let value) where 0...2_592_000 ~= value: .seconds(value)
    case .number(let value) where 0...2_592_000 ~= value: .milliseconds(Int64((value * 1000).rounded(.up)))
    default: nil
    }
  }
}

/// A key and its value.
struct JSONMember: Sendable, Equatable {
  let key: String
  let value: JSONValue
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
