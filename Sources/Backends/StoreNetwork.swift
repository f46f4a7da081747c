/// How a store behind a network is reached: what carries its requests, what proves its member, and what the member types
/// when that does not do.
public struct StoreNetwork: Sendable {
  /// Carries the requests.
  public let transport: any HTTPTransport
  /// Gives the tokens.
  public let tokens: any AccessTokens
  /// What the store's errors name as their remedies.
  public let commands: ClubCommands

  /// Puts them together.
  public init(transport: any HTTPTransport, tokens: any AccessTokens, commands: ClubCommands = ClubCommands()) {
    (self.transport, self.tokens, self.commands) = (transport, tokens, commands)
  }
}
