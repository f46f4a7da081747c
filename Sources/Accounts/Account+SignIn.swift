public import Backends
public import FileStores

extension Account {
  /// What a club signs in to, as the kind of its store says.
  /// - Parameter bringsToken: the token comes from elsewhere, so that no app has to be known.
  /// - Throws: `badInput` for a server that is none, or that may not be used; for an app key that is missing or wrong.
  public init(club: String, _ signIn: TokenSignIn, bringsToken: Bool) throws(StoreError) {
    var service = AccountService.dropbox
    if let server = signIn.server {
      service = try AccountService(
        server: server, version: signIn.dialect == .v1 ? .v1 : .v2, allowingPlain: signIn.allowsPlainHTTP)
    }
    try self.init(
      club: club, service: service, appKey: signIn.appKey ?? (bringsToken ? Account.ownServersAppKey : nil),
      appSecret: signIn.appSecret, signature: signIn.signature)
  }
}
