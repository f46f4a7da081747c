import Backends
import FileStores
import Logging

/// The program's log. It is told what happened and to which file; never what a note says.
struct ActivityLog: Sendable {
  private let logger: Logger

  /// Writes to a file, once there is something to say.
  /// - Parameter isDetailed: whether each request and each call to a store is told, too.
  init(file: String, isDetailed: Bool) {
    let file = LogFile(path: file)
    logger = Logger(label: "byteclub", factory: { _ in FileLogHandler(file, isDetailed ? .debug : .info) })
  }

  /// The transport, its requests told where the log is detailed.
  func telling(_ transport: any HTTPTransport) -> any HTTPTransport {
    guard logger.logLevel <= .debug else { return transport }
    return LoggingTransport(transport) { [logger] in logger.debug("\($0)") }
  }

  /// The store, its calls told where the log is detailed.
  func telling(_ store: any FileStore) -> any FileStore {
    guard logger.logLevel <= .debug else { return store }
    return LoggingStore(store) { [logger] in logger.debug("\($0)") }
  }

  /// Something that happened.
  func info(_ message: String, _ facts: [String: String] = [:]) {
    logger.info("\(message)", metadata: facts.mapValues { .string($0) })
  }

  /// Something odd.
  func warning(_ message: String, _ facts: [String: String] = [:]) {
    logger.warning("\(message)", metadata: facts.mapValues { .string($0) })
  }

  /// Something that failed.
  func error(_ message: String, _ error: StoreError) {
    var facts = ["kind": error.kind.rawValue, "why": error.message]
    if let path = error.path { facts["path"] = path.description }
    logger.error("\(message)", metadata: facts.mapValues { .string($0) })
  }
}
