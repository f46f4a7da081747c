internal import FileStores

/// What a `DropboxV1Store` proves its member with.
public enum DropboxV1SignIn: Sendable {
  /// A token, which may be renewed (OAuth 2).
  case bearer(any AccessTokens)
  /// The app's key and secret, and the member's token and its secret, which come as one word with a space between
  /// (OAuth 1.0).
  case oauth1(consumerKey: String, consumerSecret: String, any AccessTokens, OAuth1Method)

  /// Where the tokens come from.
  var tokens: any AccessTokens {
    switch self {
    case .bearer(let tokens), .oauth1(_, _, let tokens, _): tokens
    }
  }
}

extension DropboxV1SignIn {
  /// The sign-in that a config describes: OAuth 1.0 when it has `appSecret` (signed by `signature`: `HMAC-SHA1`, unless
  /// it says `PLAINTEXT`), OAuth 2 without.
  /// - Throws: `badInput` for a signature that byteclub does not know, and for a secret without `appKey`.
  init(_ what: StoreDescription, _ tokens: any AccessTokens) throws(StoreError) {
    guard let secret = what.options["appSecret"], !secret.isEmpty else {
      self = .bearer(tokens)
      return
    }
    let word = what.options["signature"] ?? OAuth1Method.hmacSHA1.rawValue
    guard let method = OAuth1Method(rawValue: word) else {
      throw StoreError(
        .badInput, "byteclub does not know the signature \"\(word)\".",
        remedy: "Set \"signature\" in the config to HMAC-SHA1 or PLAINTEXT, or leave it out.")
    }
    self = .oauth1(consumerKey: try what.required("appKey"), consumerSecret: secret, tokens, method)
  }
}
