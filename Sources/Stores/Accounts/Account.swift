public import Backends
public import FileStores

public struct Account: Sendable, Hashable {
  /// For a club with its own server and no key in the config.
  public static let ownServersAppKey = "byteclub"

  public let service: AccountService
  /// Not secret. Tokens of another app key are not used.
  public let appKey: String
  public let club: String
  /// The member's word for an account beside others at the same service.
  public let name: String?
  public let commands: ClubCommands
  /// The pin of the server's key that the config names first. A token that came under one pin goes to no server under
  /// another.
  let pin: String?
  /// For OAuth 1.0; nil for OAuth 2, which needs none.
  let appSecret: String?
  let signature: OAuth1Method

  /// Calls are then signed as in OAuth 1.0, and a token is its id and its secret, separated by a space.
  public var usesOAuth1: Bool { appSecret != nil }

  /// A nil `appKey` is the key that every `byteclub serve` knows; `appSecret` selects OAuth 1.0 at a service of version
  /// 1.
  /// - Throws: `badInput` if Dropbox itself is used without an app key, or if the key contains anything except letters,
  ///   digits, `-` and `_`.
  public init(
    club: String, service: AccountService, name: String? = nil, appKey: String?, appSecret: String? = nil,
    signature: OAuth1Method = .hmacSHA1, pin: String? = nil, commands: ClubCommands? = nil
  ) throws(StoreError) {
    self.club = club
    self.name = name
    self.pin = pin.map { String($0.prefix { $0 != ";" }) }
    self.commands = commands ?? ClubCommands(club: club)
    self.service = service
    self.appSecret = service.version == .v1 ? appSecret.flatMap { $0.isEmpty ? nil : $0 } : nil
    self.signature = signature
    guard let key = appKey ?? (service.isDropbox ? nil : Account.ownServersAppKey) else {
      throw StoreError(
        .badInput, "The club \"\(club)\" has no \"appKey\", which Dropbox needs.",
        remedy: "Make an app at https://www.dropbox.com/developers/apps and set \"clubs.\(club).appKey\" in the config."
      )
    }
    let isKey = key.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2D || byte == 0x5F
    }
    guard isKey, (1...128).contains(key.utf8.count) else {
      throw StoreError(
        .badInput, "The \"appKey\" of the club \"\(club)\" is not an app key.",
        remedy: "An app key has only letters and digits. Set \"clubs.\(club).appKey\" in the config.")
    }
    self.appKey = key
  }

  /// The owner of this account's tokens, which are used for nothing else.
  var binding: String {
    "\(service.origin)\n\(appKey)" + (usesOAuth1 ? "\noauth1" : "") + (name.map { "\naccount \($0)" } ?? "")
      + (pin.map { "\npin \($0)" } ?? "")
  }

  func accepts(token: String) -> Bool {
    guard usesOAuth1 else { return TokenText.isToken(token) }
    let words = token.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 2 && words.allSatisfy { TokenText.isToken(String($0)) }
  }

  var remedy: String { "Sign in with: \(loginCommand)" }

  var loginCommand: String { commands.login }

  func notSignedIn(_ message: String) -> StoreError { StoreError(.notSignedIn, message, remedy: remedy) }
}

extension Account: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Contains no secret.
  public var description: String { "\(appKey) at \(service.origin)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Account {
  /// The account of a club's store.
  /// - Parameter bringsToken: the token comes from elsewhere, which makes an app key unnecessary.
  /// - Parameter commands: repair the sign-in; by default the club's, of the usual config.
  /// - Throws: `badInput` for a server address that is invalid or not allowed, and for a missing or invalid app key.
  public init(club: String, _ signIn: TokenSignIn, bringsToken: Bool, commands: ClubCommands? = nil) throws(StoreError)
  {
    var service = AccountService.dropbox
    if let server = signIn.server {
      service = try AccountService(
        server: server, version: signIn.dialect == .v1 ? .v1 : .v2, allowingPlain: signIn.allowsPlainHTTP)
    }
    try self.init(
      club: club, service: service, name: signIn.account,
      appKey: signIn.appKey ?? (bringsToken ? Account.ownServersAppKey : nil),
      appSecret: signIn.appSecret, signature: signIn.signature, pin: signIn.pin, commands: commands)
  }
}
