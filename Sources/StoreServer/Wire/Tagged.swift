import JSON

/// A value of one of the API's unions: a tag, what goes with it, and perhaps another union inside.
struct Tagged: Sendable, Equatable {
  let tag: String
  private let fields: [JSONMember]
  private let inner: [Tagged]
  private let innerKey: String

  /// A tag with members beside it (a struct's, which the API writes flat) or with a union inside, which stands under a
  /// key of the tag's own name unless `key` names another.
  init(_ tag: String, _ inner: Tagged? = nil, under key: String? = nil, with fields: [JSONMember] = []) {
    self.tag = tag
    self.fields = fields
    self.inner = inner.map { [$0] } ?? []
    innerKey = key ?? tag
  }

  /// What is wrong with a path, as a sentence: `malformed_path` has room for one.
  static func malformed(_ sentence: String) -> Tagged {
    Tagged("malformed_path", with: [JSONMember("malformed_path", .string(sentence))])
  }

  /// The sentence of `malformed`, however deep it stands.
  var sentence: String? {
    if let inside { return inside.sentence }
    return fields.first { $0.key == "malformed_path" }?.value.text
  }

  /// The union inside.
  var inside: Tagged? { inner.first }

  var json: JSON {
    .object([JSONMember(".tag", .string(tag))] + inner.map { JSONMember(innerKey, $0.json) } + fields)
  }

  /// The tags from the outermost to the innermost, as in `error_summary`.
  var summary: String { ([tag] + inner.map(\.summary)).joined(separator: "/") }

  /// The whole body of an error.
  var body: JSON { .members(["error_summary": .string(summary + "/."), "error": json]) }
}
