import Basics
import FileStores
import POSIX

extension JoinFlow {
  /// A flow of this process.
  /// - Throws: `badInput` if a variable would be used in place of the invitation; faults of the config.
  init(_ options: StartOptions, _ environment: Environment, pool: BlockingPool, log: ActivityLog? = nil) throws {
    guard environment.accessToken == nil else {
      throw StoreError(
        .badInput,
        "The variable \(Environment.tokenVariable) is set, and byteclub would use it instead of the invitation.",
        remedy: "Unset it, and join again.")
    }
    let paths = try Paths(environment, config: options.config)
    let report = try ClubSetup.report(paths, options, environment)
    _ = try report.checked()
    let log = log ?? ActivityLog(file: paths.logFile, isDetailed: report.config.logsDetails)
    self.init(
      paths: paths, report: report, pool: pool, log: log,
      transport: { log.telling(ClubNetworks.process.transport($0)) }, now: { ClubAccount.now },
      machine: JoinFlow.ownMachine)
  }

  /// The name of this machine, at most 60 bytes of it.
  private static var ownMachine: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "byteclub" }
    let name = String(decoding: buffer.prefix { $0 != 0 }.prefix(60).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "byteclub" : name
  }
}
