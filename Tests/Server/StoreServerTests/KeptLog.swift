import Logging
import Synchronization

/// Every line of a log, at every level, with its metadata.
final class KeptLog: Sendable {
  private let lines = Mutex<[String]>([])

  /// `level message metadata`, in order.
  var all: [String] { lines.withLock { $0 } }
  /// What a logger writes here with.
  var handler: any LogHandler { Handler(lines: self) }

  private struct Handler: LogHandler {
    let lines: KeptLog
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    init(lines: KeptLog) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let more = event.error.map { "\($0)" } ?? ""
      let text = "\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:]) \(more)"
      lines.lines.withLock { $0.append(text) }
    }
  }
}
