public import Basics
public import FileStores

/// A kind of store. No other code names a kind; a new one is a folder here and an entry in `StoreRegistry.standard`.
///
/// Unless stated, the functions read settings only. They get descriptions of this kind with all required settings and
/// absolute paths.
public protocol StoreKind: Sendable {
  /// The value of `store` in the config. It never changes, because pending transfers on members' machines refer to it.
  var name: String { get }
  /// The rest of a sentence that starts with "NAME is", for the manual.
  var about: String { get }
  var settings: [StoreSetting] { get }

  func place(of store: StoreDescription) -> StorePlace
  /// Identifies the store for all members. Pending transfers refer to it, so it must not change while the files are the
  /// same.
  func identity(of store: StoreDescription) -> String
  /// The member's name at the store's server by the settings, where the place alone does not tell two accounts apart.
  func user(of store: StoreDescription) -> String?
  /// Checks the settings together, beyond the check of each.
  /// - Throws: `badInput` with the name of the setting.
  func check(_ store: StoreDescription) throws(StoreError)
  func signIn(to store: StoreDescription) throws(StoreError) -> StoreSignIn
  /// The options for the store's servers; nil for a store without a network. Stores with equal options share
  /// connections.
  /// - Throws: `badInput` for an invalid or forbidden address.
  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions?
  /// The self-test of this kind's servers; nil for servers that need none.
  var selfTest: (any ServerSelfTest)? { get }
  /// nil for a kind whose clubs are added in another way.
  var form: (any StoreForm)? { get }
  /// Opens a store without using the network; a directory is checked. Without `network`, a network store makes its own
  /// transport, and its calls throw `notSignedIn`.
  /// - Throws: `badInput` for invalid settings; errors of the store.
  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore
}

extension StoreKind {
  public func identity(of store: StoreDescription) -> String { place(of: store).words }
  public func user(of store: StoreDescription) -> String? { nil }
  public func check(_ store: StoreDescription) throws(StoreError) {}
  public func signIn(to store: StoreDescription) throws(StoreError) -> StoreSignIn { .none }
  public func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? { nil }
  public var selfTest: (any ServerSelfTest)? { nil }
  public var form: (any StoreForm)? { nil }

  /// That of the network, or one of the store's own.
  func transport(for store: StoreDescription, _ network: StoreNetwork?) throws(StoreError) -> any HTTPTransport {
    if let network { return network.transport }
    guard let options = try httpOptions(for: store) else { throw StoreError(.badInput, "There is no address.") }
    return CurlTransport(options: options)
  }
}

public enum StorePlace: Sendable, Hashable {
  /// The absolute path of a directory of this machine. Other programs can open its files.
  case directory(String)
  /// A description of any other place: `/byteclub at Dropbox`.
  case elsewhere(String)

  public var words: String {
    switch self {
    case .directory(let words), .elsewhere(let words): words
    }
  }
}

public struct StoreDescription: Sendable, Hashable {
  public let kind: String
  public var options: [String: String]
  public var programs: [String: [String]]

  public init(kind: String, options: [String: String] = [:], programs: [String: [String]] = [:]) {
    self.kind = kind
    self.options = options
    self.programs = programs
  }

  /// True if other machines may be reached without encryption: `network.allowPlainHTTP`, the same for all clubs.
  public var allowsPlainHTTP: Bool {
    get { options["allowPlainHTTP"] == "true" }
    set { options["allowPlainHTTP"] = newValue ? "true" : nil }
  }

  /// True for the store of a server: the clients of Dropbox's kinds keep their trash in a folder of the club, which the
  /// server serves as any other.
  public var showsTrash: Bool {
    get { options["showsTrash"] == "true" }
    set { options["showsTrash"] = newValue ? "true" : nil }
  }

  /// - Throws: `badInput` without a value.
  public func required(_ option: String) throws(StoreError) -> String {
    guard let value = options[option], !value.isEmpty else {
      throw StoreError(
        .badInput, "A store of kind \"\(kind)\" needs \"\(option)\".", remedy: "Set it in the config.")
    }
    return value
  }
}

public struct StoreNetwork: Sendable {
  public let transport: any HTTPTransport
  public let tokens: any AccessTokens
  public let commands: ClubCommands
  /// The place of the findings about the server; nil to keep them in memory only.
  public let findings: (any FindingsKeeping)?
  /// nil where a store may start no programs of its own.
  public let programs: ProgramTokens?

  public init(
    transport: any HTTPTransport, tokens: any AccessTokens, commands: ClubCommands = ClubCommands(),
    findings: (any FindingsKeeping)? = nil, programs: ProgramTokens? = nil
  ) {
    (self.transport, self.tokens, self.commands, self.findings) = (transport, tokens, commands, findings)
    self.programs = programs
  }
}

public struct StoreSetting: Sendable, Hashable {
  public enum Value: Sendable, Hashable {
    case text
    /// True or false. The kind gets `true` or `false` as text.
    case flag
    case choice([String])
    /// A file or directory of this machine. The kind gets an absolute path.
    case path
    /// A program and its arguments, started without a shell. The kind gets it in `StoreDescription.programs`.
    case program
  }

  public let key: String
  public let value: Value
  /// The rest of a sentence after "The club has no KEY;". nil for an optional setting, which may be null.
  public let required: String?
  public let isSecret: Bool
  public let about: String

  public init(
    _ key: String, _ value: Value = .text, required: String? = nil, isSecret: Bool = false, about: String
  ) {
    (self.key, self.value, self.required) = (key, value, required)
    (self.isSecret, self.about) = (isSecret, about)
  }

  /// A program that prints access tokens, for kinds with `StoreSignIn.tokens`.
  public static let tokenCommand = StoreSetting(
    "tokenCommand", .program,
    about:
      "A program, such as a password manager, that prints an access token for the club NAME as its first line. byteclub "
      + "starts it without a shell, and uses it instead of byteclub login.")
}
