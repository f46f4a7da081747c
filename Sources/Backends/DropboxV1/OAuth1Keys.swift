/// What a request is signed with in OAuth 1.0: the app's key and secret, and the member's token and its secret.
public struct OAuth1Keys: Sendable, Hashable {
  /// The app's key.
  public let consumerKey: String
  /// The app's secret.
  public let consumerSecret: String
  /// The member's token, or a request token; empty when there is none yet.
  public let token: String
  /// The token's secret; empty when there is none yet.
  public let tokenSecret: String

  /// Makes keys.
  public init(consumerKey: String, consumerSecret: String, token: String = "", tokenSecret: String = "") {
    (self.consumerKey, self.consumerSecret) = (consumerKey, consumerSecret)
    (self.token, self.tokenSecret) = (token, tokenSecret)
  }
}

/// How a request is signed (RFC 5849, section 3.4).
public enum OAuth1Method: String, Sendable, Hashable {
  /// The secrets themselves: for encrypted connections alone.
  case plaintext = "PLAINTEXT"
  /// A checksum of the request, made with the secrets.
  case hmacSHA1 = "HMAC-SHA1"
}
