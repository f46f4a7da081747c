public import Backends
public import FileStores

/// A service, the app that byteclub is to it, and the club that signs in there.
public struct Account: Sendable, Hashable {
  /// The app key of a club that has none of its own and a server of its own.
  public static let ownServersAppKey = "byteclub"

  /// The service.
  public let service: AccountService
  /// The app's key: public, no secret. Tokens of another one are not used.
  public let appKey: String
  /// The club's name in the config, for messages.
  public let club: String
  /// The commands that mend a sign-in.
  public let commands: ClubCommands
  /// The app's secret, for a service that is signed in to by OAuth 1.0; nil for OAuth 2, which needs none.
  let appSecret: String?
  let signature: OAuth1Method

  /// True when calls are signed as in OAuth 1.0: a token is then two words, the token and its secret.
  public var usesOAuth1: Bool { appSecret != nil }

  /// An account. `appKey` nil stands for the key that every `byteclub serve` knows.
  /// - Parameters:
  ///   - appSecret: makes it OAuth 1.0, for a service of version 1.
  ///   - signature: how calls are then signed.
  /// - Throws: `badInput` when Dropbox itself is to be used without an app key, or the key has anything in it but
  ///   letters, digits, `-` and `_`.
  public init(
    club: String, service: AccountService, appKey: String?, appSecret: String? = nil,
    signature: OAuth1Method = .hmacSHA1, commands: ClubCommands? = nil
  ) throws(StoreError) {
    self.club = club
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

  /// The owner of a token of this account, which is used for nothing else.
  var binding: String { "\(service.origin)\n\(appKey)" + (usesOAuth1 ? "\noauth1" : "") }

  /// True for a text that may be a token of this account.
  func accepts(token: String) -> Bool {
    guard usesOAuth1 else { return TokenText.isToken(token) }
    let words = token.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 2 && words.allSatisfy { TokenText.isToken(String($0)) }
  }

  /// The remedy, as a sentence.
  var remedy: String { "Sign in with: \(loginCommand)" }

  /// The command that signs in.
  var loginCommand: String { commands.login }

  /// The error of a member who has to sign in.
  func notSignedIn(_ message: String) -> StoreError { StoreError(.notSignedIn, message, remedy: remedy) }
}

extension Account: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Nothing secret.
  public var description: String { "\(appKey) at \(service.origin)" }
  /// Nothing secret.
  public var debugDescription: String { description }
  /// Nothing secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Account {
  /// The account of a club, as the kind of its store describes it.
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
