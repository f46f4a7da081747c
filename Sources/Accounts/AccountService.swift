import Backends
public import FileStores

/// A service with accounts: the place to sign in, and the origin that the tokens belong to.
public struct AccountService: Sendable, Hashable {
  /// The version of the API.
  public enum Version: Sendable, Hashable {
    /// The Dropbox API of today.
    case v2
    /// The one before, which small servers still speak.
    case v1
  }

  /// Scheme, host and port of the calls: `https://club.example:8443`. In lower case, without a default port. A token is
  /// kept under it and sent nowhere else.
  public let origin: String
  /// The service for people: `Dropbox`, or host and port.
  public let name: String
  /// True for Dropbox itself, false for another server with its API.
  public let isDropbox: Bool
  /// The version of its API.
  public let version: Version
  /// The page that a browser opens.
  let authorizeAddress: String

  /// Where codes and refresh tokens are exchanged.
  var tokenAddress: String { origin + (version == .v1 ? "/1/oauth2/token" : "/oauth2/token") }
  /// Where a token is given back.
  var revokeAddress: String { origin + (version == .v1 ? "/1/disable_access_token" : "/2/auth/token/revoke") }
  /// Where the account is told.
  var accountAddress: String { origin + (version == .v1 ? "/1/account/info" : "/2/users/get_current_account") }
  /// The three steps of OAuth 1.0 (Dropbox API v1).
  var requestTokenAddress: String { origin + "/1/oauth/request_token" }
  var oauth1AuthorizeAddress: String { origin + "/1/oauth/authorize" }
  var accessTokenAddress: String { origin + "/1/oauth/access_token" }

  private init(origin: String, name: String, isDropbox: Bool, version: Version, authorizeAddress: String) {
    self.origin = origin
    self.name = name
    self.isDropbox = isDropbox
    self.version = version
    self.authorizeAddress = authorizeAddress
  }

  /// Dropbox. Its pages for people are on another host than its calls (Dropbox, "OAuth Guide").
  public static let dropbox = AccountService(
    origin: "https://api.dropboxapi.com", name: "Dropbox", isDropbox: true, version: .v2,
    authorizeAddress: "https://www.dropbox.com/oauth2/authorize")

  /// A server that has everything at one origin, as a club's `server` says it: `https://club.example:8443`.
  /// - Throws: `badInput` when that is no origin: a path, a user name or a query in it, or another scheme than http
  ///   and https; and for one that is neither encrypted nor this machine, unless `allowingPlain`.
  public init(server: String, version: Version = .v2, allowingPlain: Bool = false) throws(StoreError) {
    let end = server.hasSuffix("/") ? 1 : 0
    guard let origin = HTTPOrigin(server), server.utf8.filter({ $0 == UInt8(ascii: "/") }).count == 2 + end,
      !server.contains(where: { "?#".contains($0) })
    else {
      throw StoreError(
        .badInput, "\"\(server)\" is not the address of a server.",
        remedy: "Write only scheme, host and port, such as \"https://club.example:8443\".")
    }
    guard origin.isEncrypted || origin.isLoopback || allowingPlain else {
      throw StoreError(
        .badInput, "\(origin) is not encrypted: anyone on the way could read the club and the sign-in.",
        remedy: "Use https, or set \"network.allowPlainHTTP\" to \"anywhere\" in the config if you trust the network.")
    }
    let address = origin.description
    self.init(
      origin: address, name: String(address.split(separator: "/").last ?? ""), isDropbox: false, version: version,
      authorizeAddress: address + (version == .v1 ? "/1/oauth2/authorize" : "/oauth2/authorize"))
  }
}
