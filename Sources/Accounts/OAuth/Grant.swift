/// An access token, and the refresh token for the next one. Its description shows no secret.
public struct Grant: Sendable, Equatable {
  /// A token is renewed this long before it ends, so that a call that begins now does not outlive it.
  static let margin: Int64 = 300

  /// Goes with every call.
  let accessToken: String
  /// Gets the next access token; nil when the service gave none.
  let refreshToken: String?
  /// When it was given, in seconds since 1970.
  let obtained: Int64
  /// When the access token ends, in seconds since 1970; nil when it does not end by itself.
  let expires: Int64?
  /// The service's id of the account; nil when it did not say.
  public let accountID: String?

  /// True until five minutes before its end; for one that lives less than ten, until half its life is over.
  func isFresh(at now: Int64) -> Bool {
    guard let expires else { return true }
    return now < expires - min(Grant.margin, max(0, expires - obtained) / 2)
  }

  /// True until its end.
  func isAlive(at now: Int64) -> Bool { expires.map { now < $0 } ?? true }
}

extension Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Nothing secret.
  public var description: String { "a sign-in" + (refreshToken == nil ? "" : " that can be renewed") }
  /// Nothing secret.
  public var debugDescription: String { description }
  /// Nothing secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
