import Accounts
import Backends
import FileStores
import Glibc
import JSON

/// What a club of the config is signed in with.
struct ClubAccount: Sendable {
  /// The tokens; whoever needs one for this club shares them.
  let tokens: AccountTokens
  /// What carries the calls.
  let transport: any HTTPTransport

  /// The account.
  var account: Account { tokens.account }
  /// The service for people.
  var service: String { tokens.account.service.name }

  /// How the club's store is reached.
  var network: StoreNetwork {
    StoreNetwork(transport: transport, tokens: tokens, commands: ClubCommands(club: account.club))
  }

  /// The account of the club that is chosen; all in this process share its tokens and connections. Nothing is read or asked yet.
  /// - Throws: `unsupported` for a club that is a directory; `badInput` when the config does not say what is needed.
  init(_ setup: ClubSetup) throws(StoreError) {
    let account = try ClubAccount.account(setup)
    let store = try ClubAccount.store(setup)
    let settings = setup.config.network
    guard let plain = try ClubNetworks.process.transport(store, settings) else {
      throw StoreError(.unsupported, "Nobody signs in to a store of kind \"\(setup.choice.storeKind)\".")
    }
    let transport = setup.log.telling(plain)
    self.init(
      tokens: ClubNetworks.process.tokens(
        account, source: ClubAccount.source(setup), directory: setup.paths.tokensDirectory, store: store, settings,
        transport: transport, pool: setup.pool),
      transport: transport)
  }

  /// Tokens, and what carries their calls.
  init(tokens: AccountTokens, transport: any HTTPTransport) {
    self.tokens = tokens
    self.transport = transport
  }

  /// What is wrong with the clubs of a config that are behind a network, each by itself: whole sentences.
  /// - Throws: what is wrong with the settings in general.
  static func faults(_ config: Config, _ options: StartOptions, _ environment: Environment = .process)
    throws(ConfigFault) -> [String]
  {
    var faults: [String] = []
    for name in config.clubNames where config.text("clubs.\(name).store") != "folder" {
      let setup = try ClubSetup(
        StartOptions(config: options.config, club: name, folder: nil), environment: environment)
      do throws(StoreError) {
        _ = try StoreRegistry.open(store(setup), pool: setup.pool, network: ClubAccount(setup).network)
      } catch {
        faults.append("The club \"\(name)\" cannot be opened. \(error.description)")
      }
    }
    return faults
  }

  /// Seconds since 1970.
  static var now: Int64 { Int64(time(nil)) }

  /// What every record about the account begins with.
  func record(_ profile: AccountProfile?, lines: [String] = []) -> Record {
    Record(
      .members([
        "club": .string(account.club),
        "service": .string(service),
        "source": .string(tokens.source.word),
        "name": profile.map { .string($0.name) },
        "email": profile?.email.map { .string($0) },
        "account": profile.map { .string($0.accountID) },
      ]),
      lines: lines)
  }

  private static func account(_ setup: ClubSetup) throws(StoreError) -> Account {
    let club = setup.choice.name
    guard setup.choice.storeKind != "folder" else {
      throw StoreError(
        .unsupported,
        "The club \"\(club)\" is a directory of this machine, \(setup.choice.place): nobody signs in to "
          + "that.", remedy: "Name a club that is elsewhere with --club NAME.")
    }
    let said = { (key: String) in setup.config.text("clubs.\(club).\(key)") }
    var service = AccountService.dropbox
    if let server = said("server") {
      service = try AccountService(
        server: server, version: setup.choice.storeKind == "dropbox-v1" ? .v1 : .v2,
        allowingPlain: setup.config.mayBePlain)
    } else if setup.choice.storeKind == "dropbox-v1" {
      throw StoreError(
        .badInput,
        "The club \"\(club)\" does not say on which server it is, and Dropbox itself has the API of its kind "
          + "no more.", remedy: "Set \"clubs.\(club).server\" in the config.")
    }
    // Who brings a token need not be known as an app.
    let isBrought = source(setup) != .file
    return try Account(
      club: club, service: service, appKey: said("appKey") ?? (isBrought ? Account.ownServersAppKey : nil),
      appSecret: said("appSecret"),
      signature: said("signature").flatMap(OAuth1Method.init(rawValue:)) ?? .hmacSHA1)
  }

  private static func source(_ setup: ClubSetup) -> TokenSource {
    TokenSource(
      variable: setup.environment.accessToken,
      command: setup.config.program("clubs.\(setup.choice.name).tokenCommand"))
  }

  /// The store that the config describes.
  static func store(_ setup: ClubSetup) throws(StoreError) -> StoreDescription {
    var options: [String: String] = [:]
    for key in ["server", "folder", "root", "caFile", "appKey", "appSecret", "signature"] {
      guard let text = setup.config.text("clubs.\(setup.choice.name).\(key)") else { continue }
      do throws(ConfigFault) {
        options[key] = key == "caFile" ? try setup.paths.expanding(text) : text
      } catch {
        throw StoreError(.badInput, error.description)
      }
    }
    if setup.config.mayBePlain { options["allowPlainHTTP"] = "true" }
    return StoreDescription(kind: setup.choice.storeKind, options: options)
  }
}
