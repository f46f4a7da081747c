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
  /// The threads for calls that block.
  let pool: BlockingPool
  /// The log.
  let log: ActivityLog

  /// Reads the settings and chooses the club. `log` is that of this process, when it has one already.
  /// - Throws: what is wrong with them.
  init(
    _ options: StartOptions, environment: Environment = .process, log: ActivityLog? = nil
  ) throws(ConfigFault) {
    self.environment = environment
    paths = try Paths(environment, config: options.config)
    report = try ClubSetup.report(paths, options, environment)
    config = try report.checked()
    choice = try ClubChoice(report, options: options, paths: paths)
    pool = BlockingPool()
    self.log = log ?? ActivityLog(file: paths.logFile, isDetailed: config.logsDetails)
  }

  /// The table of settings of this build.
  static var settings: SettingTable {
    // A store in memory is for tests: what a member put there would be gone.
    SettingTable(
      storeKinds: StoreRegistry.kinds.filter { $0 != "memory" },
      keys: KeyWords(commands: KeyCommand.all.map(\.id.rawValue)) { Key($0) != nil })
  }

  /// Reads the settings without judging them.
  static func report(
    _ paths: Paths, _ options: StartOptions, _ environment: Environment
  ) throws(ConfigFault) -> ConfigReport {
    let flags = options.club.map { ["--club": $0] } ?? [:]
    return ConfigReader.read(
      settings, file: try ConfigFile.read(paths), place: paths.abbreviating(paths.configFile),
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
  /// again when it fails for a while.
  /// - Throws: `notFound` when its directory is not there; `badInput` when the config does not say what is needed.
  func openStore() throws(StoreError) -> any FileStore {
    guard let directory = choice.directory else {
      let network = try ClubAccount(self).network
      return RetryingStore(
        log.telling(try StoreRegistry.open(try ClubAccount.store(self), pool: pool, network: network)))
    }
    guard LocalDirectory.exists(directory) else {
      throw StoreError(
        .notFound, "The directory of the club, \(choice.place), is not there.",
        remedy: "Make it with: \(choice.commands.makeFolder)")
    }
    return log.telling(
      try StoreRegistry.open(StoreDescription(kind: choice.storeKind, options: ["path": directory]), pool: pool))
  }

  /// A directory of this machine as a store, to write files whole.
  func localFolder(_ directory: String) throws(StoreError) -> any FileStore {
    try StoreRegistry.open(StoreDescription(kind: "folder", options: ["path": directory]), pool: pool)
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
        .notPermitted, "The directory \(choice.place) cannot be made: \(SystemError.sentence(code)).",
        remedy: "Choose another place with --folder DIR, or in the config.")
    }
    try await openStore().createFolder(try photosFolder())
  }

  /// That others can read along, as a sentence; nil when they cannot.
  var plainWarning: String? {
    isReadableByOthers ? "\(choice.place) is not encrypted: others on the network can read along." : nil
  }

  /// Whether the club's files and the sign-in go through the network for everyone to read.
  var isReadableByOthers: Bool {
    guard choice.directory == nil, let server = config.text("clubs.\(choice.name).server"),
      let origin = HTTPOrigin(server)
    else { return false }
    return !origin.isEncrypted && !origin.isLoopback
  }

  /// The photos folder, as a path of the store.
  func photosFolder() throws(StoreError) -> StorePath { try StorePath(config.photosFolder) }
}
