import Basics
import POSIX
import Synchronization

/// Results are buffered and written in large pieces; `finish` writes the rest. If the reader of a pipe has gone,
/// further output is dropped and `readerIsGone` is true. Safe from any thread.
final class Output: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var readerIsGone = false
    var failure: Int32?
  }

  private static let pieceBytes = 65_536
  private static let writes = Mutex((newest: 0, underWay: Set<Int>()))
  private let state = Mutex(State())
  private let results: Int32
  private let notices: Int32
  let resultsAreShown: Bool
  let noticesAreShown: Bool

  init(results: Int32 = 1, notices: Int32 = 2) {
    self.results = results
    self.notices = notices
    resultsAreShown = isatty(results) == 1
    noticesAreShown = isatty(notices) == 1
  }

  var readerIsGone: Bool { state.withLock(\.readerIsGone) }
  /// The error number of a failed write to standard output (a full disk).
  var failure: Int32? { state.withLock(\.failure) }

  /// The number of the oldest write under way; 0 without one.
  static var writeUnderWay: Int { writes.withLock { $0.underWay.min() ?? 0 } }

  /// Filtered if it goes to a terminal.
  func line(_ text: some Collection<UInt8>) {
    bytes(resultsAreShown ? Array(TerminalText.filtered(text).utf8) : Array(text))
    bytes([0x0A])
  }

  func line(_ text: String) { line(Array(text.utf8)) }

  /// Not filtered.
  func bytes(_ bytes: some Collection<UInt8>) {
    state.withLock { state in
      state.pending.append(contentsOf: bytes)
      if state.pending.count >= Output.pieceBytes { drain(&state) }
    }
  }

  /// A sentence for standard error; always filtered.
  func notice(_ sentence: String) {
    _ = Output.write(Array((TerminalText.filteredLines(sentence) + "\n").utf8)[...], to: notices)
  }

  func alert(_ sentence: String) { notice(Output.named(sentence)) }

  static func named(_ sentence: String) -> String {
    sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence
  }

  /// Text for standard error, such as progress; not filtered.
  func raw(_ text: String) {
    _ = Output.write(Array(text.utf8)[...], to: notices)
  }

  func finish() {
    state.withLock { drain(&$0) }
  }

  private func drain(_ state: inout State) {
    let code = state.failure != nil || state.readerIsGone ? 0 : Output.write(state.pending[...], to: results)
    state.pending.removeAll(keepingCapacity: true)
    if code == EPIPE { state.readerIsGone = true } else if code != 0 { state.failure = code }
  }

  /// Returns 0 or the error number.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    let number = writes.withLock { writes in
      writes.newest += 1
      writes.underWay.insert(writes.newest)
      return writes.newest
    }
    defer { writes.withLock { _ = $0.underWay.remove(number) } }
    do throws(SystemError) {
      try OpenFile.write(bytes, to: descriptor)
      return 0
    } catch {
      return error.code
    }
  }
}

enum ColorAbility: Sendable, Equatable {
  case none, sixteen, palette, trueColor

  /// Follows NO_COLOR (any value: no colours), COLORTERM and TERM. Without a terminal an unset TERM counts as 256
  /// colours, for `byteclub photo view x | less -R`.
  init(_ environment: Environment, isTerminal: Bool) {
    let term = environment["TERM"] ?? (isTerminal ? "dumb" : "xterm-256color")
    if environment["NO_COLOR"] != nil || term == "dumb" || term.hasSuffix("-mono") || term.hasPrefix("vt") {
      self = .none
    } else if let word = environment["COLORTERM"]?.lowercased(), word == "truecolor" || word == "24bit" {
      self = .trueColor
    } else if term.hasSuffix("-direct") {
      self = .trueColor
    } else {
      self = term.contains("256color") || term == "foot" || term == "alacritty" ? .palette : .sixteen
    }
  }
}

enum TerminalSize {
  /// nil without a terminal, or if its size is unknown.
  static func of(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func columns(of descriptor: Int32) -> Int? { of(descriptor)?.columns }
}
