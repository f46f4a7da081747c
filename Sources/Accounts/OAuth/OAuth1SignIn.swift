public import Backends
public import FileStores

/// One try to sign in by OAuth 1.0 (RFC 5849), which servers of the Dropbox API v1 have: the member allows a token at
/// `address`, and then it is exchanged. There is no code to copy.
public struct OAuth1SignIn: Sendable {
  /// The account.
  public let account: Account
  /// The page for the browser. Its address holds no secret.
  public let address: String
  private let token: OAuth1Token

  /// Asks the service for a token that the member can allow.
  /// - Parameter now: seconds since 1970.
  /// - Throws: `notPermitted` when the service does not accept the app; what the transport throws.
  public init(
    _ account: Account, transport: any HTTPTransport, now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) {
    self.account = account
    token = try await AccountCalls(account: account, transport: transport, now: now).requestToken()
    address = account.service.oauth1AuthorizeAddress + "?" + FormEncoding.text(["oauth_token": token.token])
  }

  /// Exchanges the token for a sign-in, once the member has allowed it.
  /// - Throws: `notSignedIn` when the member has not; what the transport throws.
  public func finish(
    transport: any HTTPTransport, now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) -> Grant {
    try await AccountCalls(account: account, transport: transport, now: now).grant(allowed: token)
  }
}
