import Backends
import Basics
import FileStores
import POSIX
import Logging
import Synchronization

/// A rotating log: a full one becomes `log.1`, that one `log.2`, and so on. If the log cannot be written, lines are
/// dropped without an error.
final class LogFile: Sendable {
  private let path: String
  private let limitBytes: Int
  private let kept: Int
  private let state = Mutex((descriptor: Int32(-1), bytes: 0, isBroken: false))

  /// Creates nothing before the first line.
  init(path: String, limitBytes: Int = 1 << 20, kept: Int = 3) {
    self.path = path
    self.limitBytes = limitBytes
    self.kept = kept
  }

  deinit {
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// One write keeps lines of several processes apart.
  func append(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    state.withLock { state in
      guard !state.isBroken else { return }
      if state.descriptor >= 0, state.bytes + bytes.count > limitBytes { rotate(&state.descriptor) }
      if state.descriptor < 0 {
        guard let opened = open() else {
          state.isBroken = true
          return
        }
        (state.descriptor, state.bytes) = opened
        if state.bytes > 0, state.bytes + bytes.count > limitBytes {
          rotate(&state.descriptor)
          (state.descriptor, state.bytes) = open() ?? (-1, 0)
        }
      }
      guard state.descriptor >= 0 else { return }
      state.bytes += max(0, write(state.descriptor, bytes, bytes.count))
    }
  }

  private func open() -> (Int32, Int)? {
    let cut = path.lastIndex(of: "/") ?? path.startIndex
    guard (try? PrivateDirectory(making: String(path[..<cut]))) != nil else { return nil }
    let descriptor = POSIX.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    return (descriptor, fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0)
  }

  private func rotate(_ descriptor: inout Int32) {
    close(descriptor)
    descriptor = -1
    for number in stride(from: kept - 1, to: 0, by: -1) { rename("\(path).\(number)", "\(path).\(number + 1)") }
    rename(path, "\(path).1")
  }
}

/// The log names events and files, and never contains text of notes.
struct ActivityLog: Sendable {
  private let logger: Logger

  /// Creates the file with the first line. `isDetailed` also logs each request and each call to a store.
  init(file: String, isDetailed: Bool) {
    let file = LogFile(path: file)
    logger = Logger(label: "byteclub", factory: { _ in FileLogHandler(file, isDetailed ? .debug : .info) })
  }

  /// Logs requests if the log is detailed.
  func telling(_ transport: any HTTPTransport) -> any HTTPTransport {
    guard logger.logLevel <= .debug else { return transport }
    return LoggingTransport(transport) { [logger] in logger.debug("\($0)") }
  }

  func telling(_ store: any FileStore) -> any FileStore {
    guard logger.logLevel <= .debug else { return store }
    return LoggingStore(store) { [logger] in logger.debug("\($0)") }
  }

  func info(_ message: String, _ facts: [String: String] = [:]) {
    logger.info("\(message)", metadata: facts.mapValues { .string($0) })
  }

  func warning(_ message: String, _ facts: [String: String] = [:]) {
    logger.warning("\(message)", metadata: facts.mapValues { .string($0) })
  }

  func error(_ message: String, _ error: StoreError) {
    var facts = ["kind": error.kind.rawValue, "why": error.message]
    if let path = error.path { facts["path"] = path.description }
    logger.error("\(message)", metadata: facts.mapValues { .string($0) })
  }

  /// Takes the failures of a `NewsService`.
  var newsFailed: @Sendable (StoreError) -> Void { { error("byteclub may not mark changes by others", $0) } }
}

struct FileLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let file: LogFile

  init(_ file: LogFile, _ level: Logger.Level) {
    self.file = file
    logLevel = level
  }

  func log(event: LogEvent) {
    let time = RFC3339.text(Timestamp(nanoseconds: Timestamp.now().nanoseconds / 1_000_000 * 1_000_000))
    var line = "\(time) \(getpid()) \(event.level.rawValue) \(event.message)"
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) {
      line += " \(key)=\"\("\(value)".replacing("\"", with: "\\\""))\""
    }
    file.append(TerminalText.filtered(line.withoutAddressPasswords.utf8))
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
