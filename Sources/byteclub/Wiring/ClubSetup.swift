import Backends
import ClubServices
import Database
import FileStores
import Screens
import TextUI
import Transfers

/// Everything that is known before a club is opened: paths, settings, which club. Making one reads the config file and
/// nothing else.
struct ClubSetup: Sendable {
  /// Where byteclub's own files are.
  let paths: Paths
  /// The variables.
  let environment: Environment
  /// The settings and what is odd about them.
  let report: ConfigReport
  /// The settings.
  let config: Config
  /// Which club.
  let choice: ClubChoice
  /// The kinds of stores that there are.
  let stores: StoreRegistry
  /// How members sign in to the club.
  let signIn: StoreSignIn
  /// How the club's server is reached; nil for a club without one.
  let route: HTTPOptions?
  /// The threads for calls that block.
  let pool: BlockingPool
  /// The log.
  let log: ActivityLog

  /// Reads the settings and chooses the club. `log` is that of this process, when it has one already.
  /// - Throws: what is wrong with them, as far as that can be known without looking at the club.
  init(
    _ options: StartOptions, environment: Environment = .process, log: ActivityLog? = nil,
    stores: StoreRegistry = .standard
  ) throws(ConfigFault) {
    self.environment = environment
    self.stores = stores
    paths = try Paths(environment, config: options.config)
    report = try ClubSetup.report(paths, options, environment, stores)
    config = try report.checked()
    choice = try ClubChoice(report, options: options, paths: paths, stores: stores)
    do {
      (signIn, route) = try ClubSetup.access(choice, config, environment)
    } catch {
      let club = "The club \"\(choice.name)\""
      throw ConfigFault(
        error.message.hasPrefix(club) ? error.description : "\(club) cannot be opened. \(error.description)")
    }
    pool = BlockingPool()
    self.log = log ?? ActivityLog(file: paths.logFile, isDetailed: config.logsDetails)
  }

  /// How the club is signed in to and reached.
  /// - Throws: what is wrong with its settings.
  private static func access(
    _ choice: ClubChoice, _ config: Config, _ environment: Environment
  ) throws(StoreError) -> (StoreSignIn, HTTPOptions?) {
    try choice.kind.check(choice.store)
    var route = try choice.kind.httpOptions(for: choice.store)
    if var options = route {
      config.network.apply(to: &options)
      route = options
    }
    let signIn = try choice.kind.signIn(to: choice.store)
    if case .tokens(let tokens) = signIn {
      _ = try ClubAccount.account(choice.name, tokens, environment, choice.commands)
    }
    return (signIn, route)
  }

  /// The table of settings for such stores.
  static func settings(_ stores: StoreRegistry = .standard) -> SettingTable {
    SettingTable(
      stores: stores, keys: KeyWords(commands: KeyCommand.all.map(\.id.rawValue)) { Key($0) != nil })
  }

  /// Reads the settings without judging them.
  static func report(
    _ paths: Paths, _ options: StartOptions, _ environment: Environment, _ stores: StoreRegistry = .standard
  ) throws(ConfigFault) -> ConfigReport {
    let flags = options.club.map { ["--club": $0] } ?? [:]
    return ConfigReader.read(
      settings(stores), file: try ConfigFile.read(paths), place: paths.abbreviating(paths.configFile),
      environment: environment, flags: flags)
  }

  /// The keys that the config gives to commands.
  var keyTable: KeyTable {
    var changes: [CommandID: [Key]] = [:]
    for (name, words) in config.keys {
      if let id = CommandID(rawValue: name) { changes[id] = words.compactMap { Key($0) } }
    }
    return KeyTable(changes: changes)
  }

  /// Opens the club's store; no file of byteclub's own is touched, and no network. A store behind a network is tried
  /// again when it fails for a while, `observer` takes a report of each call, and `pauses` can end the waits for it.
  /// - Throws: `notFound` when its directory is not there; `badInput` when the config does not say what is needed.
  func openStore(
    observer: CallObserver? = nil, pauses: CallPauses? = nil
  ) throws(StoreError) -> any FileStore {
    let store = log.telling(try openStoreAlone())
    return route == nil ? store : RetryingStore(store, observer: observer, pauses: pauses)
  }

  /// Opens the club's store without retries, for those who have their own.
  /// - Throws: as `openStore`.
  func openStoreAlone() throws(StoreError) -> any FileStore {
    if let directory = choice.directory, !LocalDirectory.exists(directory) {
      throw StoreError(
        .notFound, "The club's directory \(choice.place) does not exist.",
        remedy: "Make it with: \(choice.commands.makeFolder)")
    }
    return try choice.kind.open(choice.store, pool: pool, network: try network())
  }

  /// How the club's store is reached; nil for a store that needs no network. All in this process share its connections.
  private func network() throws(StoreError) -> StoreNetwork? {
    guard let route else { return nil }
    let tokens: any AccessTokens
    switch signIn {
    case .tokens: return try ClubAccount(self).network
    case .secret(let secret):
      tokens = ClubNetworks.process.secret(choice.name, secret, variable: environment.accessToken, pool: pool)
    case .none: tokens = StaticToken("", remedy: "The club \"\(choice.name)\" needs no token.")
    }
    return StoreNetwork(
      transport: log.telling(ClubNetworks.process.transport(route)), tokens: tokens, commands: choice.commands)
  }

  /// A directory of this machine as a store, to write files whole.
  func localFolder(_ directory: String) throws(StoreError) -> any FileStore {
    try stores.open(stores.plainDirectory(directory), pool: pool)
  }

  /// Whether this is the very first start, without any config, so that `welcome` makes the club.
  var needsWelcome: Bool { choice.isFirstStart && choice.directory.map(LocalDirectory.holdsAnything) == false }

  /// On the very first start, without any config: makes the club with a welcome note.
  /// - Returns: a sentence that says so; nil when nothing was made.
  func welcome() async throws(StoreError) -> String? {
    guard needsWelcome else { return nil }
    try await makeClub()
    let note = try StorePath("Welcome.md")
    _ = try await openStore().put(DataSource(WelcomeNote.text.utf8), at: note, mode: .create)
    log.info("made the first club", ["place": choice.place])
    return "Made your club's folder, \(choice.place), with a note to welcome you."
  }

  /// Makes the club's folder and its photos folder where they are not there yet.
  func makeClub() async throws(StoreError) {
    guard let directory = choice.directory else {
      let store = try openStore()
      try await store.createFolder(.root)
      return try await store.createFolder(try photosFolder())
    }
    let code = await pool.run { LocalDirectory.make(directory) }
    guard code == 0 else {
      throw StoreError(
        .notPermitted, "byteclub cannot make the directory \(choice.place): \(SystemError.sentence(code)).",
        remedy: "Choose another directory with --folder DIR, or in the config.")
    }
    try await openStore().createFolder(try photosFolder())
  }

  /// That others can read along, as a sentence; nil when they cannot.
  var plainWarning: String? {
    isReadableByOthers ? "\(choice.place) is not encrypted: others on the network can read it." : nil
  }

  /// Whether the club's files and the sign-in go through the network for everyone to read.
  var isReadableByOthers: Bool {
    route?.origins.contains { !$0.isEncrypted && !$0.isLoopback } ?? false
  }

  /// The photos folder, as a path of the store.
  func photosFolder() throws(StoreError) -> StorePath { try StorePath(config.photosFolder) }
}
