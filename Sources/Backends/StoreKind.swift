public import FileStores

/// A kind of store: all that byteclub knows of it. Nothing else in the program names a kind; a new one is a folder of
/// this room and its word in `StoreRegistry.standard`.
///
/// The functions read settings and nothing else, unless they say more. A description that reaches them is of this kind,
/// has each required setting, and its paths are absolute.
public protocol StoreKind: Sendable {
  /// The value of `store` in the config. Transfers that wait on members' machines know it: it never changes.
  var name: String { get }
  /// A description that goes on after "NAME is", for the manual.
  var about: String { get }
  /// The settings of a club in such a store, in the order of the manual.
  var settings: [StoreSetting] { get }

  /// Where the files are.
  func place(of store: StoreDescription) -> StorePlace
  /// Tells this store from others of its kind, whoever is signed in. Transfers that wait are bound to it: it stays
  /// the same as long as the files are the same.
  func identity(of store: StoreDescription) -> String
  /// Finds what is wrong with the settings together, beyond what each says of itself.
  /// - Throws: `badInput`, naming the setting.
  func check(_ store: StoreDescription) throws(StoreError)
  /// How its members sign in.
  func signIn(to store: StoreDescription) throws(StoreError) -> StoreSignIn
  /// How its servers are reached; nil for a store that needs no network. Stores with equal options share connections.
  /// - Throws: `badInput` for an address that is none, or that may not be used.
  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions?
  /// Opens it. No network is used yet; a directory is looked at. Without `network`, a store behind one makes its own
  /// transport, and its calls say that nobody is signed in.
  /// - Throws: `badInput` for settings that cannot be; what the store throws.
  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore
}

extension StoreKind {
  /// Its place in words.
  public func identity(of store: StoreDescription) -> String { place(of: store).words }
  /// Nothing is wrong.
  public func check(_ store: StoreDescription) throws(StoreError) {}
  /// Nobody signs in.
  public func signIn(to store: StoreDescription) throws(StoreError) -> StoreSignIn { .none }
  /// No network is needed.
  public func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? { nil }
}

/// Where the files of a store are.
public enum StorePlace: Sendable, Hashable {
  /// A directory of this machine, by its absolute path: its files can also be opened by other programs.
  case directory(String)
  /// Anywhere else, in words for people: `/byteclub at Dropbox`.
  case elsewhere(String)

  /// The path, or the words.
  public var words: String {
    switch self {
    case .directory(let words), .elsewhere(let words): words
    }
  }
}

/// A store to open, in plain values as a config has them.
public struct StoreDescription: Sendable, Hashable {
  /// The name of a `StoreKind`.
  public let kind: String
  /// The values of the kind's settings, by key.
  public var options: [String: String]
  /// Settings that are programs: each a program and its arguments.
  public var programs: [String: [String]]

  /// Makes a description.
  public init(kind: String, options: [String: String] = [:], programs: [String: [String]] = [:]) {
    self.kind = kind
    self.options = options
    self.programs = programs
  }

  /// True when servers elsewhere may be asked without encryption: the setting `network.allowPlainHTTP`, which is the same
  /// for all clubs.
  public var allowsPlainHTTP: Bool {
    get { options["allowPlainHTTP"] == "true" }
    set { options["allowPlainHTTP"] = newValue ? "true" : nil }
  }

  /// The value of an option that the kind cannot do without.
  /// - Throws: `badInput` when there is none.
  public func required(_ option: String) throws(StoreError) -> String {
    guard let value = options[option], !value.isEmpty else {
      throw StoreError(
        .badInput, "A store of kind \"\(kind)\" needs \"\(option)\".", remedy: "Set it in the config.")
    }
    return value
  }
}

/// How a store behind a network is reached: what carries its requests, what proves its member, and what the member types
/// when that does not do.
public struct StoreNetwork: Sendable {
  /// Carries the requests.
  public let transport: any HTTPTransport
  /// Gives the tokens.
  public let tokens: any AccessTokens
  /// The commands that the store's errors name as remedies.
  public let commands: ClubCommands

  /// Puts them together.
  public init(transport: any HTTPTransport, tokens: any AccessTokens, commands: ClubCommands = ClubCommands()) {
    (self.transport, self.tokens, self.commands) = (transport, tokens, commands)
  }
}
