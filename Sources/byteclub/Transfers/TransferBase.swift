import Backends
import Database
import FileStores
import Glibc
import Transfers

/// What transfers need to know of this installation. They belong to no club: one journal has those of all.
struct TransferBase: Sendable {
  /// Where byteclub's own files are.
  let paths: Paths
  /// The settings.
  let config: Config
  /// The variables.
  let environment: Environment
  /// The club that is open, or that the command line or the config names; nil when none is.
  let club: String?
  /// The club whose token is in a variable; nil when none is.
  let clubOfToken: String?
  /// The kinds of stores that there are.
  let stores: StoreRegistry
  /// The threads for calls that block.
  let pool: BlockingPool
  /// The log.
  let log: ActivityLog

  /// That of an open club.
  init(_ setup: ClubSetup) {
    paths = setup.paths
    config = setup.config
    environment = setup.environment
    club = setup.choice.name
    clubOfToken = setup.environment.accessToken == nil ? nil : club
    stores = setup.stores
    pool = setup.pool
    log = setup.log
  }

  /// Without a club. A token in a variable counts when the command line or the config names one.
  init(
    _ options: StartOptions, environment: Environment = .process, stores: StoreRegistry = .standard
  ) throws(ConfigFault) {
    paths = try Paths(environment, config: options.config)
    self.stores = stores
    let report = try ClubSetup.report(paths, options, environment, stores)
    config = try report.checked()
    self.environment = environment
    club = try? ClubChoice(report, options: options, paths: paths, stores: stores).name
    clubOfToken = environment.accessToken == nil ? nil : club
    pool = BlockingPool()
    log = ActivityLog(file: paths.logFile, isDetailed: config.logsDetails)
  }

  /// The settings as they are now, for a club of the config.
  /// - Throws: when there is no such club.
  func setup(of club: String, withToken: Bool = true) throws(ConfigFault) -> ClubSetup {
    let environment = environment
    let token = withToken && club == clubOfToken ? environment.accessToken : nil
    return try ClubSetup(
      StartOptions(config: configFile, club: club, folder: nil),
      environment: Environment(accessToken: token) {
        environment[$0]
      }, log: log, stores: stores)
  }

  /// The config file in full, when it was named; nil when it is where it is looked for.
  var configFile: String? { paths.configIsNamed ? LocalDirectory.absolute(paths.configFile) : nil }

  /// The config file as a member types it; nil as `configFile`.
  private var typedConfigFile: String? { configFile.map { paths.abbreviating($0) } }

  /// What a member types to sign in to a club.
  func loginCommand(_ club: String) -> String { ClubCommands(club: club, config: typedConfigFile).login }

  /// What a member types for a verb about transfers.
  func transferCommand(_ verb: String) -> String { ClubCommands.transfer(verb, config: typedConfigFile) }

  /// The time of day.
  static var now: Timestamp {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
  }
}
