public import Backends
public import Basics
public import FileStores
import POSIX
import JSON

/// A club of the config, for another program of this machine that opens its store: `byteclub serve --club`. It has the
/// settings and the place of kept passwords and tokens. It may have a secret, so it goes through a pipe.
public struct ClubDescription: Sendable, Equatable {
  public struct Network: Sendable, Equatable {
    public var userAgent: String
    /// The seconds of `HTTPTimeouts`.
    public var connect: Int64
    public var idle: Int64
    public var whole: Int64?
    public var connectionsPerHost: Int
    /// Names and values of the fields that the config adds to each request.
    public var headers: [[String]]

    public init(_ options: HTTPOptions) {
      userAgent = options.userAgent
      connect = options.timeouts.connect.components.seconds
      idle = options.timeouts.idle.components.seconds
      whole = options.timeouts.whole?.components.seconds
      connectionsPerHost = options.connectionsPerHost
      headers = options.headers.fields.map { [$0.name, $0.value] }
    }

    func apply(to options: inout HTTPOptions) {
      options.userAgent = userAgent
      options.timeouts = HTTPTimeouts(
        connect: .seconds(connect), idle: .seconds(idle), whole: whole.map { .seconds($0) })
      options.connectionsPerHost = connectionsPerHost
      options.headers = HTTPHeaders()
      for field in headers where field.count == 2 { options.headers.append(field[0], field[1]) }
    }
  }

  /// A pipe holds so much without a reader.
  public static let mostBytes = 60 << 10

  public let name: String
  public let store: StoreDescription
  /// nil for a store without a network.
  public let network: Network?
  /// The value of `BYTECLUB_TOKEN`, which byteclub removes from its environment.
  public let variable: String?
  /// The directory of tokens and passwords.
  public let tokensDirectory: String
  /// The directory of the app's state, where the findings about servers are.
  public let state: String
  /// The path of the config file, if it is not the usual one.
  public let config: String?

  public init(
    name: String, store: StoreDescription, network: Network?, variable: String?, tokensDirectory: String,
    state: String, config: String?
  ) {
    (self.name, self.store, self.network, self.variable) = (name, store, network, variable)
    (self.tokensDirectory, self.state, self.config) = (tokensDirectory, state, config)
  }

  /// Opens the store, with retries for a store behind a network. Makes no request.
  /// - Throws: `badInput` for settings that this program does not know; errors of the store.
  public func open(
    _ stores: StoreRegistry = .standard, pool: BlockingPool
  ) throws(StoreError) -> any FileStore {
    let kind = try stores.kind(store.kind)
    let findings = findings(kind)
    var store = store
    store.showsTrash = true
    guard let network, var options = try kind.httpOptions(for: store) else {
      return try kind.open(store, pool: pool, network: nil)
    }
    network.apply(to: &options)
    let transport = CurlTransport(options: options)
    let commands = ClubCommands(club: name, config: config)
    let tokens = try kind.signIn(to: store).tokens(of: name) { signIn throws(StoreError) in
      let source = TokenSource(variable: variable, command: signIn.command)
      return AccountTokens(
        try Account(club: name, signIn, bringsToken: source != .file, commands: commands), source: source,
        directory: tokensDirectory, transport: transport, pool: pool, now: { Int64(time(nil)) })
    } secret: {
      SecretTokens(
        club: name, $0, variable: variable, directory: tokensDirectory, loginCommand: commands.login, pool: pool)
    }
    let storeNetwork = StoreNetwork(
      transport: transport, tokens: tokens, commands: commands, findings: findings,
      programs: { [name] secret in SecretTokens(club: name, secret, variable: nil, pool: pool) })
    // The clients of the server retry, too.
    return RetryingStore(
      try kind.open(store, pool: pool, network: storeNetwork),
      policy: RetryPolicy(attempts: 2, firstPause: .milliseconds(250)))
  }

  /// Those of the app, so that a restarted server does not test the other server anew.
  func findings(_ kind: any StoreKind) -> FindingsFile? { FindingsFile(state: state, kind, store) }
}

extension ClubDescription {
  /// One JSON text.
  public var bytes: [UInt8] {
    let network = network.map { network in
      JSONValue.members([
        "userAgent": .string(network.userAgent), "connect": .integer(network.connect), "idle": .integer(network.idle),
        "whole": network.whole.map { .integer($0) }, "connectionsPerHost": .number(network.connectionsPerHost),
        "headers": .array(network.headers.map { .array($0.map(JSONValue.string)) }),
      ])
    }
    return Array(
      JSONValue.members([
        "name": .string(name), "kind": .string(store.kind),
        "options": .object(store.options.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }),
        "programs": .object(
          store.programs.sorted { $0.key < $1.key }.map {
            JSONMember($0.key, .array($0.value.map(JSONValue.string)))
          }),
        "network": network, "variable": variable.map { .string($0) }, "tokensDirectory": .string(tokensDirectory),
        "state": .string(state),
        "config": config.map { .string($0) },
      ]).encoded.utf8)
  }

  /// - Throws: `badInput` for anything that `bytes` would not write.
  public init(bytes: [UInt8]) throws(StoreError) {
    let damaged = StoreError(
      .badInput, "The description of the club is not one of byteclub.",
      remedy: "Start the server with: byteclub serve --club NAME")
    let value: JSONValue
    do {
      value = try JSONReader.read(bytes)
    } catch {
      throw damaged
    }
    guard let name = value["name"]?.text, let kind = value["kind"]?.text,
      let tokensDirectory = value["tokensDirectory"]?.text, let state = value["state"]?.text,
      case .object(let options)? = value["options"],
      case .object(let programs)? = value["programs"]
    else { throw damaged }
    var store = StoreDescription(kind: kind)
    for member in options { store.options[member.key] = member.value.text }
    for member in programs { store.programs[member.key] = member.value.elements?.compactMap(\.text) }
    self.init(
      name: name, store: store, network: value["network"].flatMap(Network.init), variable: value["variable"]?.text,
      tokensDirectory: tokensDirectory, state: state, config: value["config"]?.text)
  }
}

extension ClubDescription.Network {
  fileprivate init?(_ value: JSONValue) {
    guard let userAgent = value["userAgent"]?.text, let connect = value["connect"]?.integer,
      let idle = value["idle"]?.integer, let most = value["connectionsPerHost"]?.integer.flatMap({ Int(exactly: $0) })
    else { return nil }
    (self.userAgent, self.connect, self.idle, connectionsPerHost) = (userAgent, connect, idle, most)
    whole = value["whole"]?.integer
    headers = (value["headers"]?.elements ?? []).map { ($0.elements ?? []).compactMap(\.text) }
  }
}
