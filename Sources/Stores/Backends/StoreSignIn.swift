public import FileStores

public enum StoreSignIn: Sendable, Hashable {
  case none
  /// Access tokens from `byteclub login`, a program, or `BYTECLUB_TOKEN`.
  case tokens(TokenSignIn)
  /// A fixed secret such as a password, from `BYTECLUB_TOKEN`, a setting's program or `byteclub login`, passed as
  /// `AccessTokens`.
  case secret(SecretSignIn)

  /// The tokens for the requests of a club, made by the function for its way to sign in.
  public func tokens(
    of club: String, account: (TokenSignIn) throws(StoreError) -> any AccessTokens,
    secret: (SecretSignIn) -> any AccessTokens
  ) throws(StoreError) -> any AccessTokens {
    switch self {
    case .none: StaticToken("", remedy: "The club \"\(club)\" needs no token.")
    case .tokens(let signIn): try account(signIn)
    case .secret(let signIn): secret(signIn)
    }
  }
}

public struct TokenSignIn: Sendable, Hashable {
  public enum Dialect: Sendable, Hashable {
    case v2
    case v1
  }

  public var server: String?
  /// The member's word for an account beside others at the same server.
  public var account: String?
  public var dialect: Dialect
  /// The key of the app; nil for the built-in one of every `byteclub serve`.
  public var appKey: String?
  public var appSecret: String?
  public var signature: OAuth1Method
  public var command: [String]?
  /// The pins of the server's key (`KeyPin.list`).
  public var pin: String?
  public var allowsPlainHTTP: Bool

  public init(_ dialect: Dialect, _ store: StoreDescription) {
    self.dialect = dialect
    server = store.options["server"]
    account = store.options["account"]
    appKey = store.options["appKey"]
    appSecret = store.options["appSecret"]
    signature = store.options["signature"].flatMap(OAuth1Method.init(rawValue:)) ?? .hmacSHA1
    command = store.programs["tokenCommand"]
    pin = store.options["pin"]
    allowsPlainHTTP = store.allowsPlainHTTP
  }
}

public struct SecretSignIn: Sendable, Hashable {
  /// A member's name at a server, for which `byteclub login` asks for the password and keeps it.
  public struct Member: Sendable, Hashable {
    public var user: String
    /// The address of the server's origin, such as `https://cloud.example.org`.
    public var origin: String

    public init(user: String, origin: String) { (self.user, self.origin) = (user, origin) }
  }

  public var setting: String
  public var command: [String]?
  /// nil for a secret that `byteclub login` does not keep.
  public var member: Member?
  /// The secret, in sentences.
  public var word = "password"
  /// True if all lines of the program's output are the secret, not the first alone.
  public var takesAllLines = false

  public init(setting: String, _ store: StoreDescription, member: Member? = nil) {
    self.setting = setting
    self.member = member
    command = store.programs[setting]
  }
}

public protocol AccessTokens: Sendable {
  /// A current token, but not `refusing`, which the server has just rejected with 401.
  /// - Throws: `notSignedIn` with the member's remedy if there is no other token; `offline` and the like if a new one
  ///   cannot be requested.
  func token(refusing stale: String?) async throws(StoreError) -> String
}

/// The secret that a program prints, of a command that the store itself has found. The program runs once for all callers.
public typealias ProgramTokens = @Sendable (SecretSignIn) -> any AccessTokens

public struct StaticToken: AccessTokens {
  private let token: String
  private let remedy: String

  public init(_ token: String, remedy: String = "Set BYTECLUB_TOKEN to a valid token.") {
    self.token = token
    self.remedy = remedy
  }

  public func token(refusing stale: String?) async throws(StoreError) -> String {
    if token.isEmpty { throw StoreError(.notSignedIn, "You are not signed in.", remedy: remedy) }
    if stale == token {
      throw StoreError(.notSignedIn, "The sign-in is invalid or has expired.", remedy: remedy)
    }
    return token
  }
}
