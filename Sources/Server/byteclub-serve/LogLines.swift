import Basics
import POSIX
import Logging
import StoreServer
import Synchronization

/// The log on standard error. One write per request would cost more than the answer to a small request, so a thread
/// writes the lines of some milliseconds together.
/// A warning or worse is written at once, after all lines before it. A killed process loses the lines of the last
/// milliseconds.
final class LogLines: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var isDue = false
    var second: time_t = -1
    var stamp = ""
  }

  private static let gathering: useconds_t = 5000
  /// Beyond this many bytes the writer is behind, and callers wait for it.
  private static let mostWaiting = 1 << 20
  private let state = Mutex(State())
  private let writing = Mutex(())
  private let thread = BlockingPool(threads: 1)
  private let descriptor: Int32
  private let form: LogForm

  init(_ form: LogForm, descriptor: Int32 = STDERR_FILENO) { (self.form, self.descriptor) = (form, descriptor) }

  func handler(_ label: String) -> any LogHandler { Handler(label: label, lines: self) }

  /// Returns when the waiting lines are written.
  func flush() {
    // Keeps the lines in order; more can be added meanwhile.
    writing.withLock { _ in
      let lines = state.withLock { state in
        state.isDue = false
        defer { state.waiting = [] }
        return state.waiting
      }
      write(lines)
    }
  }

  /// Adds the line of an answered request.
  func add(_ record: AccessRecord) { add(.info) { [form] stamp in form.line(stamp, record, "serve") } }

  private func add(_ level: Logger.Level, _ line: (_ stamp: String) -> String) {
    let (mustFlush, mustStart) = state.withLock { state -> (Bool, Bool) in
      state.waiting += (line(stamp(&state)) + "\n").utf8
      guard level < .warning, state.waiting.count < LogLines.mostWaiting else { return (true, false) }
      defer { state.isDue = true }
      return (false, !state.isDue)
    }
    if mustFlush { flush() }
    if mustStart {
      thread.submit { [self] in
        usleep(LogLines.gathering)
        flush()
      }
    }
  }

  private func write(_ lines: [UInt8]) {
    // Without a log the server continues.
    do throws(SystemError) { try OpenFile.write(lines[...], to: descriptor) } catch { return }
  }

  /// To the second, in UTC.
  private func stamp(_ state: inout State) -> String {
    let now = time(nil)
    guard now != state.second else { return state.stamp }
    var parts = tm()
    var second = now
    gmtime_r(&second, &parts)
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      let count = strftime(start, buffer.count, form == .json ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S+0000", &parts)
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    (state.second, state.stamp) = (now, text)
    return text
  }

  private struct Handler: LogHandler {
    let label: String
    let lines: LogLines
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    init(label: String, lines: LogLines) { (self.label, self.lines) = (label, lines) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let more = event.metadata.map { metadata.merging($0) { _, new in new } } ?? metadata
      lines.add(event.level) { stamp in lines.form.line(stamp, event, label, more) }
    }
  }
}
