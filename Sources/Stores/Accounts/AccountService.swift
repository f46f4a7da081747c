import Backends
public import FileStores

/// The place to sign in, and the origin of the tokens.
public struct AccountService: Sendable, Hashable {
  public enum Version: Sendable, Hashable {
    case v2
    /// The previous Dropbox API, which small servers still support.
    case v1
  }

  /// Scheme, host and port: `https://club.example:8443`, in lower case, without a default port. A token is stored under
  /// its origin and sent nowhere else.
  public let origin: String
  public let name: String
  /// False for another server with Dropbox's API.
  public let isDropbox: Bool
  public let version: Version
  let authorizeAddress: String

  var tokenAddress: String { origin + (version == .v1 ? "/1/oauth2/token" : "/oauth2/token") }
  var revokeAddress: String { origin + (version == .v1 ? "/1/disable_access_token" : "/2/auth/token/revoke") }
  var accountAddress: String { origin + (version == .v1 ? "/1/account/info" : "/2/users/get_current_account") }
  var requestTokenAddress: String { origin + "/1/oauth/request_token" }
  var oauth1AuthorizeAddress: String { origin + "/1/oauth/authorize" }
  var accessTokenAddress: String { origin + "/1/oauth/access_token" }

  /// Its pages for people are on another host than its calls (Dropbox, "OAuth Guide").
  public static let dropbox = AccountService(
    origin: "https://api.dropboxapi.com", name: "Dropbox", isDropbox: true, version: .v2,
    authorizeAddress: "https://www.dropbox.com/oauth2/authorize")

}

extension AccountService {
  /// Everything is at one origin.
  /// - Throws: `badInput` for an address with a path, a user name or a query, or with another scheme than http and
  ///   https; and for an unencrypted address other than this machine, unless `allowingPlain`.
  public init(server: String, version: Version = .v2, allowingPlain: Bool = false) throws(StoreError) {
    let wrong = StoreError(
      .badInput, "\"\(server)\" is not the address of a server.",
      remedy: "Write only scheme, host and port, such as \"https://club.example:8443\".")
    let address = try HTTPOrigin(
      server: server, secrets: "the club and the sign-in", allowingPlain: allowingPlain, orThrow: wrong
    ).description
    self.init(
      origin: address, name: String(address.split(separator: "/").last ?? ""), isDropbox: false, version: version,
      authorizeAddress: address + (version == .v1 ? "/1/oauth2/authorize" : "/oauth2/authorize"))
  }
}
