/// How a store behind a network is reached: what carries its requests, and what proves its member.
public struct StoreNetwork: Sendable {
  /// Carries the requests.
  public let transport: any HTTPTransport
  /// Gives the tokens.
  public let tokens: any AccessTokens

  /// Puts the two together.
  public init(transport: any HTTPTransport, tokens: any AccessTokens) {
    (self.transport, self.tokens) = (transport, tokens)
  }
}
