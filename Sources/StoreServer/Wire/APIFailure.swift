/// What a call is answered with when it cannot be done.
enum APIFailure: Error, Equatable {
  /// The argument is not what the route wants: 400, a line of text, which names the member.
  case badArgument(String)
  /// The call is no call: 400, a line of text.
  case badCall(String)
  /// The route's own error: 409, its union.
  case route(Tagged)
  /// The caller is not known, or may not: 401.
  case access(Tagged)
  /// The path root is none of this account's: 422.
  case pathRoot(Tagged)
  /// Too many failures from there: 429. Seconds.
  case tooMany(retryAfter: Int)
  /// The store cannot be reached: 503.
  case unavailable
  /// Anything else: a status and a line of text.
  case plain(status: Int, String)

  /// The token is none of ours, or has ended.
  static let invalidToken = APIFailure.access(Tagged("invalid_access_token"))

  /// An error of a route that nests a look-up's error: `path/not_found` and the like.
  static func lookup(_ key: String, _ tag: String) -> APIFailure { .route(Tagged(key, Tagged(tag))) }
}
