public import Backends
public import FileStores

extension Account {
  /// What a club signs in to, as the kind of its store says.
  /// - Parameters:
  ///   - bringsToken: the token comes from elsewhere, so that no app has to be known.
  ///   - commands: what mends the sign-in; by default the club's, of the usual config.
  /// - Throws: `badInput` for a server that is none, or that may not be used; for an app key that is missing or wrong.
  public init(club: String, _ signIn: TokenSignIn, bringsToken: Bool, commands: ClubCommands? = nil) throws(StoreError)
  {
    var service = AccountService.dropbox
    if let server = signIn.server {
      service = try AccountService(
        server: server, version: signIn.dialect == .v1 ? .v1 : .v2, allowingPlain: signIn.allowsPlainHTTP)
    }
    try self.init(
      club: club, service: service, appKey: signIn.appKey ?? (bringsToken ? Account.ownServersAppKey : nil),
      appSecret: signIn.appSecret, signature: signIn.signature, commands: commands)
  }
}
