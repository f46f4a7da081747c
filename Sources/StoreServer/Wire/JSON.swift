import JSON

/// A value as the API's routes take and give it. Members keep their order: some clients want ".tag" to be the first.
typealias JSON = JSONValue

extension JSON {
  /// A union's member without a value.
  static func tag(_ tag: String) -> JSON { .object([JSONMember(".tag", .string(tag))]) }
}
