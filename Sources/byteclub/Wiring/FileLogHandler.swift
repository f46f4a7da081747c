import FileStores
import Glibc
import Logging

/// Writes what swift-log is given to a `LogFile`: time, level, message, and what else is said, on one line.
struct FileLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let file: LogFile

  /// Writes to a file.
  init(_ file: LogFile, _ level: Logger.Level) {
    self.file = file
    logLevel = level
  }

  func log(event: LogEvent) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let time = RFC3339.text(
      Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec) / 1_000_000 * 1_000_000))
    var line = "\(time) \(getpid()) \(event.level.rawValue) \(event.message)"
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(key)=\"\(value)\"" }
    file.append(TerminalText.filtered(line.utf8))
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
