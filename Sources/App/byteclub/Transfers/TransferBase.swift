import Backends
import Basics
import ClubServices
import Database
import Decoding
import FileStores
import POSIX
import Transfers

/// The data for transfers of all clubs, which share one journal.
struct TransferBase: Sendable {
  let paths: Paths
  let config: Config
  let environment: Environment
  /// The open club, or that of the command line or the config.
  let club: String?
  let clubOfToken: String?
  let stores: StoreRegistry
  let pool: BlockingPool
  let log: ActivityLog
  let decoder: any PictureDecoding
  let owners = ClubOwners()

  init(_ setup: ClubSetup) {
    paths = setup.paths
    config = setup.config
    environment = setup.environment
    club = setup.choice.name
    clubOfToken = setup.environment.accessToken == nil ? nil : club
    stores = setup.stores
    pool = setup.pool
    log = setup.log
    decoder = setup.decoder
  }

  /// Without an open club. A variable's token counts if the command line or the config names a club.
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
    let log = ActivityLog(file: paths.logFile, isDetailed: config.logsDetails)
    self.log = log
    decoder = WorkerPool { log.warning($0) }
  }

  /// - Throws: if the config has no such club.
  func setup(of club: String, withToken: Bool = true) throws(ConfigFault) -> ClubSetup {
    let token = withToken && club == clubOfToken ? environment.accessToken : nil
    return try ClubSetup(
      StartOptions(config: configFile, club: club, folder: nil),
      environment: Environment(accessToken: token) {
        environment[$0]
      }, log: log, stores: stores, decoder: decoder)
  }

  var usesASCII: Bool { config.usesASCII(in: environment) }

  /// The absolute path of an explicitly named config file; nil for the default one.
  var configFile: String? { paths.configIsNamed ? LocalDirectory.absolute(paths.configFile) : nil }

  private var typedConfigFile: String? { configFile.map { paths.abbreviating($0) } }

  func loginCommand(_ club: String) -> String { ClubCommands(club: club, config: typedConfigFile).login }

  func transferCommand(_ verb: String) -> String { ClubCommands.transfer(verb, config: typedConfigFile) }

}

extension TransferHub {
  /// Limits of finished transfers in the journal.
  private static let keptSeconds: Int64 = 24 * 3600
  private static let keptCount = 500
  /// For finished transfers that nobody has seen yet.
  private static let keptUnseenSeconds: Int64 = 30 * 24 * 3600

  /// Opens nothing yet. With `carries`, the engine works while this process is the owner; otherwise changes are only
  /// recorded.
  static func of(_ base: TransferBase, outbox: OutboxDatabase, carries: Bool = true) -> TransferHub {
    let limit = base.config.transferLimitKibibytes.map { UInt64($0) * 1024 }
    let journal = OutboxTransferJournal(
      outbox, pool: base.pool, limit: limit, own: { await base.own($0) }, late: { await base.lateRecords(outbox) })
    let log = base.log
    return TransferHub(
      directory: base.paths.runtime, journal: base.paths.outboxFile, listens: carries, pool: base.pool,
      hasTransfers: { () throws(StoreError) in try await !journal.isEmpty() },
      onFailure: { log.error("the transfers could not be taken over", $0) }
    ) { () throws(StoreError) in
      guard carries else {
        return TransferEngine(journal: journal, stores: nil, pool: base.pool, now: { Timestamp.now() })
      }
      let now = Timestamp.now().seconds
      let damaged = try await journal.forgetFinished(
        before: Timestamp(seconds: now - keptSeconds), unseenBefore: Timestamp(seconds: now - keptUnseenSeconds),
        keeping: keptCount)
      if damaged > 0 { log.warning("rows of the journal of transfers cannot be read", ["rows": "\(damaged)"]) }
      log.info("carrying out transfers")
      return TransferEngine(
        journal: journal, stores: ClubStores(base), settings: base.config.transfers(base.decoder), pool: base.pool,
        now: { Timestamp.now() })
    }
  }
}

extension Config {
  func transfers(_ decoder: any PictureDecoding) -> TransferSettings {
    var settings = TransferSettings(
      concurrent: concurrentTransfers, perStore: network.connectionsPerHost, pieceBytes: transferChunkMebibytes << 20)
    settings.check = { (source) async throws(StoreError) in try await PhotosService.check(source, decoder) }
    return settings
  }
}

/// The journal's identifier of a club's store and account: its kind and place, and the account of the sign-in. A club
/// that moves to another place becomes another store.
enum StoreWord {
  /// For a directory that is not in the config (`--folder`).
  static let directory = "directory:"

  /// The sign between the store and the account of an order. No setting contains it.
  private static let mark: Character = "\u{1F}"

  static func of(_ setup: ClubSetup, _ owner: ClubOwner) -> String {
    of(setup) + (owner.word.map { "\(mark)\($0)" } ?? "")
  }

  /// The store of an order's word, and its account; nil for an order of an earlier version, and where the place names the
  /// account.
  static func parts(_ word: String) -> (store: String, account: String?) {
    guard let end = word.lastIndex(of: mark) else { return (word, nil) }
    return (String(word[..<end]), String(word[word.index(after: end)...]))
  }

  /// True if a club is the same folder of a server as an order's store, whatever the server's address is.
  static func isSameFolder(_ setup: ClubSetup, _ store: String) -> Bool {
    let own = of(setup)
    guard let start = own.firstIndex(of: "\n"), let end = store.firstIndex(of: "\n") else { return false }
    return own[start...] == store[end...]
  }

  static func of(_ setup: ClubSetup) -> String {
    let choice = setup.choice
    if let directory = choice.directory, !setup.config.clubNames.contains(choice.name) {
      return StoreWord.directory + directory
    }
    return "\(choice.kind.name):\(choice.kind.identity(of: choice.store))"
  }
}
