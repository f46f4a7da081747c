/// A token of OAuth 1.0, for a request or for access, and its secret.
struct OAuth1Token: Sendable, Equatable {
  let token: String
  let secret: String
  /// The account's id, when the service said it.
  let user: String?

  /// A known one.
  init(token: String, secret: String, user: String?) {
    (self.token, self.secret, self.user) = (token, secret, user)
  }

  /// Reads a service's answer (RFC 5849, section 2.1): `oauth_token=...&oauth_token_secret=...`. Nil when it is something
  /// else.
  init?(form: [UInt8]) {
    let text = String(decoding: form, as: UTF8.self)
    guard let fields = FormEncoding.fields(of: text[...].prefix { !$0.isNewline }), let token = fields["oauth_token"],
      let secret = fields["oauth_token_secret"], TokenText.isToken(token), TokenText.isToken(secret)
    else { return nil }
    self.init(token: token, secret: secret, user: fields["uid"])
  }
}
