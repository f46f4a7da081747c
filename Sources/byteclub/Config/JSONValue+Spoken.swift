import JSON

extension JSONValue {
  /// What a person would call it, for messages: `"yes"`, `12`, `an object`.
  var spoken: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let number): String(number)
    case .fraction(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
