/// A JSON value that knows where in its file it stood, so that a message can name the line.
struct JSONNode: Sendable, Equatable {
  /// The value.
  var value: JSONValue
  /// The line it begins on, from 1; 0 for what was never in a file.
  var line: Int = 0
}

/// A JSON value (RFC 8259). Members keep their order.
indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The digits as they stand in the text: nothing is lost to rounding.
  case number(String)
  case string(String)
  case array([JSONNode])
  case object([JSONMember])

  /// A whole number.
  static func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
  /// Values without places.
  static func list(_ values: [JSONValue]) -> JSONValue { .array(values.map { JSONNode(value: $0) }) }
  /// Members without places; those whose value is nil are left out.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { JSONMember(key: key, node: JSONNode(value: $0)) } })
  }

  /// The value of a member; nil when there is none or this is no object.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.node.value
  }

  /// The text, when this is a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements, when this is an array.
  var elements: [JSONValue]? {
    if case .array(let nodes) = self { nodes.map(\.value) } else { nil }
  }

  /// What a person would call it, for messages: `"yes"`, `12`, `an object`.
  var spoken: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): "\"\(text)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// One member of an object.
struct JSONMember: Sendable, Equatable {
  /// Its key.
  var key: String
  /// Its value; the line is the key's.
  var node: JSONNode
}
