public import FileStores

/// Where a store gets what it proves its member with.
public protocol AccessTokens: Sendable {
  /// A token to use now. `refusing` is the one that the server has just answered 401 to, nil when none was: that one
  /// is not returned again.
  /// - Throws: `notSignedIn`, with what the member can do, when there is no other; `offline` and its like when a new
  ///   one could not be asked for.
  func token(refusing stale: String?) async throws(StoreError) -> String
}

/// One token that nobody renews.
public struct StaticToken: AccessTokens {
  private let token: String
  private let remedy: String

  /// Wraps a token; `remedy` is what to do when the server does not take it: a whole sentence.
  public init(_ token: String, remedy: String = "Set BYTECLUB_TOKEN to a valid token.") {
    self.token = token
    self.remedy = remedy
  }

  /// The token, unless it was refused.
  public func token(refusing stale: String?) async throws(StoreError) -> String {
    if token.isEmpty { throw StoreError(.notSignedIn, "You are not signed in.", remedy: remedy) }
    if stale == token {
      throw StoreError(.notSignedIn, "The sign-in is invalid or has expired.", remedy: remedy)
    }
    return token
  }
}
