import JSON

/// A value of an API union: a tag, its fields, and optionally another union inside.
struct Tagged: Sendable, Equatable {
  let tag: String
  private let fields: [JSONMember]
  private let inner: [Tagged]
  private let innerKey: String

  /// Fields (of a struct, which the API writes flat), or a union under `key`, by default the tag itself.
  init(_ tag: String, _ inner: Tagged? = nil, under key: String? = nil, with fields: [JSONMember] = []) {
    self.tag = tag
    self.fields = fields
    self.inner = inner.map { [$0] } ?? []
    innerKey = key ?? tag
  }

  static func malformed(_ sentence: String) -> Tagged {
    Tagged("malformed_path", with: [JSONMember("malformed_path", .string(sentence))])
  }

  var sentence: String? {
    if let inside { return inside.sentence }
    return fields.first { $0.key == "malformed_path" }?.value.text
  }

  var inside: Tagged? { inner.first }

  var json: JSON {
    .object([JSONMember(".tag", .string(tag))] + inner.map { JSONMember(innerKey, $0.json) } + fields)
  }

  /// Outermost first, as in `error_summary`.
  var summary: String { ([tag] + inner.map(\.summary)).joined(separator: "/") }

  var body: JSON { .members(["error_summary": .string(summary + "/."), "error": json]) }
}

enum APIFailure: Error, Equatable {
  /// 400 and a line of text with the member's name.
  case badArgument(String)
  /// 400 and a line of text.
  case badCall(String)
  /// The route's own error: 409 and its union.
  case route(Tagged)
  /// 401: the caller is unknown or lacks access.
  case access(Tagged)
  /// 403: the code lets nobody in, or the member only reads.
  case forbidden(Tagged)
  /// 422: the path root is not this account's.
  case pathRoot(Tagged)
  /// 429: too many failures from this address. Seconds.
  case tooMany(retryAfter: Int)
  /// 503: the store is not reachable.
  case unavailable
  case plain(status: Int, String)

  static let readOnly = APIFailure.forbidden(Tagged("no_write_permission"))
  static let invalidToken = APIFailure.access(Tagged("invalid_access_token"))

  /// Such as `path/not_found`.
  static func lookup(_ key: String, _ tag: String) -> APIFailure { .route(Tagged(key, Tagged(tag))) }
}
