public import Backends
public import FileStores

/// Sign-in by OAuth 1.0 (RFC 5849), for servers of the Dropbox API v1. The member allows a token at `address`; there is
/// no code to copy.
public struct OAuth1SignIn: Sendable {
  public let account: Account
  /// The page for the browser. Contains no secret.
  public let address: String
  private let token: OAuth1Token

  /// Asks the service for a token that the member can allow. `now` returns seconds since 1970.
  /// - Throws: `notPermitted` if the service does not accept the app; the transport's errors.
  public init(
    _ account: Account, transport: any HTTPTransport, now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) {
    self.account = account
    token = try await AccountCalls(account: account, transport: transport, now: now).requestToken()
    address = account.service.oauth1AuthorizeAddress + "?" + FormEncoding.text(["oauth_token": token.token])
  }

  /// Call it after the member has allowed the token.
  /// - Throws: `notSignedIn` if the member has not; the transport's errors.
  public func finish(
    transport: any HTTPTransport, now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) -> Grant {
    try await AccountCalls(account: account, transport: transport, now: now).grant(allowed: token)
  }
}

struct OAuth1Token: Sendable, Equatable {
  let token: String
  let secret: String
  let user: String?

  init(token: String, secret: String, user: String?) {
    (self.token, self.secret, self.user) = (token, secret, user)
  }

  /// RFC 5849, section 2.1: `oauth_token=...&oauth_token_secret=...`. nil if invalid.
  init?(form: [UInt8]) {
    let text = String(decoding: form, as: UTF8.self)
    guard let fields = FormEncoding.fields(of: text[...].prefix { !$0.isNewline }), let token = fields["oauth_token"],
      let secret = fields["oauth_token_secret"], TokenText.isToken(token), TokenText.isToken(secret)
    else { return nil }
    self.init(token: token, secret: secret, user: fields["uid"])
  }
}
