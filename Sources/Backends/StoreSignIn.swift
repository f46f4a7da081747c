/// How members sign in to a store.
public enum StoreSignIn: Sendable, Hashable {
  /// Nobody does: the files are at hand, or the store finds its keys itself.
  case none
  /// By access tokens: from `byteclub login`, from a program, or from `BYTECLUB_TOKEN`.
  case tokens(TokenSignIn)
  /// By a word that does not change, such as a password: from `BYTECLUB_TOKEN`, or from the program that a setting
  /// names. The store gets it as `AccessTokens`.
  case secret(SecretSignIn)
}

/// The source of access tokens, and the app that asks for them.
public struct TokenSignIn: Sendable, Hashable {
  /// The version of the API that the sign-in belongs to.
  public enum Dialect: Sendable, Hashable {
    /// That of the Dropbox API of today.
    case v2
    /// That of the version before it.
    case v1
  }

  /// The server; nil for Dropbox itself.
  public var server: String?
  /// The version of its API.
  public var dialect: Dialect
  /// The key of the app; nil for the one that each `byteclub serve` knows.
  public var appKey: String?
  /// The app's secret, which makes it OAuth 1.0 where the server speaks `v1`.
  public var appSecret: String?
  /// How calls are signed in OAuth 1.0.
  public var signature: OAuth1Method
  /// The program that prints a token instead.
  public var command: [String]?
  /// True when the server may be asked without encryption.
  public var allowsPlainHTTP: Bool

  /// Reads the usual settings: `server`, `appKey`, `appSecret`, `signature` and `tokenCommand`.
  public init(_ dialect: Dialect, _ store: StoreDescription) {
    self.dialect = dialect
    server = store.options["server"]
    appKey = store.options["appKey"]
    appSecret = store.options["appSecret"]
    signature = store.options["signature"].flatMap(OAuth1Method.init(rawValue:)) ?? .hmacSHA1
    command = store.programs["tokenCommand"]
    allowsPlainHTTP = store.allowsPlainHTTP
  }
}

/// The source of a password.
public struct SecretSignIn: Sendable, Hashable {
  /// The setting that names the program: `passwordCommand`.
  public var setting: String
  /// The program and its arguments; nil when the setting is not there.
  public var command: [String]?

  /// Reads the setting of a store.
  public init(setting: String, _ store: StoreDescription) {
    self.setting = setting
    command = store.programs[setting]
  }
}
