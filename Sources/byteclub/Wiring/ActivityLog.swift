import FileStores
import Logging

/// The program's log. It is told what happened and to which file; never what a note says.
struct ActivityLog: Sendable {
  private let logger: Logger

  /// Writes to a file, once there is something to say.
  init(file: String) {
    let file = LogFile(path: file)
    logger = Logger(label: "byteclub", factory: { _ in FileLogHandler(file) })
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
