import Backends
import Basics
import ClubServices
import Decoding
import FileStores
import Screens
import TextUI

struct ClubSetup: Sendable {
  let paths: Paths
  let environment: Environment
  let report: ConfigReport
  let config: Config
  let choice: ClubChoice
  let stores: StoreRegistry
  let signIn: StoreSignIn
  /// nil for a club without a server.
  let route: HTTPOptions?
  let pool: BlockingPool
  let log: ActivityLog
  /// Other processes decode all pictures.
  let decoder: any PictureDecoding

  /// - Parameter log: an existing log of this process.
  /// - Parameter decoder: an existing decoder of this process.
  /// - Parameter pool: an existing pool; a club that hangs holds up all who share it.
  /// - Throws: faults of the settings that show without a look at the club.
  init(
    _ options: StartOptions, environment: Environment = .process, log: ActivityLog? = nil,
    stores: StoreRegistry = .standard, decoder: (any PictureDecoding)? = nil, pool: BlockingPool? = nil
  ) throws(ConfigFault) {
    self.environment = environment
    self.stores = stores
    paths = try Paths(environment, config: options.config)
    report = try ClubSetup.report(paths, options, environment, stores)
    config = try report.checked()
    choice = try ClubChoice(report, options: options, paths: paths, stores: stores)
    do {
      (signIn, route) = try ClubSetup.access(choice, report.network(of: choice.name), environment)
    } catch {
      let club = "The club \"\(choice.name)\""
      throw ConfigFault(
        error.message.hasPrefix(club) ? error.description : "\(club) cannot be opened. \(error.description)")
    }
    self.pool = pool ?? BlockingPool()
    let log = log ?? ActivityLog(file: paths.logFile, isDetailed: config.logsDetails)
    self.log = log
    self.decoder = decoder ?? WorkerPool { log.warning($0) }
  }

  /// - Throws: faults of the club's settings.
  private static func access(
    _ choice: ClubChoice, _ network: NetworkSettings, _ environment: Environment
  ) throws(StoreError) -> (StoreSignIn, HTTPOptions?) {
    try choice.kind.check(choice.store)
    var route = try choice.kind.httpOptions(for: choice.store)
    if var options = route {
      network.apply(to: &options)
      route = options
    }
    let signIn = try choice.kind.signIn(to: choice.store)
    if case .tokens(let tokens) = signIn {
      _ = try ClubAccount.account(choice.name, tokens, environment, choice.commands)
    }
    return (signIn, route)
  }

  static func settings(_ stores: StoreRegistry = .standard) -> SettingTable {
    SettingTable(
      stores: stores, keys: KeyWords(commands: KeyCommand.all.map(\.id.rawValue)) { Key($0) != nil })
  }

  /// Does not reject faults.
  static func report(
    _ paths: Paths, _ options: StartOptions, _ environment: Environment, _ stores: StoreRegistry = .standard
  ) throws(ConfigFault) -> ConfigReport {
    let flags = options.club.map { ["--club": $0] } ?? [:]
    let dropIns = DropIn.all(paths)
    return ConfigReader.read(
      settings(stores), file: try ConfigFile.read(paths), place: paths.abbreviating(paths.configFile),
      dropIns: dropIns, hasHome: !dropIns.isEmpty && LocalDirectory.exists("\(paths.home ?? "")/ByteClub"),
      environment: environment, flags: flags, theme: { name throws(ConfigFault) in try ConfigFile.theme(name, paths) })
  }

  /// Opens the store without touching byteclub's own files or the network. A store behind a network retries temporary
  /// failures; `observer` gets a report of each call, and `pauses` can end the waits.
  /// - Throws: `notFound` if its directory does not exist; `badInput` if a required setting is missing.
  func openStore(
    observer: CallObserver? = nil, pauses: CallPauses? = nil
  ) throws(StoreError) -> any FileStore {
    let store = log.telling(try openStoreAlone())
    if route != nil { return RetryingStore(store, observer: observer, pauses: pauses) }
    return observer.map { WatchedStore(store, observer: $0) } ?? store
  }

  /// `openStore` without retries, for callers that have their own.
  func openStoreAlone() throws(StoreError) -> any FileStore {
    if let directory = choice.directory, !LocalDirectory.exists(directory) {
      guard !LocalDirectory.holdsAnything(directory) else {
        throw StoreError(
          .badInput, "\(choice.place) is not a directory, so it cannot be a club.",
          remedy: "Name a directory in the config, or with --folder.")
      }
      throw StoreError(
        .notFound, "The club's directory \(choice.place) does not exist.",
        remedy: "Make it with: \(choice.commands.makeFolder)")
    }
    return try choice.kind.open(choice.store, pool: pool, network: try network())
  }

  /// nil for a local store. All users in this process share its connections.
  func network() throws(StoreError) -> StoreNetwork? {
    guard let route else { return nil }
    let tokens = try signIn.tokens(
      of: choice.name, account: { _ throws(StoreError) in try ClubAccount(self).tokens },
      secret: programTokens(environment.accessToken))
    return StoreNetwork(
      transport: log.telling(ClubNetworks.process.transport(route)), tokens: tokens, commands: choice.commands,
      findings: serverTest?.memory, programs: programTokens(nil))
  }

  /// - Parameter variable: the secret that comes before a program's.
  private func programTokens(_ variable: String?) -> ProgramTokens {
    { [choice, paths, pool] secret in
      ClubNetworks.process.secret(
        choice.name, secret, variable: variable, directory: paths.tokensDirectory, commands: choice.commands, pool: pool
      )
    }
  }

  /// For atomic writes.
  func localFolder(_ directory: String) throws(StoreError) -> any FileStore {
    try stores.open(stores.plainDirectory(directory), pool: pool)
  }

  /// True on the very first start without any config.
  var needsWelcome: Bool { choice.isFirstStart && choice.directory.map(LocalDirectory.holdsAnything) == false }

  /// Makes the club with a welcome note, and returns a sentence about it; nil if nothing was made.
  func welcome() async throws(StoreError) -> String? {
    guard needsWelcome else { return nil }
    try await makeClub()
    let note = try StorePath("Welcome.md")
    _ = try await openStore().put(DataSource(WelcomeNote.text.utf8), at: note, mode: .create)
    log.info("made the first club", ["place": choice.place])
    return "Made your club's folder, \(choice.place), with a note to welcome you."
  }

  /// Leaves existing folders alone.
  func makeClub(observer: CallObserver? = nil) async throws(StoreError) {
    guard let directory = choice.directory else {
      let store = try openStore(observer: observer)
      try await store.createFolder(.root)
      return try await store.createFolder(try photosFolder())
    }
    let code = await pool.run { LocalDirectory.make(directory) }
    guard code == 0 else {
      throw StoreError(
        .notPermitted, "byteclub cannot make the directory \(choice.place): \(SystemError.text(code)).",
        remedy: "Choose another directory with --folder DIR, or in the config.")
    }
    try await openStore().createFolder(try photosFolder())
  }

  /// Asks the club once. Other errors do not concern its folder; the commands that meet them report them.
  func isFolderMissing() async -> Bool {
    do throws(StoreError) {
      _ = try await openStoreAlone().list(.root, ListOptions(.names), after: nil)
      return false
    } catch {
      return error.kind == .notFound
    }
  }

  var folderIsMissing: String {
    "The club's folder does not exist yet. Make it with: \(choice.commands.makeFolder)"
  }

  var plainWarning: String? {
    isReadableByOthers ? "\(choice.place) is not encrypted: others on the network can read it." : nil
  }

  /// Files and sign-in cross the network unencrypted.
  var isReadableByOthers: Bool {
    route?.origins.contains { !$0.isEncrypted && !$0.isLoopback } ?? false
  }

  /// The place from which the club moved, unless another club is there now. A byteclub that had the club open meanwhile
  /// keeps its texts there.
  var formerPlace: String? {
    guard let former = report.formerPlaces[choice.name] else { return nil }
    let isTaken = config.clubNames.contains { name in
      (try? ClubChoice.place(of: name, config, paths, stores))?.words == former
    }
    return isTaken ? nil : former
  }

  /// nil for a club whose server needs no self-test.
  var serverTest: ServerTest? { ServerTest(self) }

  /// True if marks, rules and bars are ASCII, by the config or else by the locale.
  var usesASCII: Bool { config.usesASCII(in: environment) }

  func photosFolder() throws(StoreError) -> StorePath { try StorePath(config.photosFolder) }

  func noteScope() throws(StoreError) -> NoteScope {
    NoteScope(photosFolder: try photosFolder(), hasFolders: config.hasNoteFolders)
  }
}
