/// A JSON value (RFC 8259). Members keep their order: some clients want ".tag" to be the first.
indirect enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case fraction(Double)
  case string(String)
  case array([JSON])
  case object([JSONMember])

  /// An object; members whose value is nil are left out.
  static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  /// A union's member without a value.
  static func tag(_ tag: String) -> JSON { .object([JSONMember(".tag", .string(tag))]) }

  /// A whole number.
  static func number(_ value: some BinaryInteger) -> JSON { .integer(Int64(clamping: value)) }

  /// The value of a member; nil when there is none or this is no object. Of two with one key, the last.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// This object with more members at its end, or at its beginning.
  func adding(_ more: [JSONMember], first: Bool = false) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(first ? more + members : members + more)
  }
}

/// One member of an object.
struct JSONMember: Sendable, Equatable {
  let key: String
  let value: JSON

  init(_ key: String, _ value: JSON) {
    self.key = key
    self.value = value
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}
