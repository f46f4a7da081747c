import Glibc
import Synchronization

/// Standard output and standard error.
///
/// Results are gathered and written in large pieces; `finish` writes the rest. When the reader of a pipe has gone
/// away, what is still to be written is dropped and `readerIsGone` says so. Safe to use from any thread.
final class Output: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var readerIsGone = false
    var failure: Int32?
  }

  private static let pieceBytes = 65_536
  private let state = Mutex(State())
  private let results: Int32
  private let notices: Int32
  /// Whether results go to a terminal.
  let resultsAreShown: Bool
  /// Whether notices go to a terminal.
  let noticesAreShown: Bool

  /// Writes to two descriptors.
  init(results: Int32 = 1, notices: Int32 = 2) {
    self.results = results
    self.notices = notices
    resultsAreShown = isatty(results) == 1
    noticesAreShown = isatty(notices) == 1
  }

  /// Whether the other end of standard output was closed.
  var readerIsGone: Bool { state.withLock(\.readerIsGone) }
  /// Why standard output could not be written (a full disk); nil when all went well.
  var failure: Int32? { state.withLock(\.failure) }

  /// A line of results. Filtered when it goes to a terminal, else as it is.
  func line(_ text: some Collection<UInt8>) {
    bytes(resultsAreShown ? Array(TerminalText.filtered(text).utf8) : Array(text))
    bytes([0x0A])
  }

  /// A line of results.
  func line(_ text: String) { line(Array(text.utf8)) }

  /// Result bytes as they are, unfiltered.
  func bytes(_ bytes: some Collection<UInt8>) {
    state.withLock { state in
      state.pending.append(contentsOf: bytes)
      if state.pending.count >= Output.pieceBytes { drain(&state) }
    }
  }

  /// A sentence for people, on standard error; always filtered.
  func notice(_ sentence: String) {
    _ = Output.write(Array((TerminalText.filteredLines(sentence) + "\n").utf8)[...], to: notices)
  }

  /// A warning or an error on standard error, which begins with the program's name.
  func alert(_ sentence: String) { notice(Output.named(sentence)) }

  /// The sentence with the program's name in front, unless it begins with that.
  static func named(_ sentence: String) -> String {
    sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence
  }

  /// Bytes for standard error as they are: progress.
  func raw(_ text: String) {
    _ = Output.write(Array(text.utf8)[...], to: notices)
  }

  /// Writes what is left.
  func finish() {
    state.withLock { drain(&$0) }
  }

  private func drain(_ state: inout State) {
    let code = state.failure != nil || state.readerIsGone ? 0 : Output.write(state.pending[...], to: results)
    state.pending.removeAll(keepingCapacity: true)
    if code == EPIPE { state.readerIsGone = true } else if code != 0 { state.failure = code }
  }

  /// 0, or the error number.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
